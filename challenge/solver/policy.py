"""What the optimal player does in one state: how likely each entry is that ends the turn.

Where actions are worth the same (within ``TIE``), an entry comes before a roll, a lower box
before a higher one, and the longer keep before its parts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from challenge.solver.entries import Entries
from challenge.solver.jit import compiled
from challenge.solver.model import Sheet
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


@compiled
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


@compiled
def make_exits(sheet: Sheet) -> Exits:
    """Slots enough for every state."""
    boxes = sheet.late.equal_points.shape[1]
    slots = len(sheet.late.points) + len(sheet.early.points) + 2 * 6 * boxes
    return Exits(np.zeros(slots, np.int32), np.zeros(slots, np.int32), np.zeros(slots))


@compiled
def turn_exits(fill: int, lane: int, values: Floats, sheet: Sheet, room: Room, out: Exits) -> int:
    """Fill ``out`` for one state; how many slots were used comes back."""
    late = _best_entries(0, 0, fill, lane, values, sheet, sheet.late, room, out)
    used = late
    if sheet.differs:
        used = _best_entries(1, late, fill, lane, values, sheet, sheet.early, room, out)
    else:
        room.entered[1], room.slot[1] = room.entered[0], room.slot[0]
    out.chance[:used] = 0.0
    _decide(room, sheet)
    _play(room, sheet, out)
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
    boxes = entries.equal_points.shape[1]
    taken = sheet.fills.mask[fill]
    room.entered[when] = -np.inf
    for box in range(boxes):
        if taken >> box & 1:
            continue
        at = sheet.fills.mixed[fill] * boxes + box
        for o in range(entries.start[at], entries.start[at + 1]):
            out.to[slot] = _next(fill, lane, box, entries.note[o], entries.rise[o], sheet)
            out.points[slot] = entries.points[o]
            value = values[out.to[slot]] + out.points[slot]
            for i in range(entries.throws_start[o], entries.throws_start[o + 1]):
                _raise(room, when, entries.throws[i], value, slot)
            slot += 1
        for face in range(len(sheet.equal_throws)):
            kind = sheet.fills.equal[fill, face]
            out.points[slot] = entries.equal_points[kind, box]
            if out.points[slot] >= 0:
                note, rise = entries.equal_note[kind, box], entries.equal_rise[kind, box]
                out.to[slot] = _next(fill, lane, box, note, rise, sheet)
                value = values[out.to[slot]] + out.points[slot]
                _raise(room, when, sheet.equal_throws[face], value, slot)
                slot += 1
    return slot


@compiled
def _next(fill: int, lane: int, box: int, note: int, rise: int, sheet: Sheet) -> int:
    """The state after an entry."""
    lanes = sheet.lanes
    uppers = len(lanes.counts) - 1
    taken = sheet.fills.mask[fill]
    after = taken | 1 << box
    upper = min(lanes.sums[taken & uppers, lane] + rise, lanes.threshold)
    return int(sheet.fills.at[note, after] + lanes.of[after & uppers, upper])


@compiled
def _raise(room: Room, when: int, throw: int, value: float, slot: int) -> None:
    if value > room.entered[when, throw] + TIE:
        room.entered[when, throw] = value
        room.slot[when, throw] = slot


@compiled
def _decide(room: Room, sheet: Sheet) -> None:
    """For each roll but the last, what to keep of every throw (itself: enter it)."""
    steps = sheet.steps
    full = steps.first_throw
    after = room.keeps[0]
    after[full:] = room.entered[1 if sheet.rolls == 1 else 0]
    for left in range(1, sheet.rolls):
        keeps, choice = room.keeps[left], room.choice[left]
        keeps[full:] = after[full:]
        for k in range(full - 1, -1, -1):
            total = 0.0
            for face in range(6):
                total += keeps[steps.more[k, face]]
            keeps[k] = total / 6.0
        keeps[full:] = room.entered[1 if left == sheet.rolls - 1 else 0]
        for k in range(len(keeps)):
            choice[k] = k
            for j in range(steps.fewer_count[k]):
                less = steps.fewer[k, j]
                if keeps[less] > keeps[k] + TIE:
                    keeps[k] = keeps[less]
                    choice[k] = choice[less]
        after = keeps


@compiled
def _play(room: Room, sheet: Sheet, out: Exits) -> None:
    """Follow the decisions from the first roll on."""
    steps, mass = sheet.steps, room.mass
    full = steps.first_throw
    mass[:full] = 0.0
    mass[full:] = steps.chance
    for left in range(sheet.rolls - 1, -1, -1):
        when = 1 if left == sheet.rolls - 1 else 0
        for throw in range(len(steps.chance)):
            chance = mass[full + throw]
            mass[full + throw] = 0.0
            to = full + throw if left == 0 else room.choice[left, full + throw]
            if to == full + throw:
                out.chance[room.slot[when, throw]] += chance
            else:
                mass[to] += chance
        _roll(mass, steps)


@compiled
def _roll(mass: Floats, steps: Steps) -> None:
    """Roll what is not kept, a die at a time."""
    for k in range(steps.first_throw):
        share = mass[k] / 6.0
        mass[k] = 0.0
        if share > 0.0:
            for face in range(6):
                mass[steps.more[k, face]] += share
