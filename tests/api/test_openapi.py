"""The description is valid, complete, and says what the code says."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from openapi_spec_validator import validate

from challenge.errors import IllegalAction
from challenge.game.rulesets import RULESETS
from challenge.web.api.answers import MAX_NUMBER
from challenge.web.security import MAX_BODY
from tests.api.contract import DESCRIPTION, TITLES

OPERATIONS = [(path, method) for path, item in DESCRIPTION["paths"].items() for method in item]
SCHEMAS = DESCRIPTION["components"]["schemas"]


def routes(app: Flask) -> set[tuple[str, str]]:
    """(path, method) of every route of the API, as the description would write them."""
    return {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api/") or rule.rule in ("/healthz", "/readyz")
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }


def test_the_description_is_valid_openapi() -> None:
    validate(DESCRIPTION)


def test_every_route_is_described_and_every_description_is_routed(app: Flask) -> None:
    assert routes(app) == set(OPERATIONS)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_the_variables_of_a_path_are_its_path_parameters(path: str, method: str) -> None:
    named = {one["name"] for one in parameters(path, method) if one["in"] == "path"}
    assert named == set(re.findall(r"\{(\w+)\}", path))


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_every_operation_has_an_id_a_summary_and_its_callers(path: str, method: str) -> None:
    operation = DESCRIPTION["paths"][path][method]
    assert operation["operationId"]
    assert operation["summary"]
    assert operation["tags"]
    assert "security" in operation


def test_operation_ids_are_unique() -> None:
    ids = [DESCRIPTION["paths"][path][method]["operationId"] for path, method in OPERATIONS]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_what_needs_a_player_may_answer_401_and_what_changes_403(path: str, method: str) -> None:
    operation = DESCRIPTION["paths"][path][method]
    if operation["security"] and {} not in operation["security"]:
        assert "401" in operation["responses"]
    if method != "get":
        assert "403" in operation["responses"]


@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_what_takes_a_body_may_answer_400_413_and_415(path: str, method: str) -> None:
    operation = DESCRIPTION["paths"][path][method]
    if "requestBody" in operation:
        assert {"400", "413", "415"} <= set(operation["responses"])


def test_every_component_is_used() -> None:
    used = set(references(DESCRIPTION))
    for kind in ("parameters", "headers", "responses", "links", "schemas"):
        for name in DESCRIPTION["components"][kind]:
            assert f"#/components/{kind}/{name}" in used, name


def test_every_object_of_an_answer_or_body_names_all_its_members() -> None:
    for name, schema in SCHEMAS.items():
        if schema.get("type") == "object":
            assert schema["additionalProperties"] is False, name
            if name != "NewPlayerBody":
                assert schema["required"] == list(schema["properties"]), name


def test_the_sheets_named_are_those_there_are() -> None:
    assert SCHEMAS["RulesetId"]["enum"] == [sheet.id for sheet in RULESETS]


def test_every_box_of_every_sheet_is_a_box_id() -> None:
    pattern = re.compile(SCHEMAS["BoxId"]["pattern"], re.ASCII)
    for sheet in RULESETS:
        for box in sheet.boxes:
            assert pattern.fullmatch(box.id)
            assert len(box.id) <= SCHEMAS["BoxId"]["maxLength"]


def test_the_reasons_named_are_those_there_are() -> None:
    reasons = SCHEMAS["ProblemIllegalAction"]["properties"]["reason"]["enum"]
    assert reasons == list(IllegalAction.REASONS)


def test_the_limits_named_are_those_that_hold() -> None:
    assert SCHEMAS["RollBody"]["properties"]["ply"]["maximum"] == MAX_NUMBER
    assert f"{MAX_BODY:,}" in DESCRIPTION["components"]["responses"]["TooLarge"]["description"]


def test_every_problem_of_the_contract_is_described() -> None:
    slugs = {
        schema["properties"]["type"]["const"].removeprefix("/problems/")
        for name, schema in SCHEMAS.items()
        if name.startswith("Problem")
    }
    assert slugs == set(TITLES)


def parameters(path: str, method: str) -> list[dict[str, Any]]:
    """The parameters of an operation, references followed."""
    known = DESCRIPTION["components"]["parameters"]
    found = DESCRIPTION["paths"][path][method].get("parameters", [])
    return [known[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one for one in found]


def references(node: Any) -> list[str]:
    """Every ``$ref`` below a node."""
    if isinstance(node, list):
        return [found for item in node for found in references(item)]
    if not isinstance(node, dict):
        return []
    below = [found for item in node.values() for found in references(item)]
    return [*below, node["$ref"]] if isinstance(node.get("$ref"), str) else below
