"""The search of :mod:`challenge.solver.hindsight`: forward, kept small by bounds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from challenge.solver.bounds import Gains, Plan
from challenge.solver.foresight import Offers
from challenge.solver.jit import compiled, wide
from challenge.solver.model import Fills
from challenge.solver.outcomes import Floats, Ints

ROUNDING = 0.001  # bounds are exact; this only keeps what equals the best


class Nodes(NamedTuple):
    """Sheets on the way, one a row. ``at``: fill, rolls made, upper sum (capped), points.
    ``way``: the row of the sheet before, and the rolls, box, points, rise of the upper sum and
    next note of the turn that led from there.
    """

    at: Ints
    way: Ints


class Bonus(NamedTuple):
    """``points`` once the upper sum is ``threshold``."""

    threshold: int
    points: int


class Ground(NamedTuple):
    """What does not change during a search: the sheet, the stream's offers, the bounds by
    price. ``late`` and ``early`` are the entries of all-equal throws.
    """

    fills: Fills
    plan: Plan
    offers: Offers
    late: Ints
    early: Ints
    rolls: int
    prices: Floats
    bounds: Gains
    bonus: Bonus


@compiled
def ways_from(found: Ints, fill: int, rolls_made: int, ground: Ground) -> int:
    """Into ``found`` every turn to try from a sheet: next fill, rolls, box, points, rise, note.

    How many there are comes back; ``found`` must have room for all.
    """
    fills, offers = ground.fills, ground.offers
    boxes, count = ground.late.shape[1], wide(0)
    keys = len(ground.plan.slot) - 1
    for box in range(boxes):
        if fills.mask[fill] >> box & 1:
            continue
        key = fills.kinds[fill, 0] * boxes + box
        for j in range(ground.rolls):
            at = (rolls_made * ground.rolls + j) * keys + key
            for i in range(offers.start[at], offers.start[at + 1]):
                count = _note_down(found, count, fill, j, box, offers.made[i], ground)
        for i in range(len(offers.equal)):
            if offers.equal[i, 0] == rolls_made:
                j, kind = wide(offers.equal[i, 1]), fills.kinds[fill, offers.equal[i, 2]]
                made = ground.early[kind, box] if j == 0 else ground.late[kind, box]
                if made[0] >= 0:
                    count = _note_down(found, count, fill, j, box, made, ground)
    return count


@compiled
def _note_down(
    found: Ints, count: int, fill: int, j: int, box: int, made: Ints, ground: Ground
) -> int:
    found[count, 0] = ground.plan.at[made[2], ground.fills.mask[fill] | 1 << box]
    found[count, 1] = j + 1
    found[count, 2] = box
    for i in range(3):
        found[count, 3 + i] = made[i]
    return count + 1


@compiled
def greedy(found: Ints, price: int, ground: Ground) -> int:
    """The total of the game that follows one price's bounds; a game, so no less than the best."""
    boxes = ground.late.shape[1]
    fill = rolls_made = upper = points = wide(0)
    for filled in range(boxes):
        count = ways_from(found, fill, rolls_made, ground)
        best, way = -np.inf, 0
        for i in range(count):
            row = ground.plan.row[found[i, 0]] + rolls_made + found[i, 1] - filled - 1
            gain = ground.bounds[price, row] + found[i, 3] + ground.prices[price] * found[i, 4]
            if gain > best:
                best, way = gain, i
        fill, rolls_made = found[way, 0], rolls_made + found[way, 1]
        points, upper = points + found[way, 3], upper + found[way, 4]
    return points + (ground.bonus.points if upper >= ground.bonus.threshold else 0)


@compiled
def most_from(fill: int, row: int, upper: int, points: int, ground: Ground) -> float:
    """No game through this sheet has a higher total."""
    missing = ground.bonus.threshold - upper
    plain, with_bonus = np.inf, np.inf
    for price in range(len(ground.prices)):
        bound = points + ground.bounds[price, ground.plan.row[fill] + row]
        plain = min(plain, bound)
        with_bonus = min(with_bonus, bound - ground.prices[price] * missing)
    return max(plain, with_bonus + ground.bonus.points)


@compiled
def advance(
    new: Nodes, old: Nodes, filled: int, cells: Ints, least: int, found: Ints, ground: Ground
) -> int:
    """The sheets one turn later that may still reach the total ``least``; how many they are.

    Of several ways to the same sheet the one with most points stays. ``cells`` is scratch, all
    zero. -1 if ``new`` has no room for all.
    """
    first, rows = ground.plan.level[filled + 1], (filled + 1) * (ground.rolls - 1) + 1
    width, count = ground.bonus.threshold + 1, 0
    for node in range(len(old.at)):
        fill, rolls_made = wide(old.at[node, 0]), wide(old.at[node, 1])
        for i in range(ways_from(found, fill, rolls_made, ground)):
            to, row = found[i, 0], rolls_made + found[i, 1] - filled - 1
            upper = min(old.at[node, 2] + found[i, 4], ground.bonus.threshold)
            points = old.at[node, 3] + found[i, 3]
            if most_from(to, row, upper, points, ground) < least - ROUNDING:
                continue
            cell = ((to - first) * rows + row) * width + upper
            at = cells[cell] - 1
            if at < 0:
                if count == len(new.at):
                    return -1
                at, count = count, count + 1
                cells[cell] = count
            elif new.at[at, 3] >= points:
                continue
            new.at[at, 0], new.at[at, 1] = to, rolls_made + found[i, 1]
            new.at[at, 2], new.at[at, 3] = upper, points
            new.way[at, 0] = node
            for j in range(5):
                new.way[at, 1 + j] = found[i, 1 + j]
    return count
