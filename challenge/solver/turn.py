"""One turn worked out from a table: what each hold and each entry is worth. numpy alone.

Values are expected totals of the whole game, in points: what is on the sheet already, the
move, and the best play that cannot see ahead from there on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from challenge.game.dice import Dice, held_positions
from challenge.game.log import Action, Entry, Roll
from challenge.game.scorecard import Scorecard, column_totals
from challenge.solver.entries import Entries
from challenge.solver.entries import Entry as Made
from challenge.solver.outcomes import Floats, Ints, Outcomes
from challenge.solver.table import Table

TIE = 1e-9  # values closer than this are equal: rounding differs by the order of sums


class Options:
    """Everything that can be done in a turn, if it is known what each entry is worth.

    ``entered[used - 1]`` is the value of each throw (row) in each box (column) after ``used``
    rolls, -inf where it is barred; the turn has as many rolls as there are such arrays.
    """

    def __init__(self, dice: Outcomes, entered: Sequence[Floats]) -> None:
        self._dice = dice
        self._entered = entered
        self._rolled = [entered[-1].max(axis=1)]  # by rolls left: value with the dice lying there
        self._keeps: list[Floats] = []  # by rolls left, from 1 on: value of each keep
        for table in entered[-2::-1]:
            self._keeps.append(self._means(self._rolled[-1]))
            best = self._best(self._keeps[-1])
            self._rolled.append(np.maximum(table.max(axis=1), best))
        self._rolled.reverse()
        self._keeps.reverse()

    @property
    def value(self) -> float:
        """Before the first roll."""
        return float(self._dice.steps.chance @ self._rolled[0])

    def rolled(self, dice: Dice, used: int) -> float:
        """With these dice on the table, decided for the best."""
        return float(self._rolled[used - 1][self._dice.throw_of(dice)])

    def rolls(self, used: int) -> Floats:
        """:meth:`rolled` for every throw by its number."""
        found: Floats = self._rolled[used - 1]
        return found

    def entries(self, dice: Dice, used: int) -> dict[int, float]:
        """Box index -> value of entering these dice there, for every legal box."""
        row = self._entered[used - 1][self._dice.throw_of(dice)]
        return {int(box): float(row[box]) for box in np.flatnonzero(np.isfinite(row))}

    def holds(self, dice: Dice, used: int) -> dict[int, float]:
        """Hold mask -> value of rolling the other dice; empty after the last roll."""
        if used > len(self._keeps):
            return {}
        keeps, index = self._keeps[used - 1], self._dice.index
        return {
            mask: float(keeps[index[tuple(sorted(dice[i] for i in held_positions(mask)))]])
            for mask in range((1 << len(dice)) - 1)
        }

    def actions(self, dice: Dice, used: int) -> Iterator[tuple[Action, float]]:
        """Everything that can be done with these dice, entries first, with its value."""
        yield from ((Entry(box), value) for box, value in self.entries(dice, used).items())
        yield from ((Roll(mask), value) for mask, value in self.holds(dice, used).items())

    def best(self, dice: Dice, used: int) -> tuple[Action, float]:
        """The best action and its value; of equal ones the first of :meth:`actions`."""
        found = list(self.actions(dice, used))
        most = max(value for _, value in found)
        return next(pair for pair in found if pair[1] >= most - TIE)

    def _means(self, rolled: Floats) -> Floats:
        """The value of each keep when the other dice are rolled."""
        keeps = np.empty(len(self._dice.keeps))
        keeps[self._dice.steps.first_throw :] = rolled
        for size in self._dice.sizes[-2::-1]:
            keeps[size] = keeps[self._dice.steps.more[size]].mean(axis=1)
        return keeps

    def _best(self, means: Floats) -> Floats:
        """The best keep of each throw, not of all its dice."""
        keeps = means.copy()
        keeps[self._dice.steps.first_throw :] = -np.inf
        for size in self._dice.sizes[1:]:
            less = keeps[self._dice.steps.fewer[size]].max(axis=1)
            keeps[size] = np.maximum(keeps[size], less)
        return keeps[self._dice.steps.first_throw :]


class Turn(Options):
    """A turn that starts on an unfinished card, before its first roll, valued by a table.

    ``used`` is the number of rolls made in the turn, 1 to the sheet's rolls per turn.
    """

    def __init__(self, table: Table, card: Scorecard) -> None:
        self._table = table
        self._card = card
        sheet = table.model.sheet
        late = self._points(sheet.late)
        early = self._points(sheet.early) if sheet.differs else late
        super().__init__(table.model.dice, [early, *[late] * (sheet.rolls - 1)])

    def _points(self, entries: Entries) -> Floats:
        """Value of each throw (row) in each box (column), -inf where it is barred."""
        (so_far,) = column_totals(self._card)
        before = so_far.boxes + so_far.extras
        table = np.full((len(self._table.model.dice.throws), len(self._card.scores)), -np.inf)
        for throws, box, made in self._outcomes(entries):
            taken = self._card.ruleset.all_boxes & ~self._card.open | 1 << box
            state = self._table.model.state_at(made.note, taken, so_far.upper + made.rise)
            table[throws, box] = before + made.points + self._table.values[state]
        return table

    def _outcomes(self, entries: Entries) -> Iterator[tuple[Ints | int, int, Made]]:
        """(throws, box, what comes of it) of every open box."""
        model = self._table.model
        fill = model.fill_of(self._card)
        boxes = len(self._card.scores)
        for box in held_positions(self._card.open):
            at = int(model.fills.kinds[fill, 0]) * boxes + box
            for o in range(entries.start[at], entries.start[at + 1]):
                throws = entries.throws[entries.throws_start[o] : entries.throws_start[o + 1]]
                yield throws, box, Made(*map(int, entries.outcomes[o]))
            for face, throw in enumerate(model.sheet.equal_throws, start=1):
                made = entries.equal[model.fills.kinds[fill, face], box]
                if made[0] >= 0:
                    yield int(throw), box, Made(*map(int, made))
