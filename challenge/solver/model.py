"""A sheet as arrays for the solver; :mod:`challenge.solver.derive` makes them.

The state of a sheet between two turns is a *fill* and a *lane*. A fill is the set of filled
boxes and a *note*: the scores of the boxes a rule reads, and whether an all-equal throw was
entered before, where a rule asks for it. A lane is what the upper sum still means, see
:mod:`challenge.solver.lanes`.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np

from challenge.game.ruleset import Ruleset
from challenge.game.scorecard import Scorecard, column_totals
from challenge.solver.entries import Entries
from challenge.solver.lanes import Lanes
from challenge.solver.outcomes import Ints, Outcomes, Steps


class Note(NamedTuple):
    """What the rules remember of a card beside its filled boxes and upper sum.

    ``scores`` are those of the watched boxes (None = open), ``prior`` says whether an
    all-equal throw was entered before (always False where no rule asks).
    """

    scores: tuple[int | None, ...]
    prior: bool


class Fills(NamedTuple):
    """Every fill a game can reach, ascending by number of filled boxes, then by note.

    ``mask[i]`` its filled boxes, ``kinds[i, face]`` its kind in the tables of entries for the
    all-equal throw of a face and, at 0, for mixed throws, ``first[i]`` its first state
    (``first[i + 1]`` ends it; state = first + lane). ``at[note, mask]`` finds the first state,
    -1 where none is.
    """

    mask: Ints
    kinds: Ints
    first: Ints
    at: Ints


class Sheet(NamedTuple):
    """All arrays of a model together, as compiled functions take them.

    ``late`` and ``early`` are the entries of throws made by a later roll and by the first
    roll of a turn, which need not be looked at unless it ``differs``. ``equal_throws`` are
    the numbers of the all-equal throws, ``rolls`` those of a turn.
    """

    fills: Fills
    lanes: Lanes
    late: Entries
    early: Entries
    differs: bool
    equal_throws: Ints
    steps: Steps
    rolls: int


@dataclass(frozen=True, eq=False)
class Model:
    """A sheet for the solver.

    ``notes`` are numbered by their position, ``ends[lane]`` is the upper bonus on the full
    sheet, ``levels[n]`` the first state with ``n`` boxes filled (and the end of all),
    ``rises[i]`` what upper box ``i`` can add to the upper sum (they come first).
    """

    ruleset: Ruleset
    dice: Outcomes
    notes: tuple[Note, ...]
    sheet: Sheet
    ends: Ints
    levels: tuple[int, ...]
    rises: tuple[frozenset[int], ...]

    @property
    def fills(self) -> Fills:
        """Every fill of the sheet."""
        return self.sheet.fills

    @property
    def lanes(self) -> Lanes:
        """What its upper sums mean."""
        return self.sheet.lanes

    @property
    def states(self) -> int:
        """How many values a table of this sheet has."""
        return self.levels[-1]

    @cached_property
    def layout(self) -> str:
        """Hex SHA-256 of how the states are numbered."""
        digest = hashlib.sha256(repr(self.notes).encode())
        for array in (self.fills.mask, self.fills.at, self.lanes.of):
            digest.update(array.astype("<i4").data)
        return digest.hexdigest()

    def state_of(self, card: Scorecard) -> int:
        """The state of a card of this sheet, an index into its table."""
        taken = self.ruleset.all_boxes & ~card.open
        note = self.notes.index(note_of(card))
        return self.state_at(note, taken, column_totals(card)[0].upper)

    def state_at(self, note: int, taken: int, upper: int) -> int:
        """The state with this note (by number), these filled boxes and this upper sum."""
        upper = min(upper, self.lanes.threshold)
        lane = self.lanes.of[taken & (len(self.lanes.of) - 1), upper]
        return int(self.fills.at[note, taken] + lane)

    def fill_of(self, card: Scorecard) -> int:
        """The fill of a card, a position in :attr:`fills`."""
        return self.fill_at(self.state_of(card))

    def fill_at(self, state: int) -> int:
        """The fill a state belongs to, a position in :attr:`fills`."""
        return int(np.searchsorted(self.fills.first, state, side="right")) - 1


def note_of(card: Scorecard) -> Note:
    """The note of a card."""
    joker = card.ruleset.joker
    prior = joker is not None and joker.needs_prior and card.fives > 0
    return Note(tuple(card.scores[box] for box in watched(card.ruleset)), prior)


@cache
def watched(ruleset: Ruleset) -> tuple[int, ...]:
    """The boxes whose score a rule reads, not only whether they are filled."""
    found = {box for box in ruleset.needed if box is not None}
    joker = ruleset.joker
    if ruleset.extra_bonus is not None or (joker and joker.needs_box == "full_points"):
        found |= {i for i in range(len(ruleset.boxes)) if ruleset.yatzy_boxes >> i & 1}
    return tuple(sorted(found))
