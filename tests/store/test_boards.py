"""Boards of one shard and of several give the same ranks, pages and histograms."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from challenge.daily import ranking
from challenge.daily.calendar import Instants
from challenge.store.boards import Row
from challenge.store.keys import BoardId
from challenge.store.notes import Note

BOARD = BoardId(date(2026, 11, 30), "yacht")
LAST = 64 | 0
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
NOTE = Note(1, "f" * 64, "c" * 64, 3, Instants(NOON, NOON + timedelta(1), NOON + timedelta(2)))
SHARDS = [1, 3]


def player_of(number: int) -> str:
    """An id; their order is the numbers'."""
    return f"player{number:016}"


def fill(store, shards: int, players: int, spread: int) -> list[Row]:
    """Finished games straight through the move script; the rows in their order."""
    rnd = random.Random(shards)
    rows = []
    for number in rnd.sample(range(1000), players):
        player, score = player_of(number), rnd.randrange(spread)
        finish(store, shards, player, score)
        rows.append(Row(player, score))
    return sorted(rows, key=lambda row: (-row.score, row.player))


def finish(store, shards: int, player: str, score: int) -> None:
    """A game of one entry, counted."""
    store.games.begin(BOARD, shards, player)
    outcome = store.games.move(BOARD, shards, player, ply=0, action=LAST, final=score, counts=True)
    assert outcome.status == "counted"


@pytest.mark.parametrize("shards", SHARDS)
@pytest.mark.parametrize("spread", [1, 5, 300])
def test_pages_never_repeat_or_skip_a_player(store, shards, spread):
    rows = fill(store, shards, 57, spread)
    paged = []
    for offset in range(0, 60, 7):
        page, histogram = store.boards.page(BOARD, shards, offset, 7)
        paged += page
        assert sum(histogram.values()) == 57
    assert paged == rows


@pytest.mark.parametrize("shards", SHARDS)
@pytest.mark.parametrize("spread", [1, 5, 300])
def test_around_a_player_lie_the_rows_beside_it(store, shards, spread):
    rows = fill(store, shards, 40, spread)
    for at, row in enumerate(rows):
        offset, page = store.boards.around(BOARD, shards, row.player, row.score, 9)
        assert offset == max(0, at - 4)
        assert page == rows[offset : offset + 9]
        assert store.boards.position(BOARD, shards, row.player, row.score) == at


@pytest.mark.parametrize("shards", SHARDS)
def test_around_a_player_lies_a_page_though_somebody_before_it_is_erased_meanwhile(
    store, shards, monkeypatch
):
    rows = fill(store, shards, 40, 300)
    client, row = store.link.redis, rows[20]
    begin_step = client.pipeline

    def step_after_an_erasure(*args, **options):
        first = rows[0]
        store.games.erase(BOARD, shards, first.player, score=None, mark="mark")
        return begin_step(*args, **options)

    monkeypatch.setattr(client, "pipeline", step_after_an_erasure)
    _, page = store.boards.around(BOARD, shards, row.player, row.score, 9)
    assert len(page) == 9
    assert row in page


@pytest.mark.parametrize("shards", SHARDS)
def test_histogram_numbers_and_scores_agree(store, shards):
    rows = fill(store, shards, 30, 12)
    histogram = store.boards.histogram(BOARD, shards)
    assert histogram == {s: sum(r.score == s for r in rows) for s in {r.score for r in rows}}
    (numbers,) = store.boards.numbers([(BOARD, shards)])
    assert (numbers.started, numbers.finished) == (30, 30)
    assert ranking.standing(histogram, rows[0].score).rank == 1
    assert all(store.boards.score_of(BOARD, shards, row.player) == row.score for row in rows)
    assert store.boards.score_of(BOARD, shards, "nobody") is None


@pytest.mark.parametrize("shards", [1, 3, 16])
def test_whatever_comes_and_goes_ranks_are_those_of_a_plain_list(store, shards):
    """Against the definition: sorted by score, then by id; a rank counts who is better."""
    rnd = random.Random(7 * shards)
    model: dict[str, int] = {}
    for number in range(45):
        player, score = player_of(rnd.randrange(10**6)), rnd.choice([0, 7, 7, 50, 300])
        if player not in model:
            finish(store, shards, player, score)
            model[player] = score
        if number % 5 == 4:
            gone = rnd.choice(sorted(model))
            mark = store.players.erased_mark(gone, BOARD)
            store.games.erase(BOARD, shards, gone, score=model.pop(gone), mark=mark)
    rows = [Row(p, s) for p, s in sorted(model.items(), key=lambda item: (-item[1], item[0]))]
    page, histogram = store.boards.page(BOARD, shards, 0, 100)
    assert page == rows
    assert histogram == Counter(model.values())
    for at, row in enumerate(rows):
        standing = ranking.standing(histogram, row.score)
        assert standing.rank == 1 + sum(other.score > row.score for other in rows)
        assert store.boards.position(BOARD, shards, row.player, row.score) == at


@pytest.mark.parametrize("shards", SHARDS)
def test_a_board_opens_with_one_note_and_closes_for_good(store, shards):
    noted = replace(NOTE, shards=shards)
    assert store.boards.notes([BOARD]) == [None]
    assert store.boards.open(BOARD, noted) == noted
    assert store.boards.open(BOARD, replace(noted, fingerprint="0" * 64)) == noted
    assert store.boards.live() == [BOARD]
    store.boards.close(BOARD, shards, b"s" * 32)
    assert store.boards.notes([BOARD]) == [replace(noted, seed=b"s" * 32, closed=True)]
    store.games.begin(BOARD, shards, "mia")
    late = store.games.move(BOARD, shards, "mia", ply=0, action=LAST, final=9, counts=True)
    assert (late.status, late.closed) == ("done", True)
    assert store.boards.histogram(BOARD, shards) == {}
    store.boards.retire(BOARD)
    assert store.boards.live() == []


@pytest.mark.parametrize("shards", SHARDS)
def test_who_closes_a_board_late_leaves_it_compacted(store, shards):
    store.boards.open(BOARD, replace(NOTE, shards=shards))
    store.compaction.mark(BOARD, shards)
    store.boards.close(BOARD, shards, b"s" * 32)
    assert store.games.begin(BOARD, shards, "mia") is None


@pytest.mark.parametrize("shards", SHARDS)
def test_every_finish_waits_to_be_settled_until_it_is(store, shards):
    store.boards.open(BOARD, replace(NOTE, shards=shards))
    rows = fill(store, shards, 12, 50)
    found = store.boards.unsettled(BOARD, shards, 100)
    assert sorted(found, key=lambda row: row.player) == sorted(rows, key=lambda row: row.player)
    assert store.boards.unsettled_of(rows[3].player) == [BOARD]
    store.players.settle(BOARD, rows[:4])
    store.boards.settled(BOARD, shards, [row.player for row in rows[:4]])
    assert len(store.boards.unsettled(BOARD, shards, 100)) == 8
    assert store.boards.unsettled_of(rows[3].player) == []
    assert store.players.record(rows[3].player) == {BOARD: rows[3].score}


def test_boards_of_many_days_are_read_in_one_go(store):
    boards = [BoardId(date(2026, 11, day), "yatzy") for day in range(1, 29)]
    for board in boards[::2]:
        store.boards.open(board, NOTE)
    found = store.boards.notes(boards)
    assert [note is not None for note in found] == [True, False] * 14
    assert store.boards.notes([]) == []
