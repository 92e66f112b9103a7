"""GET …/game/review: a finished game held against the best blind play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import redis
from flask import Flask

from challenge.game import game as rules
from challenge.game import log, rulesets
from challenge.service.services import Services
from challenge.solver.review import review
from challenge.solver.skill import Skill
from challenge.store import keys
from challenge.store.keys import BoardId
from challenge.web import create_app
from tests.api.contract import TODAY, Api, at, game, play, problem
from tests.conftest import Clock
from tests.solved import solved_folder_of
from tests.web.boards import DAY

SHEET = "yatzy-order"
URL = game(ruleset=SHEET, tail="review")
PAST = "2026-05-05"


@pytest.fixture(scope="session")
def solved_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which one small sheet is solved."""
    return solved_folder_of(SHEET, tmp_path_factory)


@pytest.fixture
def services(make_services: Any, solved_folder: Path) -> Services:
    """Services that know the best play of that sheet."""
    services: Services = make_services(CHALLENGE_DATA_DIR=str(solved_folder))
    return services


def test_it_is_the_review_of_the_game_and_its_books_balance(mia: Api, services: Services) -> None:
    view = play(mia, ruleset=SHEET)
    answer = mia.get(URL)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    found = answer.json
    board = services.days.board(DAY, SHEET, services.clock())
    table = services.solved.load(board.ruleset)
    made = log.from_text(view["log"])
    wanted = review(table, board.stream, made)
    assert found["total"] == view["total"]
    assert [each["given_away"] for each in found["decisions"]] == [
        each.given_away for each in wanted.decisions
    ]
    assert [(each["ply"], each["luck"]) for each in found["rolls"]] == [
        (each.ply, each.luck) for each in wanted.rolls
    ]
    assert found["optimal_mean"] == table.mean
    balance = found["optimal_mean"] + found["luck"] - found["given_away"]
    assert balance == pytest.approx(found["total"], abs=1e-6)
    assert found["skill"] == pytest.approx(1 - found["given_away"] / found["optimal_mean"])


def test_actions_are_named_as_they_are_made(mia: Api) -> None:
    view = play(mia, ruleset=SHEET)
    found = mia.get(URL).json
    made = log.from_text(view["log"])
    sheet = rulesets.find(SHEET)
    for each in found["decisions"]:
        action = log.decode(made[each["ply"]])
        assert isinstance(action, log.Entry)  # one roll a turn was made
        assert each["played"] == {"score": {"box": sheet.boxes[action.box].id}}
        if each["given_away"]:
            assert each["best"] != each["played"]
            assert set(each["best"]) <= {"roll", "score"}
        else:
            assert each["best"] == each["played"]
    assert any("roll" in each["best"] for each in found["decisions"])


@pytest.mark.parametrize("turns", [0, 3, 14])
def test_an_open_board_says_nothing_before_the_end(mia: Api, turns: int) -> None:
    play(mia, ruleset=SHEET, turns=turns)
    problem(mia.get(URL), "spoiler", 403)


def test_an_open_board_says_nothing_to_who_has_no_game_or_no_player(mia: Api, api: Api) -> None:
    problem(mia.get(URL), "spoiler", 403)
    problem(api.get(URL), "not-signed", 401)


def test_what_is_missing_is_no_reason_to_say_more_on_an_open_board(mia: Api) -> None:
    problem(mia.get(game(ruleset="yacht-triple", tail="review")), "spoiler", 403)
    problem(mia.get(game(ruleset="yams", tail="review")), "spoiler", 403)


def test_while_a_board_closes_it_is_kept_from_who_has_not_finished(mia: Api, clock: Clock) -> None:
    play(mia, ruleset=SHEET, turns=3)
    clock.now = at("2026-12-01 02:59")
    problem(mia.get(game(TODAY, SHEET, "review")), "spoiler", 403)
    clock.now = at("2026-12-01 03:00")
    problem(mia.get(game(TODAY, SHEET, "review")), "not-finished", 409)


def test_games_of_the_archive_are_reviewed_once_they_are_finished(mia: Api) -> None:
    url = game(PAST, SHEET, "review")
    problem(mia.get(url), "not-found", 404)
    play(mia, PAST, SHEET, turns=3)
    problem(mia.get(url), "not-finished", 409)
    total = play(mia, PAST, SHEET)["total"]
    assert mia.get(url).json["total"] == total


@pytest.mark.parametrize(
    ("sheet", "missing"), [("yams", "table"), ("yacht-triple", "method"), ("generala", "table")]
)
def test_it_is_said_what_is_missing(mia: Api, sheet: str, missing: str) -> None:
    play(mia, ruleset=sheet)
    response = mia.get(game(ruleset=sheet, tail="review"))
    problem(response, "not-solved", 503, missing=missing)
    assert "Retry-After" not in response.headers


def test_a_table_that_comes_later_is_found_without_a_restart(
    make_services: Any, clock: Clock, tmp_path: Path
) -> None:
    services = make_services(CHALLENGE_DATA_DIR=str(tmp_path))
    mia = Api(create_app(services).test_client(use_cookies=False)).signed("Mia")
    play(mia, ruleset=SHEET)
    problem(mia.get(URL), "not-solved", 503, missing="table")
    path = tmp_path / "solver" / f"{SHEET}.table"
    services.solved.solve(rulesets.find(SHEET), lambda _done, _states: None)
    whole = path.read_bytes()
    path.write_bytes(whole[:-8])
    problem(mia.get(URL), "not-solved", 503, missing="table")
    path.write_bytes(whole)
    assert mia.get(URL).status_code == 200


def test_the_result_text_carries_the_skill(mia: Api, clock: Clock) -> None:
    play(mia, ruleset=SHEET)
    percent = int(100 * mia.get(URL).json["skill"])
    url = game(TODAY, SHEET, "share")
    line = mia.get(f"{url}?lang=en").text.split("\n")[1]
    assert line == f"1st of 1 so far · {percent} % skill"
    clock.now = at("2026-12-01 03:00")
    line = mia.get(f"{url}?lang=de").text.split("\n")[1]
    assert line == f"Platz 1 von 1 · {percent} % Können"


def test_an_archive_text_says_archive_and_skill(mia: Api) -> None:
    play(mia, PAST, SHEET)
    percent = int(100 * mia.get(game(PAST, SHEET, "review")).json["skill"])
    line = mia.get(f"{game(PAST, SHEET, 'share')}?lang=de").text.split("\n")[1]
    assert line == f"Archiv · {percent} % Können"


def test_without_a_table_the_text_is_as_it_was(mia: Api) -> None:
    play(mia, ruleset="generala")
    line = mia.get(f"{game(ruleset='generala', tail='share')}?lang=en").text.split("\n")[1]
    assert line == "1st of 1 so far"


# -- kept with the player ----------------------------------------------------------------


def test_what_it_came_to_is_kept_exported_and_erased(mia: Api, valkey: redis.Redis) -> None:
    play(mia, ruleset=SHEET)
    play(mia, PAST, SHEET)
    found = mia.get(URL).json
    games = {each["date"]: each for each in mia.get("/api/v1/me/export").json["games"]}
    wanted = {name: found[name] for name in ("optimal_mean", "luck", "given_away", "skill")}
    assert games[TODAY]["review"] == pytest.approx(wanted)
    assert games[PAST]["review"] is None
    assert valkey.exists(keys.skill(mia.player))
    assert mia.delete("/api/v1/me").status_code == 204
    assert not valkey.exists(keys.skill(mia.player))


def test_a_skill_kept_after_an_erasure_goes_too(
    mia: Api, services: Services, valkey: redis.Redis
) -> None:
    """A review that began before an erasure and ends after it leaves nothing."""
    play(mia, ruleset=SHEET)
    board = services.days.board(DAY, SHEET, services.clock())
    services.store.players.mark_gone(mia.player)
    assert services.reviews.skill(mia.player, board, services.clock()) is not None
    assert not valkey.exists(keys.skill(mia.player))


def test_a_skill_kept_is_what_is_shown(mia: Api, services: Services, app: Flask) -> None:
    play(mia, ruleset=SHEET)
    skill = Skill(optimal_mean=200.0, luck=1.5, given_away=50.0)
    services.store.skills.keep(mia.player, {BoardId(DAY, SHEET): skill})
    (kept,) = services.store.skills.read(mia.player, [BoardId(DAY, SHEET)])
    assert kept == skill
    line = mia.get(f"{game(ruleset=SHEET, tail='share')}?lang=en").text.split("\n")[1]
    assert line == "1st of 1 so far · 75 % skill"


def test_strengths_are_the_averages_of_the_last_games_a_few_at_a_time(
    mia: Api, services: Services, clock: Clock
) -> None:
    assert services.reviews.strengths(mia.player) is None
    play(mia, ruleset="generala")  # not solved here
    for day in range(10, 17):
        clock.now = at(f"2026-11-{day} 12:00")
        play(mia, ruleset=SHEET)
    first = services.reviews.strengths(mia.player)
    assert first is not None
    assert (first.played, first.reviewed) == (8, 5)
    second = services.reviews.strengths(mia.player)
    assert second is not None
    assert (second.played, second.reviewed) == (8, 7)
    found = [mia.get(game(f"2026-11-{day}", SHEET, "review")).json for day in range(10, 17)]
    for name in ("skill", "luck", "given_away"):
        mean = sum(each[name] for each in found) / len(found)
        assert getattr(second, name) == pytest.approx(mean)


def test_a_replay_of_the_decisions_is_the_game(mia: Api, services: Services) -> None:
    view = play(mia, ruleset=SHEET)
    board = services.days.board(DAY, SHEET, services.clock())
    state = rules.start(board.ruleset)
    decisions = {each["ply"]: each["played"] for each in mia.get(URL).json["decisions"]}
    while not state.finished:
        done = decisions.get(state.ply, {"roll": {"hold": []}})
        if "roll" in done:
            state = rules.roll(state, board.stream, sum(1 << i for i in done["roll"]["hold"]))
        else:
            state = rules.score(state, board.ruleset.index[done["score"]["box"]])
    assert log.to_text(state.log) == view["log"]
