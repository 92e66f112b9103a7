"""The worker: opens today's boards, closes those whose time has come, settles finishes,
finishes erasures, compacts old boards.

All of it is idempotent and also done by the web processes where a request comes first;
several workers may run side by side.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from threading import Event

from challenge.errors import BoardRefused, StoreUnavailable, UnknownRuleset
from challenge.service.compacting import Compacting
from challenge.service.days import Days
from challenge.service.erasure import Erasure
from challenge.service.settling import settle
from challenge.store.keys import BoardId
from challenge.store.store import Store

PAUSE = 1.0  # seconds between two rounds
BATCH = 500  # finishes settled at once
BATCHES = 20  # and how often for one board, before the others have their turn

log = logging.getLogger("challenge.worker")


def _nothing(_boards: Sequence[BoardId]) -> None:
    """Nothing is done beside the rounds."""


class Worker:
    """Keeps the boards in order; ``clock`` gives the time, aware."""

    def __init__(
        self,
        store: Store,
        days: Days,
        erasure: Erasure,
        compacting: Compacting,
        clock: Callable[[], datetime],
    ) -> None:
        self._store = store
        self._boards = store.boards
        self._days = days
        self._erasure = erasure
        self._compacting = compacting
        self._figures = store.figures
        self._clock = clock
        self._refused: set[BoardId] = set()

    def run(self, stop: Event, after: Callable[[Sequence[BoardId]], None] = _nothing) -> None:
        """Rounds until ``stop`` is set; a store that does not answer is waited for.

        ``after`` is called after each round with the boards it looked at; it must not wait.
        """
        away = False
        while not stop.is_set():
            try:
                after(self.round())
                away = False
            except StoreUnavailable as error:
                if not away:
                    log.warning("%s", error)
                away = True
            stop.wait(PAUSE)

    def round(self) -> list[BoardId]:
        """One round over all boards that are not closed and settled; which ones they were.

        A board that is out of reach holds up none that lies on another server, and no erasure.

        Raises:
            StoreUnavailable: Redis does not answer; the next round goes on.
        """
        now = self._clock()
        away = [self._open(now)]
        live = self._boards.live()
        away += [self._kept(id, now) for id in live]
        self._erasure.resume()
        self._compacting.round(now)
        for error in filter(None, away):
            raise error
        self._figures.note_round(now)
        return live

    def _open(self, now: datetime) -> StoreUnavailable | None:
        """Opens today's boards; what went wrong with the store, if anything."""
        try:
            for id in self._days.open_today(now):
                log.info("opened %s", id)
        except BoardRefused as error:
            self._report(BoardId(error.day, error.ruleset), error)
        except StoreUnavailable as error:
            return error
        return None

    def _kept(self, id: BoardId, now: datetime) -> StoreUnavailable | None:
        """Keeps one board in order; what went wrong with the store, if anything."""
        try:
            self._keep(id, now)
        except (BoardRefused, UnknownRuleset) as error:
            self._report(id, error)
        except StoreUnavailable as error:
            return error
        return None

    def _keep(self, id: BoardId, now: datetime) -> None:
        board = self._days.close_if_due(id, now)
        for _ in range(BATCHES):
            # Not by their number: of a whole batch some may have been erased since it was read.
            if not settle(self._store, board, BATCH):
                break
        else:
            return  # the next round goes on
        if board.note.closed:
            log.info("closed %s", id)
            self._boards.retire(id)

    def _report(self, id: BoardId, error: BoardRefused | UnknownRuleset) -> None:
        if id not in self._refused:
            log.error("%s", error)
        self._refused.add(id)
