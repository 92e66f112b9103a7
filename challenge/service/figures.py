"""The figures of the whole service, read from the store when somebody looks."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from challenge.store.boards import Note
from challenge.store.keys import BoardId
from challenge.store.store import Store

State = Literal["open", "closing", "overdue", "closed"]
Stage = Literal["started", "finished"]

STATES: tuple[State, ...] = ("open", "closing", "overdue", "closed")
"""Of a live board: overdue is one that should be closed and is not, closed one not settled yet."""

BOARDS_AT_MOST = 200  # looked at, the newest; more wait only where no worker is at work
SHARDS_AT_MOST = 4096  # of all of them, which bounds what one look asks of Redis


@dataclass(slots=True)
class Figures:
    """One look; ``players`` counts games by sheet, state and stage, ``round_age`` is in seconds.

    ``round_age`` is None where no worker has ever finished a round.
    """

    boards: Counter[State] = field(default_factory=Counter)
    players: Counter[tuple[str, State, Stage]] = field(default_factory=Counter)
    unsettled: int = 0
    erasing: int = 0
    round_age: float | None = None


class Watch:
    """Looks at everything that waits or fills up."""

    def __init__(self, store: Store) -> None:
        self._boards = store.boards
        self._figures = store.figures

    def look(self, now: datetime) -> Figures:
        """The figures at ``now``, in five round trips whatever there is.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        found = Figures(erasing=self._figures.erasing())
        last = self._figures.last_round()
        if last is not None:
            found.round_age = max(0.0, (now - last).total_seconds())
        boards = self._noted()
        counted = self._figures.counts((id, note.shards) for id, note in boards)
        for (id, note), counts in zip(boards, counted, strict=True):
            state = _state(note, now)
            found.boards[state] += 1
            found.players[id.ruleset, state, "started"] += counts.started
            found.players[id.ruleset, state, "finished"] += counts.finished
            found.unsettled += counts.unsettled
        return found

    def _noted(self) -> list[tuple[BoardId, Note]]:
        """Live boards with their notes, newest first, as many as may be looked at."""
        live = self._boards.live()[-BOARDS_AT_MOST:][::-1]
        notes = self._boards.notes(live) if live else []
        noted, shards = [], 0
        for id, note in zip(live, notes, strict=True):
            shards += note.shards if note is not None else 0
            if note is not None and shards <= SHARDS_AT_MOST:
                noted.append((id, note))
        return noted


def _state(note: Note, now: datetime) -> State:
    if note.closed:
        return "closed"
    if now >= note.instants.closes_at:
        return "overdue"
    return "closing" if now >= note.instants.rolls_over_at else "open"
