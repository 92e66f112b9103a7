"""/healthz, /readyz, /api/v1/version and /api/v1/openapi.json."""

from __future__ import annotations

from importlib.metadata import version

from tests.api.contract import DESCRIPTION, Api


def test_the_process_says_that_it_is_up(api: Api) -> None:
    assert api.get("/healthz").status_code == 200


def test_readiness_means_that_the_store_takes_a_write(api: Api) -> None:
    assert api.get("/readyz").status_code == 200


def test_the_version_is_that_of_the_distribution(api: Api) -> None:
    answer = api.get("/api/v1/version").json
    assert answer["version"] == version("samedice")
    assert answer["assets"]


def test_the_description_is_served_as_it_lies_in_the_package(api: Api) -> None:
    assert api.get("/api/v1/openapi.json").json == DESCRIPTION
