"""What the upper sum of a sheet still means.

With the bonus at 63 an upper sum matters only capped at 63, and only while the open upper
boxes can still lift it there: sums that cannot are one and the same lane. So a sheet with
only the ones open has seven lanes (58 to 63, and "too low"), a full one has two. Sums no
game can reach have no lane.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from challenge.solver.outcomes import Ints


class Lanes(NamedTuple):
    """Lanes per set of filled upper boxes (a bit mask ``m``).

    ``of[m, u]`` is the lane of the upper sum ``u`` (0 to ``threshold``, capped there), -1
    where no game gets there; ``sums[m, lane]`` a sum of the lane, its lowest.
    Without a bonus ``threshold`` is 0 and every set has one lane.
    """

    of: Ints
    sums: Ints
    threshold: int

    @property
    def counts(self) -> Ints:
        """How many lanes each set has."""
        counts: Ints = self.of.max(axis=1) + 1
        return counts


def make_lanes(rises: Sequence[frozenset[int]], threshold: int) -> Lanes:
    """The lanes of upper boxes of which box ``i`` can add each of ``rises[i]`` to the sum."""
    sets = 1 << len(rises)
    of = np.full((sets, threshold + 1), -1, np.int32)
    sums: list[list[int]] = []
    for taken in range(sets):
        reached = _reached([r for i, r in enumerate(rises) if taken >> i & 1], threshold)
        ahead = sum(max(r) for i, r in enumerate(rises) if not taken >> i & 1)
        low = [u for u in reached if u + ahead < threshold]
        live = [u for u in reached if u + ahead >= threshold]
        sums.append(low[:1] + live)
        of[taken, low] = 0
        of[taken, live] = np.arange(len(live)) + len(low[:1])
    width = max(map(len, sums))
    table = np.array([row + [0] * (width - len(row)) for row in sums], np.int32)
    return Lanes(of, table, threshold)


def _reached(rises: list[frozenset[int]], threshold: int) -> list[int]:
    """Every capped sum of one rise a box, ascending."""
    found = {0}
    for each in rises:
        found = {min(threshold, u + rise) for u in found for rise in each}
    return sorted(found)
