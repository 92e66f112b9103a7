"""The exact value of every state of a sheet under the best play that cannot see ahead.

Backward over the number of filled boxes. For each state, once: the best entry of every
throw, then for each roll still to come the mean over rerolls and the best keep, at last the
mean over the first roll. On one thread, float64.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from challenge.solver.best_entry import enter
from challenge.solver.jit import compiled
from challenge.solver.model import Model, Sheet
from challenge.solver.outcomes import Floats, Steps
from challenge.solver.rows import LANES
from challenge.solver.walks import copy_throws, first_roll, keep_best, reroll

WIDTH = 8 * LANES  # states entered side by side; what they take stays in the L2 cache
CHUNK = WIDTH << 10  # states between two reports of progress

Progress = Callable[[int, int], None]


def solve(model: Model, progress: Progress = lambda _done, _states: None) -> Floats:
    """The expected further score of each state (upper bonus and extras included), in points.

    Shape ``(model.states,)``, indexed by :meth:`Model.state_of`; state 0 is the blank sheet.
    ``progress(done, states)`` is called now and then, at last with ``done == states``.
    """
    values = np.zeros(model.states)
    last = model.levels[-2]
    values[last:] = np.resize(model.ends, model.states - last)
    for first, after in reversed(list(pairwise(model.levels[:-1]))):
        for start in range(first, after, CHUNK):
            end = min(start + CHUNK, after)
            _sweep(start, end, model.fill_at(start), values, model.sheet, *_scratch(model.sheet))
            progress(model.states - after + end - first, model.states)
    return values


def _scratch(sheet: Sheet) -> tuple[Floats, Floats, Floats, Floats]:
    """Entered values by a later and by the first roll, for a block and for a part of it;
    values of keeps; room for outcomes.
    """
    throws, keeps = len(sheet.steps.chance), len(sheet.steps.fewer)
    outcomes = max(len(sheet.late.outcomes), len(sheet.early.outcomes))
    return (
        np.zeros((2, throws, WIDTH)),
        np.zeros((2, throws, LANES)),
        np.zeros((keeps, LANES)),
        np.zeros((outcomes + 1, WIDTH)),
    )


@compiled
def _sweep(
    start: int,
    end: int,
    fill: int,
    values: Floats,
    sheet: Sheet,
    entered: Floats,
    part: Floats,
    keeps: Floats,
    room: Floats,
) -> None:
    """Fill ``values[start:end]``, all of one level; the next level is there already.

    ``fill`` is the one the first state belongs to, the rest is scratch.
    """
    first = sheet.fills.first
    served = 1 if sheet.differs else 0
    for block in range(start, end, WIDTH):
        stop = min(block + WIDTH, end)
        while first[fill] < stop:
            low, high = max(block, first[fill]), min(stop, first[fill + 1])
            columns = (low - block, high - block, low - first[fill])
            for when in range(served + 1):
                entries = sheet.early if when == 1 else sheet.late
                enter(entered[when], columns, fill, values, sheet, entries, room)
            fill += 1
        if first[fill] > stop:
            fill -= 1  # the rest of its lanes begins the next block
        for column in range(0, stop - block, LANES):
            for when in range(served + 1):
                for t in range(entered.shape[1]):
                    for i in range(LANES):
                        part[when, t, i] = entered[when, t, column + i]
            _turn(keeps, part[0], part[served], sheet.steps, sheet.rolls)
            for i in range(min(LANES, stop - block - column)):
                values[block + column + i] = keeps[0, i]


@compiled
def _turn(keeps: Floats, late: Floats, early: Floats, steps: Steps, rolls: int) -> None:
    """The value of a turn into row 0, given the best entry of each throw made late or early."""
    copy_throws(keeps, early if rolls == 1 else late, steps)
    for roll in range(1, rolls):
        reroll(keeps, steps)
        keep_best(keeps, early if roll == rolls - 1 else late, steps)
    first_roll(keeps, steps)
