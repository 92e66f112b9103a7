"""Fixtures of the API tests: callers at noon of one day, and a Redis that may not change."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.api.contract import Api, game
from tests.api.dump import dump


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Modules that are long to collect wait until soak tests are asked for."""
    expression = config.getoption("markexpr")
    unasked = "soak" not in expression or "not soak" in expression
    return True if collection_path.stem == "test_fuzz_soak" and unasked else None


@pytest.fixture
def api(app: Flask) -> Api:
    """An anonymous caller, who keeps no cookies."""
    return Api(app.test_client(use_cookies=False))


@pytest.fixture
def mia(api: Api) -> Api:
    """A player."""
    return api.signed("Mia")


@pytest.fixture
def unchanged(valkey_url: str) -> Iterator[None]:
    """The test leaves all of Redis as it was."""
    before = dump(valkey_url)
    yield
    assert dump(valkey_url) == before


@pytest.fixture
def seated(api: Api) -> Api:
    """A player with dice on the table: today's default sheet and one in fixed order."""
    player = api.signed("Mia")
    for ruleset in ("yacht", "yatzy-order"):
        player.post(game(ruleset=ruleset))
        player.post(game(ruleset=ruleset, tail="roll"), {"ply": 0, "hold": []})
    return player
