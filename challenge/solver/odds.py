"""The exact distribution of the optimal player's total.

Forward over the number of filled boxes: each state carries the probability to be there with
each number of points so far, and passes it on by the exits of its turn. Where actions are
worth the same the one of :mod:`challenge.solver.policy` is taken; another choice has the same
mean.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from challenge.solver.jit import compiled
from challenge.solver.model import Model, Sheet
from challenge.solver.outcomes import Floats, Ints
from challenge.solver.policy import Exits, Room, make_exits, make_room, turn_exits
from challenge.solver.spread import Odds
from challenge.solver.table import Table

Progress = Callable[[int, int], None]
Longs = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
NOWHERE = 1 << 30
CHUNK = 1 << 12  # states whose exits are collected in one go


def odds_of(table: Table, progress: Progress = lambda _done, _states: None) -> Odds:
    """The distribution of the optimal player's total.

    ``progress(done, states)`` is called after each number of filled boxes. Memory: the
    scores of two levels, some hundred MB for a sheet of 15 boxes.
    """
    model = table.model
    level = _Level(
        np.zeros(1, np.int32), np.ones(1, np.int32), np.array([0, 1], np.int64), np.ones(1)
    )
    for bounds in zip(model.levels, model.levels[1:], model.levels[2:], strict=False):
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
    """The exits of some states that follow one another: those of state ``i`` of them from
    ``start[i]`` up to ``start[i + 1]``, none where the state is never played.
    """

    start: Longs
    to: Ints
    points: Ints
    chance: Floats


def _advance(level: _Level, bounds: tuple[int, int, int], table: Table) -> _Level:
    """The level after one turn; ``bounds`` are the first states of both and of the next."""
    first, after, end = bounds
    low = np.full(end - after, NOWHERE, np.int32)
    high = np.full(end - after, -1, np.int32)
    chunks = []
    for begin in range(0, after - first, CHUNK):
        part = _part(level, begin)
        chunks.append((part, _ways_of(first + begin, part.width > 0, table)))
        _measure(low, high, *chunks[-1], after)
    low[high < 0] = 0
    width = np.maximum(high - low + 1, 0).astype(np.int32)
    start = np.concatenate(([0], np.cumsum(width, dtype=np.int64)))
    new = _Level(low, width, start, np.zeros(start[-1]))
    for part, ways in chunks:
        _pass_on(new, part, ways, after)
    return new


def _part(level: _Level, begin: int) -> _Level:
    """``CHUNK`` states of a level."""
    some = slice(begin, begin + CHUNK)
    return _Level(level.low[some], level.width[some], level.start[some], level.chance)


def _ways_of(first: int, played: Flags, table: Table) -> _Ways:
    """The exits of the states from ``first`` on, where ``played``."""
    sheet = table.model.sheet
    room, exits = make_room(sheet), make_exits(sheet)
    most = len(played) * len(exits.to)
    start = np.zeros(len(played) + 1, np.int64)
    ways = _Ways(start, np.empty(most, np.int32), np.empty(most, np.int32), np.empty(most))
    _collect(ways, first, table.model.fill_at(first), played, table.values, sheet, room, exits)
    used = start[-1]
    to, points, chance = ways.to[:used], ways.points[:used], ways.chance[:used]
    return _Ways(start, to.copy(), points.copy(), chance.copy())


@compiled
def _collect(
    ways: _Ways,
    first: int,
    fill: int,
    played: Flags,
    values: Floats,
    sheet: Sheet,
    room: Room,
    exits: Exits,
) -> None:
    """The exits with a chance, state after state; ``fill`` is that of the first."""
    count = 0
    for i in range(len(played)):
        while sheet.fills.first[fill + 1] <= first + i:
            fill += 1
        used = 0
        if played[i]:
            lane = first + i - sheet.fills.first[fill]
            used = turn_exits(fill, lane, values, sheet, room, exits)
        for slot in range(used):
            if exits.chance[slot] > 0.0:
                ways.to[count], ways.points[count] = exits.to[slot], exits.points[slot]
                ways.chance[count] = exits.chance[slot]
                count += 1
        ways.start[i + 1] = count


@compiled
def _measure(low: Ints, high: Ints, old: _Level, ways: _Ways, after: int) -> None:
    """The fewest and the most points each state of the next level is reached with."""
    for i in range(len(old.width)):
        for way in range(ways.start[i], ways.start[i + 1]):
            to = ways.to[way] - after
            points = old.low[i] + ways.points[way]
            low[to] = min(low[to], points)
            high[to] = max(high[to], points + old.width[i] - 1)


@compiled
def _pass_on(new: _Level, old: _Level, ways: _Ways, after: int) -> None:
    """Move every probability on by the exits of its state."""
    for i in range(len(old.width)):
        for way in range(ways.start[i], ways.start[i + 1]):
            to = ways.to[way] - after
            begin = new.start[to] + old.low[i] + ways.points[way] - new.low[to]
            for j in range(old.width[i]):
                new.chance[begin + j] += ways.chance[way] * old.chance[old.start[i] + j]


def _totals(level: _Level, model: Model) -> Floats:
    """The full sheets put together, each with its upper bonus."""
    bonus = np.resize(model.ends, len(level.low))
    highest = int((level.low + level.width + bonus).max())
    chance = np.zeros(highest)
    for i in np.flatnonzero(level.width):
        begin = level.low[i] + bonus[i]
        chance[begin : begin + level.width[i]] += level.chance[level.start[i] : level.start[i + 1]]
    return chance
