"""Which throw may go into which box of which kind of card, and what comes of it.

A *kind* is one representative card; :mod:`challenge.solver.model` says which fills share
one. Each row here is what the game's own functions answered for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from challenge.game.dice import FACES, Dice, all_equal
from challenge.game.scorecard import Scorecard, column_totals, enter, placement
from challenge.solver.outcomes import Ints, Outcomes


class Entry(NamedTuple):
    """One entry: points won (extra bonus included), rise of the upper sum, the next note."""

    points: int
    rise: int
    note: int


class Entries(NamedTuple):
    """All entries as arrays, for throws made with the first roll or for later ones.

    Throws that are not all equal: box ``b`` of a card of kind ``k`` has the outcomes
    ``start[k * boxes + b]`` up to the next start, the one most throws lead to first;
    outcome ``o`` is the :class:`Entry` ``outcomes[o]`` of the throws
    ``throws[throws_start[o]:throws_start[o + 1]]``. A pair of throw and box that appears
    nowhere is illegal.

    Throws all equal: ``equal[k, b]`` is the entry, of kinds counted separately (they include
    the face); its points are -1 where the box is barred.
    """

    start: Ints
    outcomes: Ints
    throws_start: Ints
    throws: Ints
    equal: Ints


NoteOf = Callable[[Scorecard], int]


class EntryTable:
    """Collects the rows of each kind as they are first met.

    ``note_of`` numbers the note of a card. ``served`` says whether the throws are first
    rolls of their turn.
    """

    def __init__(self, dice: Outcomes, boxes: int, note_of: NoteOf, *, served: bool) -> None:
        self._throws = list(enumerate(dice.throws))
        self._boxes = boxes
        self._note_of = note_of
        self._served = served
        self.mixed: list[list[dict[Entry, list[int]]]] = []
        self.equal: list[dict[int, Entry]] = []

    def add(self, card: Scorecard, face: int) -> None:
        """A kind for the all-equal throw of ``face``, or for all mixed throws (face 0)."""
        if face:
            self.equal.append(dict(self._entries(card, (face,) * len(self._throws[0][1]))))
            return
        row: list[dict[Entry, list[int]]] = [defaultdict(list) for _ in range(self._boxes)]
        for number, throw in self._throws:
            if not all_equal(throw):
                for box, entry in self._entries(card, throw):
                    row[box][entry].append(number)
        self.mixed.append(row)

    def next_notes(self, kind: int, face: int) -> Iterator[tuple[int, int]]:
        """(box, next note) of every entry of a kind, repeated as they come."""
        if face:
            yield from ((box, entry.note) for box, entry in self.equal[kind].items())
        else:
            for box, outcomes in enumerate(self.mixed[kind]):
                yield from ((box, entry.note) for entry in outcomes)

    def rises(self, box: int) -> frozenset[int]:
        """What an entry into the box can add to the upper sum."""
        mixed = {entry.rise for row in self.mixed for entry in row[box]}
        return frozenset(mixed | {row[box].rise for row in self.equal if box in row})

    def arrays(self) -> Entries:
        """All rows packed."""
        boxes = [
            sorted(box.items(), key=lambda item: -len(item[1])) for row in self.mixed for box in row
        ]
        flat = [(entry, throws) for box in boxes for entry, throws in box]
        equal = np.full((len(self.equal), self._boxes, len(Entry._fields)), -1, np.int32)
        for kind, row in enumerate(self.equal):
            for box, entry in row.items():
                equal[kind, box] = entry
        return Entries(
            _starts([len(box) for box in boxes]),
            np.array([entry for entry, _ in flat], np.int32),
            _starts([len(throws) for _, throws in flat]),
            np.array([throw for _, throws in flat for throw in throws], np.int32),
            equal,
        )

    def _entries(self, card: Scorecard, throw: Dice) -> Iterator[tuple[int, Entry]]:
        placed = placement(card, throw, self._served)
        (before,) = column_totals(card)
        for box in range(self._boxes):
            if placed.legal >> box & 1:
                after_card = enter(card, box, throw, placed)
                (after,) = column_totals(after_card)
                points = after.boxes + after.extras - before.boxes - before.extras
                yield box, Entry(points, after.upper - before.upper, self._note_of(after_card))


def _starts(lengths: list[int]) -> Ints:
    return np.cumsum([0, *lengths], dtype=np.int32)


def equal_throws(dice: Outcomes) -> Ints:
    """Face - 1 -> the number of its all-equal throw."""
    return np.array([dice.throw_of((face,) * dice.dice) for face in FACES], np.int32)
