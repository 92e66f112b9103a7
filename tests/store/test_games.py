"""Games: one byte a move, never twice, whatever the topology."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.store.games import Stored
from challenge.store.keys import BoardId
from tests.at_once import at_once

BOARD, OTHER = BoardId(date(2026, 11, 30), "yacht"), BoardId(date(2026, 11, 29), "yatzy")
ROLL, LAST = 64, 3
SHARDS = [1, 3]


@pytest.mark.parametrize("shards", SHARDS)
def test_a_game_begins_once_and_takes_each_move_once(store, shards):
    games = store.games
    assert games.read(BOARD, shards, "mia") == Stored(None, False, None)
    assert games.begin(BOARD, shards, "mia") == (True, b"")
    assert games.begin(BOARD, shards, "mia") == (False, b"")
    move = {"final": None, "counts": True}
    assert games.move(BOARD, shards, "mia", ply=0, action=ROLL, **move).status == "done"
    assert games.move(BOARD, shards, "mia", ply=0, action=ROLL, **move).status == "same"
    assert games.move(BOARD, shards, "mia", ply=0, action=LAST, **move).status == "conflict"
    assert games.move(BOARD, shards, "mia", ply=5, action=ROLL, **move).status == "conflict"
    assert games.move(BOARD, shards, "ada", ply=0, action=ROLL, **move).status == "missing"
    assert games.read_log(BOARD, shards, "mia") == (bytes((ROLL,)), 0)
    assert games.read_log(BOARD, shards, "ada") == (None, 0)


@pytest.mark.parametrize("shards", SHARDS)
def test_a_score_goes_on_the_board_once_and_never_after_the_closing(store, shards):
    for player in ("ada", "mia"):
        store.games.begin(BOARD, shards, player)
    move = {"ply": 0, "action": LAST, "final": 0, "counts": True}
    first = store.games.move(BOARD, shards, "ada", **move)
    assert (first.status, first.histogram) == ("counted", {0: 1})
    assert store.games.move(BOARD, shards, "ada", **move).status == "same"
    assert store.boards.histogram(BOARD, shards) == {0: 1}
    store.boards.close(BOARD, shards, bytes(32))
    late = store.games.move(BOARD, shards, "mia", **move)
    assert (late.status, late.closed) == ("done", True)
    assert store.boards.histogram(BOARD, shards) == {0: 1}
    assert store.games.read(BOARD, shards, "mia") == Stored(bytes((LAST,)), True, None)


def test_by_the_callers_clock_alone_a_late_score_does_not_count(store):
    store.games.begin(BOARD, 1, "mia")
    late = store.games.move(BOARD, 1, "mia", ply=0, action=LAST, final=5, counts=False)
    assert late.status == "done"
    assert store.boards.histogram(BOARD, 1) == {}


def test_games_on_several_boards_are_read_in_one_go(store):
    store.games.begin(OTHER, 3, "mia")
    found = store.games.read_many([(BOARD, 1), (OTHER, 3)], "mia")
    assert found == [Stored(None, False, None), Stored(b"", False, None)]
    assert store.games.read_many([], "mia") == []


@pytest.mark.parametrize("shards", SHARDS)
def test_an_erased_game_leaves_nothing_on_its_board(store, shards):
    store.games.begin(BOARD, shards, "mia")
    store.games.move(BOARD, shards, "mia", ply=0, action=LAST, final=7, counts=True)
    mark = store.players.erased_mark("mia", BOARD)
    for _ in range(2):
        store.games.erase(BOARD, shards, "mia", score=7, mark=mark)
    assert store.games.read(BOARD, shards, "mia") == Stored(None, False, None)
    assert store.boards.page(BOARD, shards, 0, 10) == ([], {})
    assert store.boards.unsettled(BOARD, shards, 10) == []


@pytest.mark.usefixtures("topology")
def test_scripts_lost_by_every_server_are_sent_again(store, topology):
    store.games.begin(BOARD, 3, "mia")
    for server in topology.masters():
        server.client.script_flush()
    assert store.games.begin(BOARD, 3, "mia") == (False, b"")


def test_of_many_threads_at_one_ply_one_moves(store):
    store.games.begin(BOARD, 3, "mia")

    def move(action: int) -> str:
        return store.games.move(
            BOARD, 3, "mia", ply=0, action=action, final=None, counts=True
        ).status

    assert sorted(at_once(8, move)) == ["conflict"] * 7 + ["done"]
