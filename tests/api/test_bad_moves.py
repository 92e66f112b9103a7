"""Bad moves: the problem document of each, and nothing changed in Redis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.api.contract import TODAY, Api, game, play, problem
from tests.api.dump import dump

ROLL = game(tail="roll")
SCORE = game(tail="score")
ORDER = game(ruleset="yatzy-order", tail="score")


@pytest.mark.parametrize("date", ["2026-02-30", "today ", "2026-11-31", "0000-01-01", "%00", "é"])
@pytest.mark.parametrize("tail", ["", "/roll", "/score"])
def test_an_unknown_date(seated: Api, unchanged: None, date: str, tail: str) -> None:
    body = {"/roll": {"ply": 1, "hold": []}, "/score": {"ply": 1, "box": "chance"}}.get(tail)
    problem(seated.post(f"{game(date)}{tail}", body), "bad-request", 400)


@pytest.mark.parametrize("sheet", ["nope", "YACHT", "%00", "x" * 1000, "yacht%20", "é", "..%2Fx"])
@pytest.mark.parametrize("tail", ["", "/roll", "/score"])
def test_an_unknown_sheet(seated: Api, unchanged: None, sheet: str, tail: str) -> None:
    body = {"/roll": {"ply": 1, "hold": []}, "/score": {"ply": 1, "box": "chance"}}.get(tail)
    response = seated.post(f"/api/v1/challenges/{TODAY}/{sheet}/game{tail}", body)
    slug = "not-found" if "%2F" in sheet else "unknown-ruleset"
    problem(response, slug, 404)


@pytest.mark.parametrize("ply", [2, 3, 77, 2**31 - 1])
def test_a_ply_ahead(seated: Api, unchanged: None, ply: int) -> None:
    now = seated.get(game()).json
    problem(seated.post(ROLL, {"ply": ply, "hold": []}), "ply-conflict", 409, game=now)
    problem(seated.post(SCORE, {"ply": ply, "box": "chance"}), "ply-conflict", 409, game=now)


def test_a_ply_behind(seated: Api, unchanged: None) -> None:
    now = seated.get(game()).json
    problem(seated.post(ROLL, {"ply": 0, "hold": [1]}), "ply-conflict", 409, game=now)
    problem(seated.post(SCORE, {"ply": 0, "box": "chance"}), "ply-conflict", 409, game=now)


@pytest.fixture
def variants(seated: Api, api: Api) -> dict[str, Callable[[], Any]]:
    """Reason -> a call the rules forbid for it, all set up."""
    for ply in (1, 2):
        seated.post(ROLL, {"ply": ply, "hold": []})
    fresh = api.signed()
    fresh.post(game())
    filled = api.signed()
    play(filled, turns=1)
    filled.post(ROLL, {"ply": 2, "hold": []})
    done = api.signed()
    end = play(done, ruleset="generala")["ply"]
    generala = game(ruleset="generala", tail="roll")
    return {
        "roll_first": lambda: fresh.post(SCORE, {"ply": 0, "box": "chance"}),
        "first_roll_takes_all_dice": lambda: fresh.post(ROLL, {"ply": 0, "hold": [0]}),
        "no_rolls_left": lambda: seated.post(ROLL, {"ply": 3, "hold": []}),
        "nothing_to_roll": lambda: filled.post(ROLL, {"ply": 3, "hold": [0, 1, 2, 3, 4]}),
        "box_filled": lambda: filled.post(SCORE, {"ply": 3, "box": "ones"}),
        "box_barred": lambda: seated.post(ORDER, {"ply": 1, "box": "twos"}),
        "game_finished": lambda: done.post(generala, {"ply": end, "hold": []}),
    }


@pytest.mark.parametrize(
    "reason",
    [
        "roll_first",
        "first_roll_takes_all_dice",
        "no_rolls_left",
        "nothing_to_roll",
        "box_filled",
        "box_barred",
        "game_finished",
    ],
)
def test_what_the_rules_forbid(
    variants: dict[str, Callable[[], Any]], valkey_url: str, reason: str
) -> None:
    before = dump(valkey_url)
    problem(variants[reason](), "illegal-action", 422, reason=reason)
    assert dump(valkey_url) == before
