"""The walks over all keeps, for ``LANES`` states side by side (the columns of each array).

Adding one die at a time and removing one at a time cost a few thousand operations a state
instead of the hundred thousand of all pairs of keep and throw.
"""

from __future__ import annotations

from challenge.solver.jit import compiled
from challenge.solver.outcomes import Floats, Steps
from challenge.solver.rows import LANES, add_part, best_of_four, mean_of_six


@compiled
def reroll(keeps: Floats, steps: Steps) -> None:
    """Mean over the dice still missing: row by row from the largest keeps to the empty one."""
    more = steps.more
    for k in range(steps.first_throw - 1, -1, -1):
        mean_of_six(
            keeps, k, more[k, 0], more[k, 1], more[k, 2], more[k, 3], more[k, 4], more[k, 5]
        )


@compiled
def keep_best(keeps: Floats, entered: Floats, steps: Steps) -> None:
    """Best of entering (``entered``, a row a throw) and of every keep, into the full rows."""
    fewer = steps.fewer
    for k in range(1, len(fewer)):
        if k < steps.first_throw:
            best_of_four(keeps, k, keeps, k, fewer[k, 0], fewer[k, 1], fewer[k, 2])
        else:
            own = k - steps.first_throw
            best_of_four(keeps, k, entered, own, fewer[k, 0], fewer[k, 1], fewer[k, 2])
        if steps.fewer_count[k] > 3:
            best_of_four(keeps, k, keeps, k, fewer[k, 3], fewer[k, 4], fewer[k, 5])


@compiled
def copy_throws(keeps: Floats, entered: Floats, steps: Steps) -> None:
    """The full rows, from ``entered``."""
    for t in range(len(steps.chance)):
        for i in range(LANES):
            keeps[steps.first_throw + t, i] = entered[t, i]


@compiled
def first_roll(keeps: Floats, steps: Steps) -> None:
    """Mean over the first roll of a turn, into row 0."""
    for i in range(LANES):
        keeps[0, i] = 0.0
    for t in range(len(steps.chance)):
        add_part(keeps, 0, steps.first_throw + t, steps.chance[t])
