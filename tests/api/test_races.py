"""Two tabs, two devices, two processes at one moment: one game, one entry on the board."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from challenge.game import log
from challenge.game.log import Action, Entry, Roll
from challenge.game.rulesets import find
from tests.api.contract import Api, board, game, legal, play
from tests.api.racers import Call, Racers

SHEET = "generala"
URL = game(ruleset=SHEET)
QUICK = 20
SOAK = 200
ROUNDS = [QUICK, pytest.param(SOAK, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]


@pytest.fixture(scope="module")
def started(valkey_url: str) -> Iterator[Racers]:
    """Three processes, started once."""
    with Racers(valkey_url, 3) as running:
        yield running


@pytest.fixture
def racers(started: Racers) -> Racers:
    """Three processes that know nothing of the tests before."""
    started.refresh()
    return started


def rolled(api: Api) -> dict[str, Any]:
    """A game with dice on the table, begun or gone on with, unless it is finished."""
    view = api.post(URL).json
    if view["dice"] is None and not view["finished"]:
        view = api.post(f"{URL}/roll", {"ply": view["ply"], "hold": []}).json
    return view


def hold(api: Api, ply: int, *positions: int) -> tuple[Call, Action]:
    """A roll, as a call and as the log has it."""
    assert api.token
    call = Call(api.token, f"{URL}/roll", {"ply": ply, "hold": list(positions)})
    return call, Roll(sum(1 << position for position in positions))


def enter(api: Api, ply: int, box: str) -> tuple[Call, Action]:
    """An entry, as a call and as the log has it."""
    assert api.token
    call = Call(api.token, f"{URL}/score", {"ply": ply, "box": box})
    return call, Entry(find(SHEET).index[box])


def moves(api: Api, view: dict[str, Any]) -> list[tuple[Call, Action]]:
    """Three different moves at the ply of a game."""
    ply, boxes = view["ply"], legal(view)
    first = [hold(api, ply, 0), hold(api, ply, 1, 2)] if view["rolls_left"] else []
    entries = [enter(api, ply, box) for box in boxes]
    return [*first, *entries, *first, *entries][: 3 if len(first) + len(boxes) >= 3 else 0]


def stored(api: Api) -> bytes:
    """The log as a reader finds it."""
    return log.from_text(api.get(URL).json["log"])


@pytest.mark.parametrize("rounds", ROUNDS)
def test_two_processes_never_make_two_moves_at_one_ply(
    api: Api, racers: Racers, rounds: int
) -> None:
    player, finished = api.signed(), 0
    for _ in range(rounds):
        view = rolled(player)
        candidates = moves(player, view)
        if not candidates:  # the last box is all that is left: finish, and begin another game
            play(player, ruleset=SHEET)
            player, finished = api.signed(), finished + 1
            view = rolled(player)
            candidates = moves(player, view)
        before = stored(player)
        answers = racers.race([call for call, _ in candidates])
        assert sorted(answer.status for answer in answers) == [200, 409, 409]
        won = next(i for i, answer in enumerate(answers) if answer.status == 200)
        after = stored(player)
        assert after == before + bytes([log.encode(candidates[won][1])])
        for answer in answers:
            seen = answer.json if answer.status == 200 else answer.json["game"]
            assert log.from_text(seen["log"]) == after
    assert api.get(board(ruleset=SHEET)).json["finished"] == finished


@pytest.mark.parametrize("rounds", ROUNDS)
def test_an_acknowledged_move_is_never_lost(api: Api, racers: Racers, rounds: int) -> None:
    players = [api.signed() for _ in range(3)]
    for _ in range(rounds):
        views = [rolled(player) for player in players]
        if any(view["finished"] for view in views):
            players = [api.signed() for _ in range(3)]
            views = [rolled(player) for player in players]
        sent = [
            enter(player, view["ply"], legal(view)[0])
            for player, view in zip(players, views, strict=True)
        ]
        answers = racers.race([call for call, _ in sent])
        for player, view, answer, (_, action) in zip(players, views, answers, sent, strict=True):
            assert answer.status == 200
            assert stored(player) == log.from_text(view["log"]) + bytes([log.encode(action)])


@pytest.mark.parametrize("rounds", ROUNDS)
def test_a_double_click_makes_one_move(api: Api, racers: Racers, rounds: int) -> None:
    player = api.signed()
    for _ in range(rounds):
        view = rolled(player)
        if view["finished"]:
            player = api.signed()
            view = rolled(player)
        call, action = enter(player, view["ply"], legal(view)[-1])
        answers = racers.race([call, call, call])
        assert [answer.status for answer in answers] == [200, 200, 200]
        assert answers[0].json == answers[1].json == answers[2].json
        assert stored(player) == log.from_text(view["log"]) + bytes([log.encode(action)])


@pytest.mark.parametrize("rounds", ROUNDS)
def test_racing_to_finish_puts_one_entry_on_the_board(
    api: Api, racers: Racers, rounds: int
) -> None:
    for count in range(1, rounds + 1):
        player = api.signed()
        play(player, ruleset=SHEET, turns=find(SHEET).rounds - 1, pick=count % 5)
        view = rolled(player)
        (box,) = legal(view)
        last, _ = enter(player, view["ply"], box)
        again, _ = hold(player, view["ply"], 0)
        answers = racers.race([last, last, again])
        assert answers[0].status == answers[1].status
        assert {answer.status for answer in answers} == {200, 409}
        play(player, ruleset=SHEET)
        assert player.get(URL).json["finished"]
        assert api.get(board(ruleset=SHEET, tail="distribution")).json["players"] == count
        page = player.get(board(ruleset=SHEET, tail="leaderboard?around=me&limit=100")).json
        assert page["players"] == count
        assert [entry["player"] for entry in page["entries"]].count(player.player) == 1
        assert page["me"]["score"] == player.get(URL).json["total"]


@pytest.mark.parametrize("rounds", ROUNDS)
def test_racing_to_begin_begins_one_game(api: Api, racers: Racers, rounds: int) -> None:
    for count in range(1, rounds + 1):
        player = api.signed()
        assert player.token
        answers = racers.race([Call(player.token, URL)] * 3)
        assert sorted(answer.status for answer in answers) == [200, 200, 201]
        assert answers[0].json == answers[1].json == answers[2].json
        assert api.get(board(ruleset=SHEET)).json["started"] == count


def test_racing_to_open_a_board_opens_it_once(api: Api, racers: Racers) -> None:
    players = [api.signed() for _ in range(3)]
    for sheet in ("yacht", "yams", "yatzy", "maxi-yatzy"):
        calls = [Call(player.token or "", game(ruleset=sheet)) for player in players]
        assert [answer.status for answer in racers.race(calls)] == [201, 201, 201]
        assert api.get(board(ruleset=sheet)).json["started"] == 3


def test_threads_of_one_process_deal_the_same_dice(app: Flask) -> None:
    players = [Api(app.test_client(use_cookies=False)).signed() for _ in range(8)]
    with ThreadPoolExecutor(len(players)) as pool:
        views = list(pool.map(lambda player: play(player, ruleset="yacht-triple"), players))
    assert len({view["log"] for view in views}) == 1
    assert len({view["total"] for view in views}) == 1
    assert [view["finished"] for view in views] == [True] * 8
    page = players[0].get(board(ruleset="yacht-triple", tail="leaderboard")).json
    assert [entry["rank"] for entry in page["entries"]] == [1] * 8
