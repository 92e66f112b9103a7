"""How much a game on a known stream can still bring, with upper points at a price.

For a price ``p`` the upper bonus is left away and each upper point counts ``1 + p`` instead of
1. Then the upper sum so far does not matter, and the best of all is found for each fill and
number of rolls made alone. If ``v`` is that best, no way from there that lifts the upper sum
by ``d`` or more brings more than ``v - p * d`` points, bonus apart (Lagrange).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from challenge.solver.foresight import Offers
from challenge.solver.jit import compiled
from challenge.solver.model import Fills, Model
from challenge.solver.outcomes import Ints

Gains = npt.NDArray[np.float32]
"""Points, whole or with a simple fraction: exact in 32 bits."""


class Plan(NamedTuple):
    """A sheet as :func:`best_of_all` walks it.

    Fill ``i`` has a row of bounds from ``row[i]`` on, one for each number of rolls made, from
    the fewest. ``at[note, mask]`` finds a fill. ``level[n]`` is the first fill with ``n``
    boxes filled. The mixed entries into a box of a kind (``key = kind * boxes + box``) are
    apart by next note: ``note[i]`` for ``i`` from ``slot[key]`` to ``slot[key + 1]``.
    """

    row: Ints
    at: Ints
    level: Ints
    slot: Ints
    note: Ints


def plan_of(model: Model) -> Plan:
    """The plan of a sheet; it does not depend on the stream."""
    level = [*map(model.fill_at, model.levels[:-1]), len(model.fills.mask)]
    rows = [n * (model.sheet.rolls - 1) + 1 for n in range(len(level) - 1)]
    row = np.cumsum([0, *np.repeat(rows, np.diff(level))])
    at = np.full_like(model.fills.at, -1)
    here = model.fills.at >= 0
    at[here] = np.searchsorted(model.fills.first, model.fills.at[here])
    notes = [sorted(_notes(model, key)) for key in range(len(model.sheet.late.start) - 1)]
    return Plan(
        row.astype(np.int32),
        at,
        np.array(level, np.int32),
        np.cumsum([0, *map(len, notes)], dtype=np.int32),
        np.array([note for each in notes for note in each], np.int32),
    )


def _notes(model: Model, key: int) -> set[int]:
    """The notes a mixed entry can lead to."""
    return {
        int(note)
        for entries in (model.sheet.late, model.sheet.early)
        for note in entries.outcomes[entries.start[key] : entries.start[key + 1], 2]
    }


@compiled
def gains_of(gains: Gains, price: float, offers: Offers, slot: Ints, note: Ints) -> None:
    """The best mixed entry, upper points at their price: ``gains[i, j, k]`` for slot ``i`` and
    ``j + 1`` rolls from roll ``k`` on. Starts as all -inf.
    """
    keys = len(slot) - 1
    for k in range(gains.shape[2]):
        for j in range(gains.shape[1]):
            for key in range(keys):
                at = (k * gains.shape[1] + j) * keys + key
                for i in range(offers.start[at], offers.start[at + 1]):
                    gain = np.float32(offers.made[i, 0] + price * offers.made[i, 1])
                    for s in range(slot[key], slot[key + 1]):
                        if note[s] == offers.made[i, 2]:
                            gains[s, j, k] = max(gains[s, j, k], gain)


@compiled
def best_of_all(
    best: Gains,
    price: float,
    gains: Gains,
    offers: Offers,
    fills: Fills,
    plan: Plan,
    late: Ints,
    early: Ints,
) -> None:
    """The best further score of every fill and number of rolls, backward; starts as -inf but
    for full sheets, which are 0. ``late`` and ``early`` are the entries of all-equal throws.
    """
    boxes, rolls = late.shape[1], gains.shape[1]
    for filled in range(boxes - 1, -1, -1):
        rows = filled * (rolls - 1) + 1
        for fill in range(plan.level[filled], plan.level[filled + 1]):
            mask, here = fills.mask[fill], plan.row[fill]
            for box in range(boxes):
                if mask >> box & 1:
                    continue
                key = fills.kinds[fill, 0] * boxes + box
                for s in range(plan.slot[key], plan.slot[key + 1]):
                    ahead = plan.row[plan.at[plan.note[s], mask | 1 << box]]
                    for j in range(rolls):
                        for k in range(rows):
                            gain = best[ahead + k + j] + gains[s, j, filled + k]
                            best[here + k] = max(best[here + k], gain)
                for i in range(len(offers.equal)):
                    k, j = offers.equal[i, 0] - filled, offers.equal[i, 1]
                    if 0 <= k < rows:
                        kind = fills.kinds[fill, offers.equal[i, 2]]
                        made = early[kind, box] if j == 0 else late[kind, box]
                        if made[0] >= 0:
                            ahead = plan.row[plan.at[made[2], mask | 1 << box]]
                            gain = best[ahead + k + j] + np.float32(made[0] + price * made[1])
                            best[here + k] = max(best[here + k], gain)


def bounds_of(model: Model, plan: Plan, offers: Offers, prices: tuple[float, ...]) -> Gains:
    """The best further score by price, shape ``(prices, rows of the plan)``."""
    late, early = model.sheet.late, model.sheet.early
    most = len(model.ruleset.boxes) * model.sheet.rolls
    best = np.full((len(prices), plan.row[-1]), -np.inf, np.float32)
    best[:, plan.row[plan.level[-2]] :] = 0
    for row, price in zip(best, prices, strict=True):
        gains = np.full((len(plan.note), model.sheet.rolls, most), -np.inf, np.float32)
        gains_of(gains, price, offers, plan.slot, plan.note)
        best_of_all(row, price, gains, offers, model.fills, plan, late.equal, early.equal)
    return best
