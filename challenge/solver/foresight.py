"""The compiled part of :mod:`challenge.solver.hindsight`."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from challenge.solver.entries import Entries
from challenge.solver.jit import compiled
from challenge.solver.model import Fills, Sheet
from challenge.solver.outcomes import Ints, Steps

Totals = npt.NDArray[np.float32]
Reach = npt.NDArray[np.uint8]
"""``[k, j - 1, throw]``: 1 if a turn that begins with roll ``k`` can show the throw by roll j."""


class Spans(NamedTuple):
    """Upper sums in a row, so that an entry is a shift. Per set of filled upper boxes (a bit
    mask ``m``) place 0 stands for every sum too low for the bonus, the places from 1 on for
    the sums from ``low[m]``; there are ``width[m]`` of them. The places of fill ``i`` are
    ``first[i]`` to ``first[i + 1]``, ``at[note, mask]`` finds the first one.
    """

    low: Ints
    width: Ints
    first: Ints
    at: Ints


class Offers(NamedTuple):
    """The best entries within reach of mixed throws: for a turn that begins with roll ``k``
    and makes ``j`` rolls, those of a box of a kind are ``made[start[i]:start[i + 1]]`` with
    ``i = ((k * rolls + j - 1) * kinds + kind) * boxes + box``.
    """

    start: Ints
    made: Ints


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
    return Offers(start, made[: start[-1]].copy())


@compiled
def _offer(start: Ints, made: Ints, reach: Reach, late: Entries, early: Entries) -> None:
    at = count = 0
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


@compiled
def best_level(
    here: Totals,
    ahead: Totals,
    level: tuple[int, int, int, int, int],
    fills: Fills,
    spans: Spans,
    equal: tuple[Ints, Ints, Ints],
    reach: Reach,
    offers: Offers,
) -> None:
    """Fill ``here`` from ``ahead``: the best further score of every state of a level.

    Both are blocks, one a fill, each with a row for every number of rolls made so far and a
    column for every place of its span. ``level`` is the number of boxes filled, the first
    fill of the level and the one after its last, the first places of this level and of the
    next. ``equal`` are the entries of all-equal throws, later and first, and their throws.
    """
    filled, begin, end, first, after = level
    late, early, equal_throws = equal
    boxes, rolls = late.shape[1], reach.shape[1]
    kinds = (len(offers.start) - 1) // (reach.shape[0] * rolls)
    rows = filled * (rolls - 1) + 1
    for fill in range(begin, end):
        taken = fills.mask[fill]
        mine = (spans.first[fill] - first) * rows
        for box in range(boxes):
            if taken >> box & 1:
                continue
            move = (mine, taken, taken | 1 << box, after, rows + rolls - 1)
            for k in range(rows):
                for j in range(rolls):
                    turn = (k + filled) * rolls + j
                    at = turn * kinds + fills.kinds[fill, 0] * boxes + box
                    for i in range(offers.start[at], offers.start[at + 1]):
                        _raise(here, ahead, k, j, move, offers.made, i, spans)
                    for face in range(len(equal_throws)):
                        if reach[k + filled, j, equal_throws[face]]:
                            kind = fills.kinds[fill, face + 1]
                            made = early[kind] if j == 0 else late[kind]
                            if made[box, 0] >= 0:
                                _raise(here, ahead, k, j, move, made, box, spans)


@compiled
def _raise(
    here: Totals,
    ahead: Totals,
    k: int,
    j: int,
    move: tuple[int, int, int, int, int],
    made: Ints,
    i: int,
    spans: Spans,
) -> None:
    """One entry, for all upper sums of a fill side by side."""
    mine, taken, then, after, rows = move
    uppers = len(spans.low) - 1
    low, width = spans.low[taken & uppers], spans.width[taken & uppers]
    low_then, width_then = spans.low[then & uppers], spans.width[then & uppers]
    points = np.float32(made[i, 0])
    shift = low + made[i, 1] - low_then  # from place to place, where neither end is passed
    to = mine + k * width
    of = (spans.at[made[i, 2], then] - after) * rows + (k + j) * width_then
    lost = min(max(1 - shift, 1), width)
    kept = max(min(width_then - shift, width), lost)
    value = ahead[of] + points
    for place in range(lost):
        here[to + place] = max(here[to + place], value)
    for place in range(lost, kept):
        here[to + place] = max(here[to + place], ahead[of + place + shift] + points)
    value = ahead[of + width_then - 1] + points
    for place in range(kept, width):
        here[to + place] = max(here[to + place], value)
