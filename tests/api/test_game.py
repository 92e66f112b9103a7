"""GET and POST …/game: starting a game, finding it, and what it looks like."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from challenge.game.rulesets import RULESETS
from tests.api.contract import TODAY, Api, board, game, legal, play, problem
from tests.conftest import Clock

GRACE = datetime(2026, 12, 1, 1, tzinfo=UTC)
CLOSED = datetime(2026, 12, 1, 3, tzinfo=UTC)


def test_a_game_is_created_once_and_found_after(mia: Api) -> None:
    first = mia.post(game())
    again = mia.post(game(TODAY))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json == again.json == mia.get(game()).json


def test_a_new_game_stands_before_its_first_roll(mia: Api) -> None:
    view = mia.post(game()).json
    assert view["date"] == TODAY
    assert view["number"] == 334
    assert (view["mode"], view["ruleset"]) == ("daily", "yacht")
    assert (view["ply"], view["round"], view["rounds"]) == (0, 1, 13)
    assert (view["rolls_used"], view["rolls_left"], view["bank"]) == (0, 3, 0)
    assert (view["dice"], view["held"], view["log"]) == (None, [], "")
    assert (view["total"], view["finished"], view["standing"]) == (0, False, None)
    assert all(not box["legal"] and box["score"] is None for box in view["boxes"])
    assert view["upper"] == [{"sum": 0, "threshold": 63, "points": 35, "awarded": 0}]
    assert view["extra"] == [{"count": 0, "points": 0}]


def test_there_is_no_game_before_the_start(mia: Api) -> None:
    problem(mia.get(game()), "not-found", 404)
    problem(mia.get(game(tail="share")), "not-found", 404)
    problem(mia.post(game(tail="roll"), {"ply": 0, "hold": []}), "not-found", 404)
    problem(mia.post(game(tail="score"), {"ply": 0, "box": "chance"}), "not-found", 404)


def test_a_game_needs_a_player(api: Api) -> None:
    problem(api.post(game()), "not-signed", 401)
    problem(api.get(game()), "not-signed", 401)


def test_every_sheet_can_be_played_to_the_end(mia: Api) -> None:
    for sheet in RULESETS:
        view = play(mia, ruleset=sheet.id)
        assert view["finished"], sheet.id
        assert (view["round"], view["rounds"]) == (sheet.rounds, sheet.rounds)
        assert (view["rolls_left"], view["dice"]) == (0, None)
        assert view["standing"] == {"rank": 1, "players": 1, "beaten": 0, "tied": 0}
        assert 0 <= view["total"] <= sheet.max_score


def test_two_players_meet_the_same_dice(api: Api) -> None:
    dice = []
    for player in (api.signed(), api.signed()):
        player.post(game())
        dice.append(player.post(game(tail="roll"), {"ply": 0, "hold": []}).json["dice"])
    assert dice[0] == dice[1]


def test_a_past_day_is_played_as_archive_and_off_the_board(mia: Api) -> None:
    view = play(mia, "2026-03-01", "generala")
    assert (view["mode"], view["finished"], view["standing"]) == ("archive", True, None)
    assert mia.get(board("2026-03-01", "generala", "leaderboard")).json["players"] == 0


def test_a_future_day_is_not_open_yet(mia: Api) -> None:
    at = {"opens_at": "2026-12-01T00:00:00Z"}
    problem(mia.post(game("2026-12-01")), "not-open-yet", 403, **at)
    problem(mia.get(game("2026-12-01")), "not-open-yet", 403, **at)
    roll = mia.post(game("2026-12-01", tail="roll"), {"ply": 0, "hold": []})
    problem(roll, "not-open-yet", 403, **at)


def test_no_game_starts_while_its_board_is_closing(api: Api, mia: Api, clock: Clock) -> None:
    mia.post(game())
    clock.now = GRACE
    other = api.signed()
    document = problem(other.post(game(TODAY)), "closing", 409, closes_at="2026-12-01T03:00:00Z")
    assert TODAY in document["detail"]
    problem(other.get(game(TODAY)), "not-found", 404)
    assert mia.post(game(TODAY)).status_code == 200


def test_a_game_finished_in_the_grace_counts(mia: Api, clock: Clock) -> None:
    play(mia, ruleset="generala", turns=3)
    clock.now = GRACE
    view = play(mia, TODAY, "generala")
    assert (view["mode"], view["standing"]["players"]) == ("daily", 1)
    assert mia.get(board(TODAY, "generala", "leaderboard")).json["players"] == 1


def test_a_game_finished_after_the_close_is_archive(mia: Api, clock: Clock) -> None:
    play(mia, ruleset="generala", turns=3)
    clock.now = CLOSED
    view = play(mia, TODAY, "generala")
    assert (view["mode"], view["finished"], view["standing"]) == ("archive", True, None)
    assert mia.get(board(TODAY, "generala", "leaderboard")).json["players"] == 0


def test_a_daily_game_keeps_its_standing_after_the_close(mia: Api, clock: Clock) -> None:
    before = play(mia, ruleset="generala")
    clock.now = CLOSED + timedelta(days=40)
    assert mia.get(game(TODAY, "generala")).json == before


def test_a_preview_is_what_scoring_puts_into_the_box(mia: Api) -> None:
    view = mia.post(game(ruleset="yatzy")).json
    while not view["finished"]:
        view = mia.post(game(ruleset="yatzy", tail="roll"), {"ply": view["ply"], "hold": []}).json
        before = {box["box"]: box["preview"] for box in view["boxes"]}
        box = legal(view)[0]
        view = mia.post(game(ruleset="yatzy", tail="score"), {"ply": view["ply"], "box": box}).json
        assert {b["box"]: b["score"] for b in view["boxes"]}[box] == before[box]


def test_barred_boxes_come_with_a_notice_in_the_language_asked_for(mia: Api) -> None:
    url = game(ruleset="yatzy-order")
    mia.post(url)
    view = mia.post(f"{url}/roll", {"ply": 0, "hold": []}).json
    assert legal(view) == ["ones"]
    assert all(box["preview"] is None for box in view["boxes"] if not box["legal"])
    english = mia.get(url, headers={"Accept-Language": "en"}).json["notice"]
    german = mia.get(url, headers={"Accept-Language": "de"}).json["notice"]
    assert english
    assert german
    assert english != german


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_unknown_sheet_or_date_has_no_game(mia: Api, method: str) -> None:
    problem(mia.call(method, game(ruleset="nope")), "unknown-ruleset", 404)
    problem(mia.call(method, game("2025-12-31")), "not-found", 404)
    problem(mia.call(method, game("2026-11-31")), "bad-request", 400)
