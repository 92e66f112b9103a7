"""The best game a stream of dice allows to someone who sees all of it.

What a turn can end with is easy to say. If it begins with roll ``k`` and makes ``j`` rolls,
each die shows the value of one of the blocks ``k`` to ``k + j - 1`` at its position, and at
least one die that of the last block, since holding every die is no move; that die can have
been rolled each time before, so every such choice can be played. So the state of the sheet
and the number of rolls made so far decide all that is still possible, and the best game is
found backward over the number of filled boxes, as for blind play but with a maximum where
that has a mean.

Of the ways to enter a box that lead to the same note, only the one with most points and the
highest upper sum is looked at: more of either never makes the rest of a game worse.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from challenge.errors import NotSolvable
from challenge.game.dice import Dice, held_positions
from challenge.game.game import Blocks
from challenge.game.log import ROLL
from challenge.game.ruleset import Ruleset
from challenge.solver.derive import is_large, model_of
from challenge.solver.entries import Entries, Entry
from challenge.solver.foresight import Reach, Spans, Totals, best_level, offers_of, within_reach
from challenge.solver.lanes import make_spans
from challenge.solver.model import Model


class Hindsight(NamedTuple):
    """The highest total of any game on a stream, and the log of one such game."""

    total: int
    log: bytes


class State(NamedTuple):
    """A sheet on the way: boxes filled (a mask), upper sum, number of the note, rolls made."""

    taken: int = 0
    upper: int = 0
    note: int = 0
    rolls: int = 0

    def after(self, rolls: int, box: int, made: Entry) -> State:
        """One turn later."""
        taken, upper = self.taken | 1 << box, self.upper + made.rise
        return State(taken, upper, made.note, self.rolls + rolls)


def hindsight(ruleset: Ruleset, stream: Blocks) -> Hindsight:
    """The best game of a sheet on a stream.

    Raises:
        NotSolvable: the sheet has too many states.
    """
    if is_large(ruleset):
        raise NotSolvable(ruleset.id, "its states times the rolls of a game are too many")
    return _Search(model_of(ruleset), stream).best()


@cache
def _spans(model: Model) -> Spans:
    """The upper sums of each fill in a row."""
    found = np.array(make_spans(model.rises, model.lanes.threshold), np.int32)
    low, width = found[:, 0].copy(), found[:, 1] + np.int32(1)
    masks, at = model.fills.mask, model.fills.at
    first = np.cumsum([0, *width[masks & (len(low) - 1)]], dtype=np.int32)
    where = np.full_like(at, -1)
    where[at >= 0] = first[np.searchsorted(model.fills.first, at[at >= 0])]
    return Spans(low, width, first, where)


class _Search:
    """One stream on one sheet: what each turn can reach, and the best of every state."""

    def __init__(self, model: Model, stream: Blocks) -> None:
        self.model, self.spans = model, _spans(model)
        self.rounds, rolls = len(model.ruleset.boxes), model.sheet.rolls
        self.blocks = [stream.block(k, model.ruleset.dice) for k in range(self.rounds * rolls)]
        self.reach = within_reach(np.array(self.blocks, np.int32), rolls, model.sheet.steps)
        self.fills = [*map(model.fill_at, model.levels[:-1]), len(model.fills.mask)]
        self.levels = self._levels()

    def best(self) -> Hindsight:
        """The highest total and one log that reaches it."""
        return Hindsight(int(self._value(State())), bytes(self._log()))

    def _levels(self) -> list[Totals]:
        """Per number of filled boxes the best further score, see :func:`best_level`."""
        sheet, first = self.model.sheet, self.spans.first
        offers = offers_of(self.reach, sheet)
        equal = (sheet.late.equal, sheet.early.equal, sheet.equal_throws)
        found = [self._ends()]
        for n in range(self.rounds - 1, -1, -1):
            begin, end = self.fills[n : n + 2]
            size = int(first[end] - first[begin]) * self._rows(n)
            here = np.full(size, -np.inf, np.float32)
            level = (n, begin, end, int(first[begin]), int(first[end]))
            best_level(
                here, found[-1], level, self.model.fills, self.spans, equal, self.reach, offers
            )
            found.append(here)
        return found[::-1]

    def _rows(self, filled: int) -> int:
        """How many different numbers of rolls can have been made with so many boxes filled."""
        return filled * (self.model.sheet.rolls - 1) + 1

    def _ends(self) -> Totals:
        """The full sheets, after any number of rolls: nothing to come but the upper bonus."""
        row = [self.model.ends[0], self.model.ends[-1]][: self.spans.width[-1]]
        notes = self.fills[-1] - self.fills[-2]
        return np.tile(np.array(row, np.float32), notes * self._rows(self.rounds))

    def _value(self, state: State) -> float:
        """The best further score."""
        n = state.taken.bit_count()
        uppers = state.taken & (len(self.spans.low) - 1)
        upper = min(state.upper, self.model.lanes.threshold)
        place = max(0, upper + 1 - int(self.spans.low[uppers]))
        block = self.spans.at[state.note, state.taken] - self.spans.first[self.fills[n]]
        row = int(block) * self._rows(n) + (state.rolls - n) * int(self.spans.width[uppers])
        return float(self.levels[n][row + place])

    def _log(self) -> Iterator[int]:
        """Forward: in each turn the first way that keeps the best score in reach."""
        state = State()
        for _ in range(self.rounds):
            rolls, box, made, throw = self._way(state)
            yield from self._rolls(state.rolls, rolls, throw)
            yield box
            state = state.after(rolls, box, made)

    def _way(self, state: State) -> tuple[int, int, Entry, int]:
        """Rolls, box, what comes of it, and the throw for it."""
        best = self._value(state)
        return next(
            (rolls, box, made, throw)
            for rolls in range(1, self.model.sheet.rolls + 1)
            for box, made, throw in self._entries(state, rolls)
            if self._value(state.after(rolls, box, made)) + made.points == best
        )

    def _entries(self, state: State, rolls: int) -> Iterator[tuple[int, Entry, int]]:
        """(box, what comes of it, a throw for it) within reach of so many rolls."""
        model, reach = self.model, self.reach[state.rolls, rolls - 1]
        entries = model.sheet.early if rolls == 1 else model.sheet.late
        fill = model.fill_at(int(model.fills.at[state.note, state.taken]))
        for box in held_positions(model.ruleset.all_boxes & ~state.taken):
            yield from ((box, *found) for found in _mixed(model, entries, fill, box, reach))
            for face, throw in enumerate(model.sheet.equal_throws, start=1):
                made = entries.equal[model.fills.kinds[fill, face], box]
                if made[0] >= 0 and reach[throw]:
                    yield box, Entry(*map(int, made)), int(throw)

    def _rolls(self, k: int, rolls: int, throw: int) -> list[int]:
        """The bytes of a turn's rolls: the first choice of blocks that shows the throw."""
        wanted = self.model.dice.throws[throw]
        source = next(
            source
            for source in product(range(rolls), repeat=len(wanted))
            if max(source) == rolls - 1 and self._shows(k, source) == wanted
        )
        return [
            ROLL | sum(1 << i for i, block in enumerate(source) if block < roll)
            for roll in range(rolls)
        ]

    def _shows(self, k: int, source: tuple[int, ...]) -> Dice:
        return tuple(sorted(self.blocks[k + block][i] for i, block in enumerate(source)))


def _mixed(
    model: Model, entries: Entries, fill: int, box: int, reach: Reach
) -> Iterator[tuple[Entry, int]]:
    """The outcomes of a box that some mixed throw within reach leads to, with that throw."""
    at = int(model.fills.kinds[fill, 0]) * len(model.ruleset.boxes) + box
    for o in range(entries.start[at], entries.start[at + 1]):
        throws = entries.throws[entries.throws_start[o] : entries.throws_start[o + 1]]
        within = throws[reach[throws] != 0]
        if len(within):
            yield Entry(*map(int, entries.outcomes[o])), int(within[0])
