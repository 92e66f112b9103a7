"""The exact value of every state of a sheet under the best play that cannot see ahead.

Backward over the number of filled boxes. For each state, once: the best entry of every
throw, then for each roll still to come the mean over rerolls and the best keep, at last the
mean over the first roll. On one thread, float64.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from challenge.solver.best_entry import enter
from challenge.solver.jit import compiled
from challenge.solver.model import Model, Sheet
from challenge.solver.outcomes import Floats
from challenge.solver.walks import WIDTH, first_roll, keep_best, reroll

CHUNK = WIDTH << 10  # states between two reports of progress

Progress = Callable[[int, int], None]


def solve(model: Model, progress: Progress = lambda _done, _states: None) -> Floats:
    """The expected further score of each state (upper bonus and extras included), in points.

    Shape ``(model.states,)``, indexed by :meth:`Model.state_of`; state 0 is the blank sheet.
    ``progress(done, states)`` is called now and then, at last with ``done == states``.
    """
    values = np.zeros(model.states)
    firsts = [int(first) for first in model.fills.first[model.fills.level]]
    for first in model.fills.first[model.fills.level[-2] : -1]:
        values[first : first + len(model.ends)] = model.ends
    for level in range(len(firsts) - 3, -1, -1):
        for start in range(firsts[level], firsts[level + 1], CHUNK):
            _sweep(start, min(start + CHUNK, firsts[level + 1]), values, model.sheet)
            done = model.states - firsts[level + 1] + min(start + CHUNK, firsts[level + 1])
            progress(done - firsts[level], model.states)
    return values


@compiled
def _sweep(start: int, end: int, values: Floats, sheet: Sheet) -> None:
    """Fill ``values[start:end]``, all of one level; the next level is there already."""
    throws = len(sheet.steps.chance)
    entered = np.zeros((throws, WIDTH))
    served = np.zeros((throws, WIDTH)) if sheet.differs else entered
    keeps = np.zeros((len(sheet.steps.fewer), WIDTH))
    room = np.zeros((max(len(sheet.late.points), len(sheet.early.points)) + 1, WIDTH))
    sums = np.zeros(WIDTH)
    first = sheet.fills.first
    fill = int(np.searchsorted(first, start, side="right")) - 1
    for block in range(start, end, WIDTH):
        stop = min(block + WIDTH, end)
        while first[fill] < stop:
            low, high = max(block, first[fill]), min(stop, first[fill + 1])
            columns = (low - block, high - block, low - first[fill])
            enter(entered, columns, fill, values, sheet, sheet.late, room)
            if sheet.differs:
                enter(served, columns, fill, values, sheet, sheet.early, room)
            fill += 1
        if first[fill] > stop:
            fill -= 1  # the rest of its lanes begins the next block
        keeps[sheet.steps.first_throw :] = served if sheet.rolls == 1 else entered
        for roll in range(1, sheet.rolls):
            reroll(keeps, sheet.steps)
            keep_best(keeps, served if roll == sheet.rolls - 1 else entered, sheet.steps)
        first_roll(sums, keeps, sheet.steps)
        values[block:stop] = sums[: stop - block]
