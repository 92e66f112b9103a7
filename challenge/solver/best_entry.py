"""The best entry of every throw, for the lanes of one fill side by side.

Most throws score nothing in most boxes. Where the outcome most throws have in a box is
nowhere better than another outcome of that box, it is the floor of all throws, and only the
pairs of throw and box that score are looked at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from challenge.solver.entries import Entries
from challenge.solver.jit import compiled
from challenge.solver.model import Sheet
from challenge.solver.outcomes import Floats

Flags = npt.NDArray[np.bool_]
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
    taken = sheet.fills.mask[fill]
    boxes = entries.equal_points.shape[1]
    begins = entries.start[sheet.fills.mixed[fill] * boxes :]
    folded = np.zeros(boxes, np.bool_)
    _look_up_all(room, folded, columns, fill, values, sheet, entries)
    floor = room[-1]
    for t in range(len(best)):
        for i in range(low, high):
            best[t, i] = floor[i]
    slot = 0
    for box in range(boxes):
        if taken >> box & 1:
            continue
        for o in range(begins[box] + folded[box], begins[box + 1]):
            _raise_throws(best, room[slot + o - begins[box]], low, high, o, entries)
        slot += begins[box + 1] - begins[box]
    _enter_equal(best, columns, fill, values, sheet, entries, room[0])


@compiled
def _look_up_all(
    room: Floats,
    folded: Flags,
    columns: Columns,
    fill: int,
    values: Floats,
    sheet: Sheet,
    entries: Entries,
) -> None:
    """The value of each outcome of each open box, row by row; the floor into the last row."""
    low, high, _ = columns
    taken = sheet.fills.mask[fill]
    boxes = entries.equal_points.shape[1]
    begins = entries.start[sheet.fills.mixed[fill] * boxes :]
    mixed = len(sheet.steps.chance) - len(sheet.equal_throws)
    floor = room[-1]
    floor[low:high] = -np.inf
    slot = 0
    for box in range(boxes):
        begin, end = begins[box], begins[box + 1]
        if taken >> box & 1 or begin == end:
            continue
        for o in range(begin, end):
            to = (taken, taken | 1 << box, entries.note[o], entries.rise[o])
            _look_up(room[slot + o - begin], columns, values, sheet, to, entries.points[o])
        whole = entries.throws_start[end] - entries.throws_start[begin] == mixed
        if whole and _is_least(room[slot : slot + end - begin], low, high):
            folded[box] = True
            for i in range(low, high):
                floor[i] = max(floor[i], room[slot, i])
        slot += end - begin


@compiled
def _look_up(
    row: Floats,
    columns: Columns,
    values: Floats,
    sheet: Sheet,
    to: tuple[int, int, int, int],
    points: int,
) -> None:
    """The points of an entry and the value of the state it leads to.

    ``to`` is the filled boxes before and after, the next note, the rise of the upper sum.
    """
    low, high, lane = columns
    taken, after, note, rise = to
    lanes = sheet.lanes
    uppers = len(lanes.counts) - 1
    first = sheet.fills.at[note, after]
    if after & uppers == taken & uppers:
        for i in range(low, high):
            row[i] = values[first + lane + i - low] + points
        return
    for i in range(low, high):
        upper = min(lanes.sums[taken & uppers, lane + i - low] + rise, lanes.threshold)
        row[i] = values[first + lanes.of[after & uppers, upper]] + points


@compiled
def _is_least(rows: Floats, low: int, high: int) -> bool:
    """Whether no other row is anywhere below the first."""
    for slot in range(1, len(rows)):
        for i in range(low, high):
            if rows[slot, i] < rows[0, i]:
                return False
    return True


@compiled
def _raise_throws(
    best: Floats, row: Floats, low: int, high: int, outcome: int, entries: Entries
) -> None:
    """The throws of one outcome are worth at least its value."""
    for at in range(entries.throws_start[outcome], entries.throws_start[outcome + 1]):
        t = entries.throws[at]
        for i in range(low, high):
            best[t, i] = max(best[t, i], row[i])


@compiled
def _enter_equal(
    best: Floats,
    columns: Columns,
    fill: int,
    values: Floats,
    sheet: Sheet,
    entries: Entries,
    row: Floats,
) -> None:
    """The throws with all dice equal, box by box: placement rules concern them alone."""
    low, high, _ = columns
    taken = sheet.fills.mask[fill]
    for face in range(len(sheet.equal_throws)):
        t = sheet.equal_throws[face]
        best[t, low:high] = -np.inf
        kind = sheet.fills.equal[fill, face]
        for box in range(entries.equal_points.shape[1]):
            points = entries.equal_points[kind, box]
            if taken >> box & 1 or points < 0:
                continue
            rise, note = entries.equal_rise[kind, box], entries.equal_note[kind, box]
            _look_up(row, columns, values, sheet, (taken, taken | 1 << box, note, rise), points)
            for i in range(low, high):
                best[t, i] = max(best[t, i], row[i])
