"""GET /api/v1/me/export: everything held about a player, with what replays each game."""

from __future__ import annotations

import hashlib
from datetime import date

from challenge.game import game as rules
from challenge.game import log, rulesets
from challenge.game.stream import Stream
from challenge.service.services import Services
from tests.api.contract import TODAY, Api, board, game, play, problem
from tests.conftest import Clock

EXPORT = "/api/v1/me/export"


def test_it_says_who_it_is_about(mia: Api) -> None:
    found = mia.get(EXPORT).json
    assert found["version"] == 1
    assert found["exported_at"] == "2026-11-30T12:00:00Z"
    assert found["player"] == mia.get("/api/v1/me").json["player"]
    assert (found["name"], found["games"]) == ("Mia", [])


def test_it_says_what_is_held_beside_the_games(mia: Api, api: Api, services: Services) -> None:
    now = services.clock()
    group = services.groups.create(mia.player, "Family", now)
    services.devices.recovery(mia.player)
    services.reports.report(api.signed("Ada").player, mia.player)
    services.reports.hide(mia.player)
    services.reports.report(api.signed("Ben").player, api.signed("Eve").player)
    found = mia.get(EXPORT).json
    assert found["groups"] == [
        {"id": group.id, "name": "Family", "owned": True, "joined": TODAY},
    ]
    assert (found["recovery_code"], found["sign_outs"]) == (True, 0)
    assert (found["name"], found["name_hidden"], found["reports"]) == ("Mia", True, 0)
    assert found["player"]["name"].startswith("Player·")


def test_it_holds_the_log_of_every_game_finished_or_not(mia: Api) -> None:
    done = play(mia, ruleset="generala")
    half = play(mia, ruleset="yacht", turns=3)
    past = play(mia, "2026-11-20", "yatzy")
    mia.post(game(ruleset="maxi-yatzy"))
    found = {(each["date"], each["ruleset"]): each for each in mia.get(EXPORT).json["games"]}
    for view in (done, half, past):
        each = found[view["date"], view["ruleset"]]
        assert {name: each[name] for name in ("log", "mode", "finished", "number")} == {
            name: view[name] for name in ("log", "mode", "finished", "number")
        }
        assert each["score"] == (view["total"] if view["finished"] else None)
    assert found[TODAY, "maxi-yatzy"]["log"] == ""
    assert len(found) == 4


def test_the_seed_is_there_once_the_board_is_closed_and_never_before(
    mia: Api, clock: Clock
) -> None:
    play(mia, ruleset="generala")
    (open_,) = mia.get(EXPORT).json["games"]
    assert open_["seed"] is None
    assert open_["commitment"] == mia.get(board(ruleset="generala")).json["commitment"]
    clock.set("2026-12-01 01:00")
    (closing,) = mia.get(EXPORT).json["games"]
    assert closing["seed"] is None
    clock.set("2026-12-01 03:00")
    (closed,) = mia.get(EXPORT).json["games"]
    assert hashlib.sha256(bytes.fromhex(closed["seed"])).hexdigest() == closed["commitment"]
    assert mia.get(board(TODAY, "generala")).json["seed"] == closed["seed"]


def test_every_score_of_a_closed_board_comes_out_of_its_log(mia: Api, clock: Clock) -> None:
    for number, sheet in enumerate(("generala", "yacht", "yacht-triple", "maxi-yatzy-saved")):
        play(mia, ruleset=sheet, pick=number)
    play(mia, "2026-11-01", "yatzy-order")
    clock.set("2026-12-02 00:00")
    games = mia.get(EXPORT).json["games"]
    assert len(games) == 5
    for each in games:
        sheet = rulesets.find_edition(each["fingerprint"])
        assert sheet is rulesets.find(each["ruleset"])
        stream = Stream(bytes.fromhex(each["seed"]))
        played = rules.replay(sheet, stream, log.from_text(each["log"]))
        assert (played.total, played.finished) == (each["score"], True)


def test_what_is_left_at_the_close_is_archive_from_then_on(mia: Api, clock: Clock) -> None:
    play(mia, ruleset="generala", turns=2)
    assert [each["mode"] for each in mia.get(EXPORT).json["games"]] == ["daily"]
    clock.set("2026-12-01 03:00")
    assert [each["mode"] for each in mia.get(EXPORT).json["games"]] == ["archive"]
    play(mia, TODAY, "generala")
    (found,) = mia.get(EXPORT).json["games"]
    assert (found["mode"], found["finished"]) == ("archive", True)


def test_games_are_listed_by_day(mia: Api, clock: Clock) -> None:
    for day in (30, 28, 29):
        play(mia, f"2026-11-{day}", "generala", turns=1)
    dates = [each["date"] for each in mia.get(EXPORT).json["games"]]
    assert dates == sorted(dates)
    assert date.fromisoformat(dates[0]).day == 28


def test_it_is_the_callers_alone(api: Api, mia: Api) -> None:
    play(mia, ruleset="generala", turns=1)
    assert mia.get(EXPORT).headers["Cache-Control"] == "no-store"
    assert api.signed().get(EXPORT).json["games"] == []
    problem(api.get(EXPORT), "not-signed", 401)
