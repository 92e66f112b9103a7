"""Derives the model of a sheet by asking the game what it would do.

No rule stands here. For each kind of card that the placement rules can tell apart one
representative card is filled, and the functions of :mod:`challenge.game.scorecard` say what
each throw may do with it (:mod:`challenge.solver.entries`). The only knowledge added is what
those functions look at, in :func:`challenge.solver.model.watched` and :func:`_closed`;
``tests/solver/test_model.py`` holds it against random games of every sheet.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from challenge.errors import NotSolvable
from challenge.game.dice import FACES
from challenge.game.ruleset import Ruleset
from challenge.game.scorecard import Scorecard, column_totals, filled
from challenge.solver.entries import EntryTable, equal_throws
from challenge.solver.lanes import Lanes, make_lanes
from challenge.solver.model import Fills, Model, Note, Sheet, note_of, watched
from challenge.solver.outcomes import outcomes

MOST_BOXES = 20  # each box more doubles time and memory
USUAL_BOXES = 15
GROUPS = (0, *FACES)  # mixed throws, then the all-equal throw of each face

Masks = npt.NDArray[np.int64]


@cache
def model_of(ruleset: Ruleset) -> Model:
    """The arrays of a sheet, made once a process.

    Raises:
        NotSolvable: the sheet has too many states for exact play.
    """
    refuse_unsolvable(ruleset)
    return _Builder(ruleset).build()


def is_large(ruleset: Ruleset) -> bool:
    """Whether a table of the sheet takes minutes and hundreds of megabytes, not seconds."""
    return len(ruleset.boxes) > USUAL_BOXES and ruleset.order == "free"


def refuse_unsolvable(ruleset: Ruleset) -> None:
    """Does nothing for a sheet that has a table.

    Raises:
        NotSolvable: the sheet has too many states for exact play.
    """
    if ruleset.columns != (1,):
        raise NotSolvable(ruleset.id, "every column multiplies the states by those of the others")
    if ruleset.banked_rolls:
        raise NotSolvable(ruleset.id, "saved rolls multiply the states by the rolls saved so far")
    if len(ruleset.boxes) > MOST_BOXES:
        raise NotSolvable(ruleset.id, f"it has more than {MOST_BOXES} boxes")


def _closed(ruleset: Ruleset, masks: Masks, face: int) -> Masks:
    """The boxes to close on the card that stands for each of these: all others stay open.

    In a fixed order the rules see every box. Else they see the all-equal box, boxes another
    one needs, and, for an all-equal throw, its matching box and whether any lower box is open.
    """
    if ruleset.order == "fixed":
        return masks
    seen = ruleset.yatzy_boxes | sum(1 << box for box in watched(ruleset))
    if not face:
        return masks & seen
    lower = ruleset.lower_boxes
    closed = masks & (seen | ruleset.matching_boxes[face])
    return np.where(masks & lower == lower, closed | lower, closed)


class _Builder:
    """Walks the fills level by level and asks the game about each kind of card it meets."""

    def __init__(self, ruleset: Ruleset) -> None:
        self.ruleset = ruleset
        self.boxes = len(ruleset.boxes)
        self.dice = outcomes(ruleset.dice)
        self.notes: dict[Note, int] = {}
        self.kinds: list[dict[tuple[int, int], int]] = [{} for _ in GROUPS]
        self.count = [0, 0]  # kinds of mixed and of all-equal throws so far
        served = any(category.served is not None for category in ruleset.categories)
        rolls = (False, True) if served else (False,)
        self.tables = [
            EntryTable(self.dice, self.boxes, self._number, served=served) for served in rolls
        ]

    def build(self) -> Model:
        blank = self._number(note_of(filled(self.ruleset, {})))
        codes = np.array([blank << self.boxes])
        levels, kinds = [], []
        for _ in range(self.boxes + 1):
            masks, notes = codes & self.ruleset.all_boxes, codes >> self.boxes
            found = np.stack([self._kinds(masks, notes, face) for face in GROUPS], axis=1)
            levels.append(codes)
            kinds.append(found)
            codes = self._next(masks, notes, found)
        return self._model(levels, np.concatenate(kinds))

    def _number(self, card: Scorecard | Note) -> int:
        note = card if isinstance(card, Note) else note_of(card)
        return self.notes.setdefault(note, len(self.notes))

    def _kinds(self, masks: Masks, notes: Masks, face: int) -> Masks:
        """The kind of each fill for one group of throws; new kinds are asked about."""
        codes, which = np.unique(
            notes << self.boxes | _closed(self.ruleset, masks, face), return_inverse=True
        )
        return np.array([self._kind(int(code), face) for code in codes])[which]

    def _kind(self, code: int, face: int) -> int:
        note, closed = code >> self.boxes, code & self.ruleset.all_boxes
        known = self.kinds[face]
        if (note, closed) not in known:
            known[note, closed] = self.count[face > 0]
            self.count[face > 0] += 1
            card = self._card(closed, list(self.notes)[note])
            for table in self.tables:
                table.add(card, face)
        return known[note, closed]

    def _card(self, closed: int, note: Note) -> Scorecard:
        scores: dict[int, int] = {i: 0 for i in range(self.boxes) if closed >> i & 1}
        for box, score in zip(watched(self.ruleset), note.scores, strict=True):
            if score is not None:
                scores[box] = score
        ids = [box.id for box in self.ruleset.boxes]
        named = {ids[box]: score for box, score in scores.items()}
        return filled(self.ruleset, named, fives=int(note.prior))

    def _next(self, masks: Masks, notes: Masks, kinds: Masks) -> Masks:
        """The fills one entry later."""
        found = [np.empty(0, np.int64)]
        for note in np.unique(notes):
            here = notes == note
            for box, after in self._leads(kinds[here]):
                open_there = masks[here] >> box & 1 == 0
                found.append(after << self.boxes | masks[here][open_there] | 1 << box)
        return np.unique(np.concatenate(found))

    def _leads(self, kinds: Masks) -> set[tuple[int, int]]:
        """Every (box, next note) these kinds lead to by some throw."""
        return {
            lead
            for face in GROUPS
            for kind in np.unique(kinds[:, face])
            for table in self.tables
            for lead in table.next_notes(int(kind), face)
        }

    def _model(self, levels: list[Masks], kinds: Masks) -> Model:
        (_, uppers), *_ = self.ruleset.column_slices
        rises = tuple(self._rises(box) for box in range(uppers.start, uppers.stop))
        lanes = make_lanes(rises, self._threshold())
        fills = self._fills(levels, kinds, lanes, (1 << len(rises)) - 1)
        arrays = [table.arrays() for table in self.tables]
        sheet = Sheet(
            fills,
            lanes,
            late=arrays[0],
            early=arrays[-1],
            differs=len(arrays) > 1,
            equal_throws=equal_throws(self.dice),
            steps=self.dice.steps,
            rolls=self.ruleset.rolls_per_turn,
        )
        ends = [self._bonus(upper) for upper in lanes.sums[-1][: lanes.counts[-1]]]
        return Model(
            self.ruleset,
            self.dice,
            tuple(self.notes),
            sheet,
            np.array(ends, np.int32),
            tuple(int(fills.first[at]) for at in np.cumsum([0, *map(len, levels)])),
            rises,
        )

    def _fills(self, levels: list[Masks], kinds: Masks, lanes: Lanes, uppers: int) -> Fills:
        codes = np.concatenate(levels)
        masks, notes = codes & self.ruleset.all_boxes, codes >> self.boxes
        first = np.concatenate(([0], np.cumsum(lanes.counts[masks & uppers])))
        at = np.full((len(self.notes), self.ruleset.all_boxes + 1), -1, np.int32)
        at[notes, masks] = first[:-1]
        return Fills(masks.astype(np.int32), kinds.astype(np.int32), first.astype(np.int32), at)

    def _rises(self, box: int) -> frozenset[int]:
        return frozenset[int]().union(*(table.rises(box) for table in self.tables))

    def _threshold(self) -> int:
        return self.ruleset.upper_bonus.threshold if self.ruleset.upper_bonus else 0

    def _bonus(self, upper: int) -> int:
        """What the game adds for this upper sum at the end."""
        card = filled(self.ruleset, {self.ruleset.boxes[0].id: int(upper)})
        return column_totals(card)[0].bonus
