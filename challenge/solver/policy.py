"""What the optimal player does in one state: how likely each entry is that ends the turn.

Where actions are worth the same (within ``TIE``), an entry comes before a roll, a lower box
before a higher one, and the longer keep before its parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from challenge.solver.entries import Entries
from challenge.solver.jit import compiled, wide
from challenge.solver.lanes import Lanes
from challenge.solver.model import Fills, Sheet
from challenge.solver.outcomes import Floats, Ints, Steps

TIE = 1e-9


class Exits(NamedTuple):
    """The ways a turn can end, one a slot: the next state, the points, the probability."""

    to: Ints
    points: Ints
    chance: Floats


class Room(NamedTuple):
    """Scratch for one state. Per throw and by which roll it was made (0 = a later one, 1 = the
    first): ``entered`` the value of its best entry, ``slot`` that entry. Per keep: ``keeps``
    its value, ``choice`` the keep taken from it, ``mass`` the probability to hold it.
    """

    entered: Floats
    slot: Ints
    keeps: Floats
    choice: Ints
    mass: Floats


def make_room(sheet: Sheet) -> Room:
    """Scratch of the right size."""
    throws, keeps, rolls = len(sheet.steps.chance), len(sheet.steps.fewer), sheet.rolls
    return Room(
        np.zeros((2, throws)),
        np.zeros((2, throws), np.int32),
        np.zeros((rolls, keeps)),
        np.zeros((rolls, keeps), np.int32),
        np.zeros(keeps),
    )


def make_exits(sheet: Sheet) -> Exits:
    """Slots enough for every state."""
    boxes = sheet.late.equal.shape[1]
    slots = len(sheet.late.outcomes) + len(sheet.early.outcomes) + 2 * 6 * boxes
    return Exits(np.zeros(slots, np.int32), np.zeros(slots, np.int32), np.zeros(slots))


@compiled
def turn_exits(fill: int, lane: int, values: Floats, sheet: Sheet, room: Room, out: Exits) -> int:
    """Fill ``out`` for one state; how many slots were used comes back."""
    used = wide(0)
    for when in range(2):
        if when == 0 or sheet.differs:
            entries = sheet.early if when == 1 else sheet.late
            used = _best_entries(when, used, fill, lane, values, sheet, entries, room, out)
        else:
            for throw in range(len(sheet.steps.chance)):
                room.entered[1, throw] = room.entered[0, throw]
                room.slot[1, throw] = room.slot[0, throw]
    for slot in range(used):
        out.chance[slot] = 0.0
    _decide(room, sheet.steps, sheet.rolls)
    _play(room, sheet.steps, sheet.rolls, out.chance)
    return used


@compiled
def _best_entries(
    when: int,
    slot: int,
    fill: int,
    lane: int,
    values: Floats,
    sheet: Sheet,
    entries: Entries,
    room: Room,
    out: Exits,
) -> int:
    """The best entry of every throw; slots are numbered on from ``slot``."""
    boxes = entries.equal.shape[1]
    taken = sheet.fills.mask[fill]
    for throw in range(room.entered.shape[1]):
        room.entered[when, throw] = -np.inf
    for box in range(boxes):
        if taken >> box & 1:
            continue
        at = sheet.fills.kinds[fill, 0] * boxes + box
        begin, mixed = entries.start[at], entries.start[at + 1] - entries.start[at]
        for i in range(mixed + len(sheet.equal_throws)):
            if i < mixed:
                made = entries.outcomes[begin + i]
            else:
                made = entries.equal[sheet.fills.kinds[fill, i - mixed + 1], box]
            if made[0] < 0:
                continue
            out.to[slot] = _next(taken, lane, box, made, sheet.fills, sheet.lanes)
            out.points[slot] = made[0]
            value = values[out.to[slot]] + made[0] - TIE
            if i < mixed:
                first, end = entries.throws_start[begin + i], entries.throws_start[begin + i + 1]
                for j in range(first, end):
                    _raise(room, when, entries.throws[j], value, slot)
            else:
                _raise(room, when, sheet.equal_throws[i - mixed], value, slot)
            slot += 1
    return slot


@compiled
def _next(taken: int, lane: int, box: int, made: Ints, fills: Fills, lanes: Lanes) -> int:
    """The state after an entry."""
    uppers = len(lanes.of) - 1
    after = taken | 1 << box
    upper = min(lanes.sums[taken & uppers, lane] + made[1], lanes.threshold)
    return int(fills.at[made[2], after] + lanes.of[after & uppers, upper])


@compiled
def _raise(room: Room, when: int, throw: int, low: float, slot: int) -> None:
    """An entry is the best so far of a throw if even ``TIE`` below its value it is better."""
    if low > room.entered[when, throw]:
        room.entered[when, throw] = low + TIE
        room.slot[when, throw] = slot


@compiled
def _decide(room: Room, steps: Steps, rolls: int) -> None:
    """For each roll but the last, what to keep of every throw (itself: enter it)."""
    full = steps.first_throw
    for left in range(rolls):
        when = 1 if left == rolls - 1 else 0
        if left:
            for throw in range(len(steps.chance)):
                room.keeps[left, full + throw] = room.keeps[left - 1, full + throw]
            for k in range(full - 1, -1, -1):
                total = 0.0
                for face in range(6):
                    total += room.keeps[left, steps.more[k, face]]
                room.keeps[left, k] = total / 6.0
        for throw in range(len(steps.chance)):
            room.keeps[left, full + throw] = room.entered[when, throw]
        for k in range(full + len(steps.chance)):
            room.choice[left, k] = k
            for j in range(steps.fewer_count[k]):
                less = steps.fewer[k, j]
                if left and room.keeps[left, less] > room.keeps[left, k] + TIE:
                    room.keeps[left, k] = room.keeps[left, less]
                    room.choice[left, k] = room.choice[left, less]


@compiled
def _play(room: Room, steps: Steps, rolls: int, exits: Floats) -> None:
    """Follow the decisions from the first roll on."""
    full = steps.first_throw
    for k in range(full + len(steps.chance)):
        room.mass[k] = 0.0 if k < full else steps.chance[k - full]
    for left in range(rolls - 1, -1, -1):
        when = 1 if left == rolls - 1 else 0
        for throw in range(len(steps.chance)):
            chance = room.mass[full + throw]
            room.mass[full + throw] = 0.0
            to = room.choice[left, full + throw]
            if to == full + throw:
                exits[room.slot[when, throw]] += chance
            else:
                room.mass[to] += chance
        _roll(room.mass, steps)


@compiled
def _roll(mass: Floats, steps: Steps) -> None:
    """Roll what is not kept, a die at a time."""
    for k in range(steps.first_throw):
        share = mass[k] / 6.0
        mass[k] = 0.0
        if share > 0.0:
            for face in range(6):
                mass[steps.more[k, face]] += share
