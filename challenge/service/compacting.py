"""Compacting: boards some days after their close keep what figures need, and no games.

Histogram, numbers, the best 1000 and every player's own score stay; games and what was worked
out about them go, for good. It can break off anywhere and be repeated.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import islice

from challenge.daily.calendar import FIRST_DAY
from challenge.errors import BoardRefused
from challenge.game import rulesets
from challenge.service.days import Board, Days
from challenge.service.settling import settle
from challenge.store.keys import BoardId
from challenge.store.store import Store

NOTES = 2400  # boards looked at in one round of the worker: a hundred days
STEPS = 20  # batches of one round
SETTLED = 500  # finishes settled at once
REST = timedelta(minutes=10)  # where nothing is due
LONGEST_DAY = timedelta(days=3)  # from the date of a board to its close, in any zone

log = logging.getLogger("challenge.worker")


class Compacting:
    """Compacts boards ``after`` days after their close; 0: the worker does nothing."""

    def __init__(self, store: Store, days: Days, after: int) -> None:
        self._store = store
        self._compaction = store.compaction
        self._days = days
        self._after = after
        self._next = FIRST_DAY  # every board before that day is done
        self._work: Iterator[int] = iter(())
        self._marked: list[BoardId] = []
        self._rests_until: datetime | None = None

    # -- the worker's part ------------------------------------------------------------------

    def round(self, now: datetime) -> None:
        """A bounded piece of the work; the next round goes on.

        A board is marked in one round and swept from the next on: who read its note before
        the mark has answered by then.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        if not self._after or (self._rests_until is not None and now < self._rests_until):
            return
        if sum(1 for _ in islice(self._work, STEPS)) == STEPS:
            return
        marked, self._marked = self._marked, []
        if marked:
            self._work = (step for id in marked for step in self.sweep(id, now))
        else:
            self._look(now)

    def _look(self, now: datetime) -> None:
        """Marks what is due on the next days; past days with nothing left are not met again."""
        last = (now - timedelta(days=self._after)).date()
        until = min(last, self._next + timedelta(days=NOTES // len(rulesets.RULESETS) - 1))
        for board in self.due(self._next, until, self._after, now):
            self.mark(board, now)
            self._marked.append(board.id)
        if self._marked:
            return
        self._next = max(self._next, min(until + timedelta(days=1), last - LONGEST_DAY))
        self._rests_until = now + REST if until == last else None

    # -- both -------------------------------------------------------------------------------

    def due(self, first: date, last: date, after: int, now: datetime) -> Iterator[Board]:
        """Boards of these days, oldest first, whose compaction is due and not done.

        Looking changes nothing.
        """
        for ids in _batches(first, last):
            for id, note in zip(ids, self._store.boards.notes(ids), strict=True):
                if note is None or note.swept:
                    continue
                if now >= note.instants.closes_at + timedelta(days=after):
                    with suppress(BoardRefused):
                        yield self._days.glance([id])[0]

    def count(self, board: Board) -> int:
        """Games and places of its list that a board would lose, or has yet to."""
        return self._compaction.count(board.id, board.note.shards)

    def mark(self, board: Board, now: datetime) -> None:
        """Closes the board, settles what is left and marks it: from then on its games are gone.

        Raises:
            StoreUnavailable: Redis does not answer; calling it again goes on.
        """
        board = self._days.close_if_due(board.id, now)
        while settle(self._store, board, SETTLED):
            pass
        self._compaction.mark(board.id, board.note.shards)

    def sweep(self, id: BoardId, now: datetime) -> Iterator[int]:
        """Takes the games of a marked board away, and what is cut off its list.

        Yields how many went after each batch, so that the caller may pause or stop; what is
        left then goes with the next sweep.

        Raises:
            StoreUnavailable: Redis does not answer; calling it again goes on.
        """
        board = self._days.close_if_due(id, now)
        shards = id.shards(board.note.shards)
        for shard in shards:
            for count, unscored in self._compaction.drop_games(shard):
                self._store.players.unplayed(unscored, id)
                yield count
        kept = self._compaction.kept(id, len(shards))
        for shard, most in zip(shards, kept, strict=True):
            while rows := self._compaction.beyond(shard, most):
                self._store.players.settle(id, rows)  # the record is all that has them now
                self._compaction.cut(shard, rows)
                yield len(rows)
        self._compaction.swept(id, len(shards))
        log.info("compacted %s", id)


def _batches(first: date, last: date) -> Iterator[Sequence[BoardId]]:
    days = (first + timedelta(days=n) for n in range((last - first).days + 1))
    ids = (BoardId(day, sheet.id) for day in days for sheet in rulesets.RULESETS)
    while batch := list(islice(ids, NOTES)):
        yield batch
