"""The best entry of every throw, for the lanes of one fill side by side.

Most throws score nothing in most boxes. Where the outcome most throws have in a box is
nowhere better than another outcome of that box, it is the floor of all throws, and only the
pairs of throw and box that score are looked at.
"""

from __future__ import annotations

import numpy as np

from challenge.solver.entries import Entries
from challenge.solver.jit import compiled, wide
from challenge.solver.lanes import Lanes
from challenge.solver.model import Fills, Sheet
from challenge.solver.outcomes import Floats, Ints

Columns = tuple[int, int, int]
"""First column, the one after the last, and the lane of the first."""


@compiled
def enter(
    best: Floats,
    columns: Columns,
    fill: int,
    values: Floats,
    sheet: Sheet,
    entries: Entries,
    room: Floats,
) -> None:
    """Into ``best[throw, column]`` the points of the best entry and what follows it.

    ``values`` has the states of the next level; ``room`` is scratch, a row for each outcome
    of a card and one more.
    """
    low, high, _ = columns
    fills, lanes = sheet.fills, sheet.lanes
    mixed = len(best) - len(sheet.equal_throws)
    folded = _look_up_all(room, columns, fill, values, fills, lanes, entries, mixed)
    for t in range(len(best)):
        for i in range(low, high):
            best[t, i] = room[-1, i]
    boxes = entries.equal.shape[1]
    kind = fills.kinds[fill, 0] * boxes
    slot = 0
    for box in range(boxes):
        if fills.mask[fill] >> box & 1:
            continue
        begin, end = entries.start[kind + box], entries.start[kind + box + 1]
        for o in range(begin + (folded >> box & 1), end):
            for at in range(entries.throws_start[o], entries.throws_start[o + 1]):
                t = entries.throws[at]
                for i in range(low, high):
                    best[t, i] = max(best[t, i], room[slot + o - begin, i])
        slot += end - begin
    _enter_equal(best, columns, fill, values, fills, lanes, entries.equal, sheet.equal_throws, room)


@compiled
def _look_up_all(
    room: Floats,
    columns: Columns,
    fill: int,
    values: Floats,
    fills: Fills,
    lanes: Lanes,
    entries: Entries,
    mixed: int,
) -> int:
    """The value of each outcome of each open box of the ``mixed`` throws, row by row.

    The floor goes into the last row; the boxes that are part of it come back as a bit mask.
    """
    low, high, _ = columns
    boxes = entries.equal.shape[1]
    kind = fills.kinds[fill, 0] * boxes
    for i in range(low, high):
        room[-1, i] = -np.inf
    folded = slot = wide(0)
    for box in range(boxes):
        begin, end = entries.start[kind + box], entries.start[kind + box + 1]
        if fills.mask[fill] >> box & 1 or begin == end:
            continue
        for o in range(begin, end):
            made = entries.outcomes[o]
            _look_up(room, slot + o - begin, columns, values, fills, lanes, fill, box, made)
        whole = entries.throws_start[end] - entries.throws_start[begin] == mixed
        if whole and _is_least(room, slot, slot + end - begin, low, high):
            folded |= 1 << box
            for i in range(low, high):
                room[-1, i] = max(room[-1, i], room[slot, i])
        slot += end - begin
    return folded


@compiled
def _look_up(
    room: Floats,
    row: int,
    columns: Columns,
    values: Floats,
    fills: Fills,
    lanes: Lanes,
    fill: int,
    box: int,
    made: Ints,
) -> None:
    """Into a row the points of an entry and the value of the state it leads to."""
    low, high, lane = columns
    uppers = len(lanes.of) - 1
    taken = fills.mask[fill]
    after = taken | 1 << box
    first = fills.at[made[2], after]
    if after & uppers == taken & uppers:
        for i in range(low, high):
            room[row, i] = values[first + lane + i - low] + made[0]
        return
    for i in range(low, high):
        upper = min(lanes.sums[taken & uppers, lane + i - low] + made[1], lanes.threshold)
        room[row, i] = values[first + lanes.of[after & uppers, upper]] + made[0]


@compiled
def _is_least(room: Floats, first: int, end: int, low: int, high: int) -> bool:
    """Whether no other of the rows is anywhere below the first."""
    for row in range(first + 1, end):
        for i in range(low, high):
            if room[row, i] < room[first, i]:
                return False
    return True


@compiled
def _enter_equal(
    best: Floats,
    columns: Columns,
    fill: int,
    values: Floats,
    fills: Fills,
    lanes: Lanes,
    equal: Ints,
    equal_throws: Ints,
    room: Floats,
) -> None:
    """The throws with all dice equal, box by box: placement rules concern them alone."""
    low, high, _ = columns
    for face in range(len(equal_throws)):
        t = equal_throws[face]
        for i in range(low, high):
            best[t, i] = -np.inf
        for box in range(equal.shape[1]):
            made = equal[fills.kinds[fill, face + 1], box]
            if fills.mask[fill] >> box & 1 or made[0] < 0:
                continue
            _look_up(room, wide(0), columns, values, fills, lanes, fill, box, made)
            for i in range(low, high):
                best[t, i] = max(best[t, i], room[0, i])
