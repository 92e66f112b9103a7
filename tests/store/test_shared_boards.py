"""What is read over many boards and players at once, whatever the topology and the shards."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest

from challenge.daily.fairplay import SCOUTS, Evidence
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from tests.store.test_boards import LAST, NOTE

DAYS = [BoardId(date(2026, 11, 1) + timedelta(day), "yacht") for day in range(10)]
FRIENDS = ["ada", "eve", "mia", "zoe"]
SHARDS = [1, 3]


def finish(store, board, shards, player, score):
    """A game of one entry, counted."""
    store.games.begin(board, shards, player)
    store.games.move(board, shards, player, ply=0, action=LAST, final=score, counts=True)


@pytest.mark.parametrize("shards", SHARDS)
def test_a_circle_is_read_over_many_boards_in_one_go(store, shards):
    for at, board in enumerate(DAYS):
        finish(store, board, shards, "ada", at)
        finish(store, board, shards, "stranger", 99)
        store.games.begin(board, shards, "zoe")
    asked = [(board, replace(NOTE, shards=shards)) for board in DAYS]
    assert store.circles.begun(asked, FRIENDS) == [{"ada", "zoe"}] * len(DAYS)
    found = store.circles.scores(asked, FRIENDS)
    assert [each.of for each in found] == [{"ada": at} for at in range(len(DAYS))]
    assert [each.histogram for each in found] == [{at: 1, 99: 1} for at in range(len(DAYS))]


@pytest.mark.parametrize("shards", SHARDS)
def test_evidence_is_worked_out_once_a_game_and_goes_with_it(store, shards):
    board, width = DAYS[0], (DAYS[0], shards)
    for at, player in enumerate(FRIENDS):
        finish(store, board, shards, player, at)
    assert store.evidences.waiting([width]) == [4]
    assert dict(store.evidences.logs(board, shards)) == dict.fromkeys(FRIENDS, bytes((LAST,)))
    found = Evidence(3, 1.5, 0.25, (0.5,) * len(SCOUTS))
    store.evidences.write(board, shards, "ada", found, apart=True)
    store.evidences.write(board, shards, "nobody", found, apart=True)
    assert store.evidences.read([width], FRIENDS) == [{"ada": found}]
    assert store.evidences.apart(board, shards) == {"ada"}
    assert store.evidences.waiting([width]) == [3]
    assert "ada" not in dict(store.evidences.logs(board, shards))
    mark = store.players.erased_mark("ada", board)
    store.games.erase(board, shards, "ada", score=0, mark=mark)
    assert store.evidences.apart(board, shards) == frozenset()


def test_insights_of_many_boards_are_read_in_one_go(store):
    known = Known(300, bytes((64, 3)), {"sharp": bytes((64, 2))})
    store.insights.write(DAYS[3], known)
    store.insights.write(DAYS[4], Known())
    found = store.insights.read(DAYS)
    assert found[3] == known
    assert found[4] == found[0] == Known()
