"""GET …/games/{player}: another player's finished game."""

from __future__ import annotations

import pytest

from tests.api.contract import TODAY, Api, at, board, play, problem
from tests.conftest import Clock


def url(player: Api, date: str = TODAY) -> str:
    """Where a player's finished game lies."""
    return board(date, "generala", f"games/{player.player}")


@pytest.fixture
def ben(api: Api) -> Api:
    """A player who has finished today."""
    player = api.signed("Ben")
    play(player, ruleset="generala")
    return player


def test_who_has_finished_a_board_sees_the_games_of_others(mia: Api, ben: Api) -> None:
    play(mia, ruleset="generala", pick=2)
    answer = mia.get(url(ben)).json
    assert answer.pop("player") == ben.get("/api/v1/me").json["player"]
    assert answer == ben.get(board(TODAY, "generala", "game")).json


def test_the_own_finished_game_is_shown(ben: Api) -> None:
    assert ben.get(url(ben)).json["finished"]


def test_others_are_a_spoiler_before_one_has_finished(mia: Api, ben: Api) -> None:
    problem(mia.get(url(ben)), "spoiler", 403)
    play(mia, ruleset="generala", turns=10)
    problem(mia.get(url(ben)), "spoiler", 403)


def test_an_anonymous_caller_sees_nothing_before_the_close(
    api: Api, ben: Api, clock: Clock
) -> None:
    problem(api.get(url(ben)), "spoiler", 403)
    clock.now = at("2026-12-01 02:59")
    problem(api.get(url(ben)), "spoiler", 403)
    clock.now = at("2026-12-01 03:00")
    assert api.get(url(ben)).json["finished"]


def test_a_spoiler_does_not_say_whether_the_player_has_finished(mia: Api, ben: Api) -> None:
    nobody = mia.get(board(TODAY, "generala", "games/" + "A" * 22))
    assert nobody.data == mia.get(url(ben)).data


def test_another_sheet_finished_opens_nothing(mia: Api, ben: Api) -> None:
    play(mia, ruleset="yams")
    problem(mia.get(url(ben)), "spoiler", 403)


def test_an_archive_game_opens_nothing(mia: Api, ben: Api) -> None:
    play(mia, "2026-11-29", "generala")
    problem(mia.get(url(ben)), "spoiler", 403)


def test_an_unfinished_game_is_never_shown(mia: Api, api: Api, clock: Clock) -> None:
    other = api.signed()
    play(other, ruleset="generala", turns=10)
    play(mia, ruleset="generala")
    problem(mia.get(url(other)), "not-found", 404)
    clock.now = at("2026-12-02 12:00")
    problem(mia.get(url(other)), "not-found", 404)


def test_an_archive_game_is_not_shown_as_one_of_the_board(mia: Api, api: Api) -> None:
    play(mia, "2026-03-03", "generala")
    problem(api.get(url(mia, "2026-03-03")), "not-found", 404)


@pytest.mark.parametrize("id", ["x", "A" * 22, "A" * 500, "%00", "..", "<b>", "é"])
def test_an_unknown_player_has_no_game(ben: Api, id: str) -> None:
    assert ben.get(board(TODAY, "generala", f"games/{id}")).status_code == 404


def test_an_unknown_board_is_a_problem(ben: Api) -> None:
    problem(ben.get(board(TODAY, "nope", f"games/{ben.player}")), "unknown-ruleset", 404)
    problem(ben.get(url(ben, "2025-06-06")), "not-found", 404)
    problem(ben.get(url(ben, "2026-06-31")), "bad-request", 400)
    problem(ben.get(url(ben, "2027-06-06")), "not-open-yet", 403, opens_at="2027-06-06T00:00:00Z")
