"""A board as the services see it: its note, its sheet and its dice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from challenge.daily import calendar
from challenge.game.ruleset import Ruleset
from challenge.game.stream import Stream
from challenge.service.views.base import State
from challenge.store.keys import BoardId
from challenge.store.notes import Note


@dataclass(frozen=True, slots=True)
class Board:
    """A board, opened or not: its note, its sheet and its dice.

    Before it opened the note is what the settings would make of it now (``opened`` is
    False); from then on what Redis holds.
    """

    id: BoardId
    note: Note
    ruleset: Ruleset
    seed: bytes
    opened: bool

    @property
    def stream(self) -> Stream:
        """The dice of the board, from the first one on."""
        return stream_of(self.ruleset, self.seed)

    @property
    def number(self) -> int:
        """Number of the service day."""
        return calendar.number(self.id.day)

    def state(self, now: datetime) -> State:
        """By the one-way mark first, by the clock else."""
        if self.note.closed or now >= self.note.instants.closes_at:
            return "closed"
        return "closing" if now >= self.note.instants.rolls_over_at else "open"


@lru_cache(maxsize=64)
def stream_of(ruleset: Ruleset, seed: bytes) -> Stream:
    """The dice of a sheet, drawn for a whole game, so that threads only read from then on."""
    stream = Stream(seed)
    stream.values(ruleset.dice * ruleset.rounds * ruleset.rolls_per_turn)
    return stream
