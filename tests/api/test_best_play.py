"""GET …/hindsight and …/bots: who may know what the dice of a board allow, and when."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.game import log
from challenge.service.services import Services
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from tests.api.contract import TODAY, Api, board, play, problem
from tests.conftest import Clock

BOARD = BoardId(date.fromisoformat(TODAY), "generala")
HINDSIGHT, BOTS = (board(TODAY, "generala", tail) for tail in ("hindsight", "bots"))


@pytest.fixture
def line(api: Api, services: Services) -> str:
    """The log of a whole game, noted as the best one and as that of two computer players."""
    view = play(api.signed(), TODAY, "generala")
    made = log.from_text(view["log"])
    bots = {"optimal": made, "greedy": made}
    services.store.insights.write(BOARD, Known(view["total"] + 5, made, bots))
    return str(view["log"])


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize("url", [HINDSIGHT, BOTS])
def test_before_one_has_finished_an_open_board_nothing_is_told(api: Api, url: str) -> None:
    problem(api.get(url), "spoiler", 403)
    half = api.signed()
    play(half, TODAY, "generala", turns=9)
    problem(half.get(url), "spoiler", 403)
    play(half, TODAY, "yacht")
    problem(half.get(url), "spoiler", 403)


@pytest.mark.usefixtures("line")
@pytest.mark.parametrize("url", [HINDSIGHT, BOTS])
def test_while_a_board_closes_it_is_as_hidden_as_before(api: Api, clock: Clock, url: str) -> None:
    clock.set("2026-12-01 02:59")
    problem(api.get(url), "spoiler", 403)


def test_who_has_finished_learns_the_best_total_and_not_its_line(api: Api, line: str) -> None:
    mia = api.signed()
    own = play(mia, TODAY, "generala", pick=1)
    found = mia.get(HINDSIGHT)
    assert found.status_code == 200
    assert found.json["log"] is None
    assert found.json["total"] >= own["total"]
    assert line not in found.text
    assert "no-store" in found.headers["Cache-Control"]


def test_once_the_board_is_closed_everybody_has_the_line(
    api: Api, line: str, clock: Clock, services: Services
) -> None:
    clock.set("2026-12-01 03:00")
    services.worker.round()
    found = api.get(HINDSIGHT)
    assert found.json["log"] == line
    assert found.headers["Cache-Control"] == "no-cache"
    again = api.get(HINDSIGHT, headers={"If-None-Match": found.headers["ETag"]})
    assert again.status_code == 304


def test_the_computer_players_come_with_name_score_and_log(api: Api, line: str) -> None:
    mia = api.signed()
    play(mia, TODAY, "generala", pick=1)
    bots = mia.get(BOTS, headers={"Accept-Language": "de"}).json["bots"]
    assert {bot["strength"]: bot["name"] for bot in bots} == {
        "greedy": "Gieriger Computer",
        "optimal": "Optimaler Computer",
    }
    view = api.get(board(TODAY, "generala", "leaderboard")).json
    scores = {entry["score"] for entry in view["entries"]}
    assert all(bot["log"] == line and bot["score"] in scores for bot in bots)


def test_computer_players_take_no_place(api: Api, line: str) -> None:
    view = api.get(board(TODAY, "generala", "leaderboard")).json
    assert view["players"] == len(view["entries"]) == 1


@pytest.mark.parametrize(("sheet", "missing"), [("generala", "table"), ("yacht-triple", "method")])
@pytest.mark.parametrize("tail", ["hindsight", "bots"])
def test_what_is_not_worked_out_is_said_to_be_missing(
    api: Api, sheet: str, missing: str, tail: str
) -> None:
    mia = api.signed()
    play(mia, TODAY, sheet)
    problem(mia.get(board(TODAY, sheet, tail)), "not-solved", 503, missing=missing)


@pytest.mark.parametrize("tail", ["hindsight", "bots"])
def test_boards_that_are_none_are_not_found_and_days_ahead_not_open(api: Api, tail: str) -> None:
    problem(api.get(board(TODAY, "poker", tail)), "unknown-ruleset", 404)
    problem(api.get(board("2025-12-31", "yacht", tail)), "not-found", 404)
    problem(api.get(board("2026-02-30", "yacht", tail)), "bad-request", 400)
    problem(api.get(board("2026-12-02", "yacht", tail)), "not-open-yet", 403, opens_at=...)
