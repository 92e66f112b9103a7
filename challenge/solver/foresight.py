"""What each turn on a stream can end with, for :mod:`challenge.solver.hindsight`.

If a turn begins with roll ``k`` and makes ``j`` rolls, each die shows the value of one of the
blocks ``k`` to ``k + j - 1`` at its position, and at least one die that of the last block,
since holding every die is no move; that die can have been rolled each time before, so every
such choice can be played.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from challenge.solver.entries import Entries
from challenge.solver.jit import compiled, wide
from challenge.solver.model import Sheet
from challenge.solver.outcomes import Ints, Steps

Reach = npt.NDArray[np.uint8]
"""``[k, j - 1, throw]``: 1 if a turn that begins with roll ``k`` can show the throw by roll j."""


class Offers(NamedTuple):
    """The best entries within reach of mixed throws: for a turn that begins with roll ``k``
    and makes ``j`` rolls, those of a box of a kind are ``made[start[i]:start[i + 1]]`` with
    ``i = ((k * rolls + j - 1) * kinds + kind) * boxes + box``.
    """

    start: Ints
    made: Ints
    equal: Ints


def within_reach(blocks: Ints, rolls: int, steps: Steps) -> Reach:
    """Every throw each turn can show; ``blocks`` has a row a roll."""
    reach = np.zeros((len(blocks), rolls, len(steps.chance)), np.uint8)
    _mark(reach, blocks, steps.more, steps.first_throw)
    return reach


@compiled
def _mark(reach: Reach, blocks: Ints, more: Ints, first_throw: int) -> None:
    """Count through all choices of a block for each die."""
    dice = blocks.shape[1]
    for k in range(len(blocks)):
        for rolls in range(1, min(reach.shape[1], len(blocks) - k) + 1):
            for choice in range(rolls**dice):
                keep, left, last = 0, choice, False
                for i in range(dice):
                    source = left % rolls
                    left //= rolls
                    last = last or source == rolls - 1
                    keep = more[keep, blocks[k + source, i] - 1]
                if last:
                    reach[k, rolls - 1, keep - first_throw] = 1


def offers_of(reach: Reach, sheet: Sheet) -> Offers:
    """The best entries of every turn."""
    turns, keys = reach.shape[0] * reach.shape[1], len(sheet.late.start) - 1
    start = np.zeros(turns * keys + 1, np.int32)
    most = max(len(sheet.late.outcomes), len(sheet.early.outcomes))
    made = np.zeros((turns * most, 3), np.int32)
    _offer(start, made, reach, sheet.late, sheet.early)
    k, j, face = np.nonzero(reach[:, :, sheet.equal_throws])
    equal = np.stack([k, j, face + 1], axis=1).astype(np.int32)
    return Offers(start, made[: start[-1]].copy(), equal)


@compiled
def _offer(start: Ints, made: Ints, reach: Reach, late: Entries, early: Entries) -> None:
    at = count = wide(0)
    for k in range(reach.shape[0]):
        for j in range(reach.shape[1]):
            entries = early if j == 0 else late
            for key in range(len(late.start) - 1):
                first = count
                for o in range(entries.start[key], entries.start[key + 1]):
                    if _is_within(reach, k, j, entries, o):
                        count = _add(made, first, count, entries.outcomes, o)
                at += 1
                start[at] = count


@compiled
def _is_within(reach: Reach, k: int, j: int, entries: Entries, outcome: int) -> bool:
    """Whether one of the throws of an outcome can be shown."""
    for i in range(entries.throws_start[outcome], entries.throws_start[outcome + 1]):
        if reach[k, j, entries.throws[i]]:
            return True
    return False


@compiled
def _add(made: Ints, first: int, count: int, outcomes: Ints, outcome: int) -> int:
    """Add an outcome to ``made[first:count]`` unless one there is as good; the new count."""
    points, rise, note = outcomes[outcome, 0], outcomes[outcome, 1], outcomes[outcome, 2]
    for i in range(first, count):
        if made[i, 2] == note and made[i, 0] >= points and made[i, 1] >= rise:
            return count
        if made[i, 2] == note and made[i, 0] <= points and made[i, 1] <= rise:
            made[i, 0], made[i, 1] = points, rise
            return count
    made[count, 0], made[count, 1], made[count, 2] = points, rise, note
    return count + 1
