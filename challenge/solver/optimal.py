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
from challenge.solver.outcomes import Floats
from challenge.solver.walks import WIDTH, copy_throws, first_roll, keep_best, reroll

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


def _scratch(sheet: Sheet) -> tuple[Floats, Floats, Floats]:
    """Entered values by a later and by the first roll; values of keeps; room for outcomes."""
    outcomes = max(len(sheet.late.outcomes), len(sheet.early.outcomes))
    return (
        np.zeros((2, len(sheet.steps.chance), WIDTH)),
        np.zeros((len(sheet.steps.fewer), WIDTH)),
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
        copy_throws(keeps, entered[served if sheet.rolls == 1 else 0], sheet.steps)
        for roll in range(1, sheet.rolls):
            reroll(keeps, sheet.steps)
            keep_best(keeps, entered[served if roll == sheet.rolls - 1 else 0], sheet.steps)
        first_roll(values, block, stop, keeps, sheet.steps)
