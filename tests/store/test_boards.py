"""Boards of one shard and of several give the same ranks, pages and histograms."""

from __future__ import annotations

import random
from datetime import date

import pytest

from challenge.daily import ranking
from challenge.store.boards import Row
from challenge.store.keys import BoardId

BOARD = BoardId(date(2026, 11, 30), "yacht")
LAST = 64 | 0


def fill(services, valkey, shards: int, players: int, spread: int) -> list[Row]:
    """Finished games straight through the move script; the rows in their order."""
    rnd = random.Random(shards)
    rows = []
    for _ in range(players):
        player, score = services.players.new_id(), rnd.randrange(spread)
        services.store.games.begin(BOARD, shards, player)
        outcome = services.store.games.move(
            BOARD, shards, player, ply=0, action=LAST, final=score, counts=True
        )
        assert outcome.status == "counted"
        rows.append(Row(player, score))
    return sorted(rows, key=lambda row: (-row.score, row.player))


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("spread", [1, 5, 300])
def test_pages_never_repeat_or_skip_a_player(services, valkey, shards, spread):
    rows = fill(services, valkey, shards, 57, spread)
    paged = []
    for offset in range(0, 60, 7):
        page, histogram = services.store.boards.page(BOARD, shards, offset, 7)
        paged += page
        assert sum(histogram.values()) == 57
    assert paged == rows


@pytest.mark.parametrize("shards", [1, 3])
@pytest.mark.parametrize("spread", [1, 5, 300])
def test_around_a_player_lie_the_rows_beside_it(services, valkey, shards, spread):
    rows = fill(services, valkey, shards, 40, spread)
    for at, row in enumerate(rows):
        offset, page = services.store.boards.around(BOARD, shards, row.player, row.score, 9)
        assert offset == max(0, at - 4)
        assert page == rows[offset : offset + 9]
        assert services.store.boards.position(BOARD, shards, row.player, row.score) == at


@pytest.mark.parametrize("shards", [1, 3])
def test_histogram_numbers_and_scores_agree(services, valkey, shards):
    rows = fill(services, valkey, shards, 30, 12)
    histogram = services.store.boards.histogram(BOARD, shards)
    assert histogram == {s: sum(r.score == s for r in rows) for s in {r.score for r in rows}}
    (numbers,) = services.store.boards.numbers([(BOARD, shards)])
    assert (numbers.started, numbers.finished) == (30, 30)
    assert ranking.standing(histogram, rows[0].score).rank == 1
    assert all(
        services.store.boards.score_of(BOARD, shards, row.player) == row.score for row in rows
    )


def test_a_score_goes_on_the_board_once_and_never_after_the_closing(services, valkey):
    games, boards = services.store.games, services.store.boards
    for player in ("A" * 22, "B" * 22):
        games.begin(BOARD, 1, player)
    move = {"ply": 0, "action": LAST, "final": 0, "counts": True}
    assert games.move(BOARD, 1, "A" * 22, **move).status == "counted"
    assert games.move(BOARD, 1, "A" * 22, **move).status == "same"
    assert boards.histogram(BOARD, 1) == {0: 1}
    boards.close(BOARD, 1, bytes(32))
    late = games.move(BOARD, 1, "B" * 22, **move)
    assert (late.status, late.closed) == ("done", True)
    assert boards.histogram(BOARD, 1) == {0: 1}
    assert games.read(BOARD, 1, "B" * 22).log == bytes((LAST,))


def test_by_the_callers_clock_alone_a_late_score_does_not_count(services, valkey):
    services.store.games.begin(BOARD, 1, "A" * 22)
    outcome = services.store.games.move(
        BOARD, 1, "A" * 22, ply=0, action=LAST, final=5, counts=False
    )
    assert outcome.status == "done"
    assert services.store.boards.histogram(BOARD, 1) == {}


def test_scripts_lost_by_the_server_are_loaded_again(services, valkey):
    services.store.games.begin(BOARD, 1, "A" * 22)
    valkey.script_flush()
    assert services.store.games.begin(BOARD, 1, "A" * 22) == (False, b"")
