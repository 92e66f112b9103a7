"""The exact distribution of the optimal player's total.

Forward over the number of filled boxes: each state carries the probability to be there with
each number of points so far, and passes it on by the exits of its turn. Where actions are
worth the same the one of :mod:`challenge.solver.policy` is taken; another choice has the same
mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from challenge.solver.jit import compiled
from challenge.solver.model import Model, Sheet
from challenge.solver.outcomes import Floats, Ints
from challenge.solver.policy import make_exits, make_room, turn_exits
from challenge.solver.spread import Odds
from challenge.solver.table import Table

Progress = Callable[[int, int], None]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Numbers = TypeVar("Numbers", Ints, Floats)
NOWHERE = 1 << 30


def odds_of(table: Table, progress: Progress = lambda _done, _states: None) -> Odds:
    """The distribution of the optimal player's total.

    ``progress(done, states)`` is called after each number of filled boxes. Memory: the
    scores of two levels, some hundred MB for a sheet of 15 boxes.
    """
    model = table.model
    firsts = [int(first) for first in model.fills.first[model.fills.level]]
    level = _Level(
        np.zeros(1, np.int32), np.ones(1, np.int32), np.array([0, 1], np.int64), np.ones(1)
    )
    for n in range(len(firsts) - 2):
        bounds = firsts[n], firsts[n + 1], firsts[n + 2]
        level = _advance(level, bounds, table)
        progress(bounds[1], model.states)
    return Odds(_totals(level, model))


class _Level(NamedTuple):
    """Scores of all states with as many boxes filled: state ``i`` has ``low[i]`` points with
    probability ``chance[start[i]]``, one more with the next, up to ``low[i] + width[i] - 1``.
    """

    low: Ints
    width: Ints
    start: Longs
    chance: Floats


class _Ways(NamedTuple):
    """The exits of the states of a level: those of state ``i`` from ``start[i]`` up to
    ``start[i + 1]``, none where the state is never played.
    """

    start: Longs
    to: Ints
    points: Ints
    chance: Floats


def _advance(level: _Level, bounds: tuple[int, int, int], table: Table) -> _Level:
    """The level after one turn; ``bounds`` are the first states of both and of the next."""
    first, after, end = bounds
    ways = _ways(first, level.width > 0, table.values, table.model.sheet)
    low = np.full(end - after, NOWHERE, np.int32)
    high = np.full(end - after, -1, np.int32)
    _measure(low, high, level, after, ways)
    low[high < 0] = 0
    width = np.maximum(high - low + 1, 0).astype(np.int32)
    start = np.concatenate(([0], np.cumsum(width, dtype=np.int64)))
    new = _Level(low, width, start, np.zeros(start[-1]))
    _pass_on(new, level, after, ways)
    return new


@compiled
def _ways(first: int, played: Flags, values: Floats, sheet: Sheet) -> _Ways:
    """The exits of the states from ``first`` on, where ``played``."""
    room, exits = make_room(sheet), make_exits(sheet)
    start = np.zeros(len(played) + 1, np.int64)
    to, points, chance = np.zeros(1 << 16, np.int32), np.zeros(1 << 16, np.int32), np.zeros(1 << 16)
    count = 0
    fill = int(np.searchsorted(sheet.fills.first, first, side="right")) - 1
    for i in range(len(played)):
        while sheet.fills.first[fill + 1] <= first + i:
            fill += 1
        used = 0
        if played[i]:
            lane = first + i - sheet.fills.first[fill]
            used = turn_exits(fill, lane, values, sheet, room, exits)
        if count + used > len(to):
            to, points = _longer(to), _longer(points)
            chance = _longer(chance)
        for slot in range(used):
            if exits.chance[slot] > 0.0:
                to[count], points[count] = exits.to[slot], exits.points[slot]
                chance[count] = exits.chance[slot]
                count += 1
        start[i + 1] = count
    return _Ways(start, to, points, chance)


@compiled
def _longer(array: Numbers) -> Numbers:
    """The array with room for half as much again."""
    new = np.zeros(len(array) + len(array) // 2, array.dtype)
    new[: len(array)] = array
    return new


@compiled
def _measure(new_low: Ints, new_high: Ints, old: _Level, after: int, ways: _Ways) -> None:
    """The fewest and the most points each state of the next level is reached with."""
    for i in range(len(old.width)):
        for way in range(ways.start[i], ways.start[i + 1]):
            to = ways.to[way] - after
            low = old.low[i] + ways.points[way]
            new_low[to] = min(new_low[to], low)
            new_high[to] = max(new_high[to], low + old.width[i] - 1)


@compiled
def _pass_on(new: _Level, old: _Level, after: int, ways: _Ways) -> None:
    """Move every probability on by the exits of its state."""
    for i in range(len(old.width)):
        mine = old.chance[old.start[i] : old.start[i] + old.width[i]]
        for way in range(ways.start[i], ways.start[i + 1]):
            to = ways.to[way] - after
            begin = new.start[to] + old.low[i] + ways.points[way] - new.low[to]
            for j in range(len(mine)):
                new.chance[begin + j] += ways.chance[way] * mine[j]


def _totals(level: _Level, model: Model) -> Floats:
    """The full sheets put together, each with its upper bonus."""
    bonus = np.resize(model.ends, len(level.low))
    highest = int((level.low + level.width + bonus).max())
    chance = np.zeros(highest)
    for i in np.flatnonzero(level.width):
        begin = level.low[i] + bonus[i]
        chance[begin : begin + level.width[i]] += level.chance[level.start[i] : level.start[i + 1]]
    return chance
