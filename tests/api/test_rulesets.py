"""GET /api/v1/rulesets and GET /api/v1/rulesets/{id}."""

from __future__ import annotations

from challenge.game.rulesets import RULESETS
from tests.api.contract import Api, problem
from tests.vectors import load


def test_all_sheets_are_listed_with_the_default_one(api: Api) -> None:
    answer = api.get("/api/v1/rulesets").json
    assert answer["default"] == "yacht"
    assert [sheet["id"] for sheet in answer["rulesets"]] == [sheet.id for sheet in RULESETS]


def test_one_sheet_is_what_the_list_says(api: Api) -> None:
    for sheet in api.get("/api/v1/rulesets").json["rulesets"]:
        assert api.get(f"/api/v1/rulesets/{sheet['id']}").json == sheet


def test_a_sheet_holds_the_data_of_the_vectors(api: Api) -> None:
    for vector in load("rulesets"):
        sheet = api.get(f"/api/v1/rulesets/{vector['id']}").json
        for member in ("dice", "rolls_per_turn", "order", "family", "columns", "banked_rolls"):
            assert sheet[member] == vector[member], (vector["id"], member)
        for member in ("upper_bonus", "extra_bonus", "joker", "max_score"):
            assert sheet[member] == vector[member], (vector["id"], member)
        assert sheet["rounds"] == len(sheet["boxes"])


def test_the_legal_values_of_each_box_are_those_of_the_vectors(api: Api) -> None:
    for id, boxes in load("legal_values").items():
        sheet = api.get(f"/api/v1/rulesets/{id}").json
        for box in sheet["boxes"]:
            assert box["values"] == sorted(boxes[box["category"]]), (id, box["box"])


def test_the_triple_sheet_has_39_boxes_in_three_columns(api: Api) -> None:
    sheet = api.get("/api/v1/rulesets/yacht-triple").json
    assert sheet["columns"] == [1, 2, 3]
    assert len(sheet["boxes"]) == 39
    assert [box["column"] for box in sheet["boxes"]] == [1] * 13 + [2] * 13 + [3] * 13
    assert sheet["boxes"][13]["box"] == "2:ones"
    assert sheet["boxes"][13]["category"] == "ones"


def test_names_follow_accept_language(api: Api) -> None:
    german = api.get("/api/v1/rulesets/yacht", headers={"Accept-Language": "de-AT,en;q=0.5"})
    english = api.get("/api/v1/rulesets/yacht", headers={"Accept-Language": "en"})
    other = api.get("/api/v1/rulesets/yacht", headers={"Accept-Language": "fr"})
    assert german.json["boxes"][0]["name"] == "Einser"
    assert english.json["boxes"][0]["name"] == "Ones"
    assert other.json == english.json


def test_names_are_those_of_the_vectors_in_both_languages(api: Api) -> None:
    for language in ("de", "en"):
        for vector in load("rulesets"):
            sheet = api.get(
                f"/api/v1/rulesets/{vector['id']}", headers={"Accept-Language": language}
            ).json
            assert sheet["name"] == vector[f"name_{language}"]
            names = [box[language] for box in vector["boxes"]]
            assert [box["name"] for box in sheet["boxes"]][: len(names)] == names


def test_an_unknown_sheet_is_a_problem_that_names_the_list(api: Api) -> None:
    for id in ("yahtzee", "YACHT", "yacht ", "x" * 500):
        document = problem(api.get(f"/api/v1/rulesets/{id}"), "unknown-ruleset", 404)
        assert "/api/v1/rulesets" in document["detail"]
