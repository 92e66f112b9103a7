"""The best game a stream of dice allows to someone who sees all of it.

The state of the sheet and the number of rolls made so far decide all that is still possible
(:mod:`challenge.solver.foresight` says what each turn can end with). The search goes forward
over the number of filled boxes and keeps, of each state, the way with most points. Bounds on
what is still to come (:mod:`challenge.solver.bounds`) and the total of games found on the way
to them cut off what cannot be the best: of millions of states some thousands remain.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from challenge.errors import NotSolvable
from challenge.game.dice import Dice
from challenge.game.game import Blocks
from challenge.game.log import ROLL
from challenge.game.ruleset import Ruleset
from challenge.solver.bounds import Plan, bounds_of, plan_of
from challenge.solver.derive import is_large, model_of
from challenge.solver.foresight import offers_of, within_reach
from challenge.solver.model import Model
from challenge.solver.outcomes import Ints
from challenge.solver.search import Bonus, Ground, Nodes, advance, greedy

PRICES = (1 / 64, 1 / 2, 1.0, 2.0)  # any would do; few and spread out cut off most
ROOM = 1 << 12  # sheets of a level to start with


class Hindsight(NamedTuple):
    """The highest total of any game on a stream, and the log of one such game."""

    total: int
    log: bytes


def hindsight(ruleset: Ruleset, stream: Blocks) -> Hindsight:
    """The best game of a sheet on a stream.

    Raises:
        NotSolvable: the sheet has too many states.
    """
    if is_large(ruleset):
        raise NotSolvable(ruleset.id, "its states times the rolls of a game are too many")
    return _Search(model_of(ruleset), stream).best()


_plan = cache(plan_of)


class _Search:
    """One stream on one sheet."""

    def __init__(self, model: Model, stream: Blocks) -> None:
        self.model, sheet = model, model.sheet
        self.rounds = len(model.ruleset.boxes)
        dice = range(self.rounds * sheet.rolls)
        self.blocks = [stream.block(k, model.ruleset.dice) for k in dice]
        self.reach = within_reach(np.array(self.blocks, np.int32), sheet.rolls, sheet.steps)
        self.ground = self._ground(_plan(model))
        self.found = np.zeros((self._most_ways(), 6), np.int32)

    def best(self) -> Hindsight:
        """The highest total and one log that reaches it."""
        least = max(greedy(self.found, price, self.ground) for price in range(len(PRICES)))
        levels = [Nodes(np.zeros((1, 4), np.int32), np.zeros((1, 6), np.int32))]
        for filled in range(self.rounds):
            levels.append(self._advance(levels[-1], filled, least))
        ends, bonus = levels[-1].at, self.ground.bonus
        totals = ends[:, 3] + bonus.points * (ends[:, 2] >= bonus.threshold)
        end = int(np.argmax(totals))
        return Hindsight(int(totals[end]), bytes(self._log(levels, end)))

    def _ground(self, plan: Plan) -> Ground:
        model, sheet = self.model, self.model.sheet
        offers = offers_of(self.reach, sheet)
        return Ground(
            sheet.fills,
            plan,
            offers,
            sheet.late.equal,
            sheet.early.equal,
            sheet.rolls,
            np.array(PRICES),
            bounds_of(model, plan, offers, PRICES),
            Bonus(model.lanes.threshold, int(model.ends[-1])),
        )

    def _most_ways(self) -> int:
        """No sheet has more turns to try than this."""
        each = np.diff(self.ground.offers.start).max() + len(self.model.sheet.equal_throws)
        return int(each) * self.rounds * self.model.sheet.rolls

    def _advance(self, old: Nodes, filled: int, least: int) -> Nodes:
        plan, bonus, rolls = self.ground.plan, self.ground.bonus, self.model.sheet.rolls
        fills = int(plan.level[filled + 2] - plan.level[filled + 1])
        cells = fills * ((filled + 1) * (rolls - 1) + 1) * (bonus.threshold + 1)
        room, count = ROOM, -1
        while count < 0:
            new = Nodes(np.zeros((room, 4), np.int32), np.zeros((room, 6), np.int32))
            scratch = np.zeros(cells, np.int32)
            count = advance(new, old, filled, scratch, least, self.found, self.ground)
            room *= 4
        return Nodes(new.at[:count], new.way[:count])

    def _log(self, levels: list[Nodes], end: int) -> Iterator[int]:
        """The turns of the way to a full sheet."""
        ways = []
        for level in reversed(levels[1:]):
            ways.append(level.way[end])
            end = int(level.way[end, 0])
        k = taken = note = 0
        for _, rolls, box, *made in (map(int, way) for way in reversed(ways)):
            yield from self._rolls(k, rolls, self._throw(note, taken, k, rolls, box, made))
            yield box
            k, taken, note = k + rolls, taken | 1 << box, made[2]

    def _throw(self, note: int, taken: int, k: int, rolls: int, box: int, made: list[int]) -> int:
        """A throw within reach whose entry into the box comes to this."""
        model, reach = self.model, self.reach[k, rolls - 1]
        entries = model.sheet.early if rolls == 1 else model.sheet.late
        fill = model.fill_at(int(model.fills.at[note, taken]))
        for face, throw in enumerate(model.sheet.equal_throws, start=1):
            if reach[throw] and entries.equal[model.fills.kinds[fill, face], box].tolist() == made:
                return int(throw)
        key = int(model.fills.kinds[fill, 0]) * self.rounds + box
        outcomes = range(entries.start[key], entries.start[key + 1])
        o = next(o for o in outcomes if entries.outcomes[o].tolist() == made)
        throws: Ints = entries.throws[entries.throws_start[o] : entries.throws_start[o + 1]]
        return int(throws[reach[throws] != 0][0])

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
