"""The walks over all keeps, for ``WIDTH`` states side by side (the columns of each array).

Adding one die at a time and removing one at a time cost a few thousand operations a state
instead of the hundred thousand of all pairs of keep and throw.
"""

from __future__ import annotations

from challenge.solver.jit import compiled
from challenge.solver.outcomes import Floats, Steps

WIDTH = 64  # 64 states x 462 keeps x 8 bytes stay in a processor's L2 cache


@compiled
def reroll(keeps: Floats, steps: Steps) -> None:
    """Mean over the dice still missing: row by row from the largest keeps to the empty one."""
    for k in range(steps.first_throw - 1, -1, -1):
        a, b, c = steps.more[k, 0], steps.more[k, 1], steps.more[k, 2]
        d, e, f = steps.more[k, 3], steps.more[k, 4], steps.more[k, 5]
        for i in range(WIDTH):
            low = keeps[a, i] + keeps[b, i] + keeps[c, i]
            high = keeps[d, i] + keeps[e, i] + keeps[f, i]
            keeps[k, i] = (low + high) / 6.0


@compiled
def keep_best(keeps: Floats, entered: Floats, steps: Steps) -> None:
    """Best of entering (``entered``, a row a throw) and of every keep, into the full rows."""
    for k in range(1, len(steps.fewer)):
        full = k - steps.first_throw
        a, b = steps.fewer[k, 0], steps.fewer[k, 1]
        if full < 0:
            for i in range(WIDTH):
                keeps[k, i] = max(keeps[k, i], keeps[a, i], keeps[b, i])
        else:
            for i in range(WIDTH):
                keeps[k, i] = max(entered[full, i], keeps[a, i], keeps[b, i])
        for j in range(2, steps.fewer_count[k], 2):
            a, b = steps.fewer[k, j], steps.fewer[k, j + 1]
            for i in range(WIDTH):
                keeps[k, i] = max(keeps[k, i], keeps[a, i], keeps[b, i])


@compiled
def copy_throws(keeps: Floats, entered: Floats, steps: Steps) -> None:
    """The full rows, from ``entered``."""
    for t in range(len(steps.chance)):
        for i in range(WIDTH):
            keeps[steps.first_throw + t, i] = entered[t, i]


@compiled
def first_roll(values: Floats, start: int, end: int, keeps: Floats, steps: Steps) -> None:
    """Mean over the first roll of a turn, into ``values[start:end]``; overwrites row 0."""
    for i in range(WIDTH):
        keeps[0, i] = 0.0
    for t in range(len(steps.chance)):
        chance = steps.chance[t]
        for i in range(WIDTH):
            keeps[0, i] += chance * keeps[steps.first_throw + t, i]
    for i in range(end - start):
        values[start + i] = keeps[0, i]
