"""What the choices of games say about whether their player knew the dice, in a few numbers.

:mod:`challenge.daily.fairplay` works them out and derives what they mean. No numpy: pages show
them without the extra.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import exp, log, log10, sqrt
from typing import NamedTuple


class Scout(NamedTuple):
    """Somebody who knows the next block: differences below ``tau`` points hardly matter, and
    only a ``share`` of the choices is made with that knowledge."""

    tau: float
    share: float


SCOUTS = (Scout(1.0, 0.6), Scout(8.0, 0.9))
"""One who follows the next roll closely, and one who plans beyond it and so follows it loosely."""

NOTABLE = log10(300)
"""Odds worth a look, as of :func:`odds`. At most one honest player in 300 reaches 300 to 1; in
simulation, of every honest kind, no more than one game in a thousand does
(``tests/bench/test_fairplay.py``)."""

CLEAR = 3.0
"""Odds no way of playing explains: at most one honest player in a thousand reaches 1,000 to 1."""

LARGEST = 12.0  # odds; what lies above is as certain
ROUNDING = 1e-9


class Evidence(NamedTuple):
    """What the choices of some games say, added up over them.

    ``gained`` is in points, ``variance`` in points squared, ``logs`` the natural logarithm of
    the odds that each of :data:`SCOUTS` made the choices.
    """

    choices: int
    gained: float
    variance: float
    logs: tuple[float, ...]


NOTHING = Evidence(0, 0.0, 0.0, (0.0,) * len(SCOUTS))


def together(found: Iterable[Evidence]) -> Evidence:
    """The evidence of several games of one player."""
    rows = [NOTHING, *found]
    logs = zip(*(row.logs for row in rows), strict=True)
    return Evidence(
        sum(row.choices for row in rows),
        sum(row.gained for row in rows),
        sum(row.variance for row in rows),
        tuple(map(sum, logs)),
    )


def deviations(found: Evidence) -> float:
    """Points gained in standard deviations of who does not know the dice; 0 without a choice."""
    return found.gained / sqrt(found.variance) if found.variance > 0 else 0.0


def odds(found: Evidence) -> float:
    """The odds that a scout made these choices, as a power of ten.

    >>> round(odds(Evidence(1, 0.0, 1.0, (log(1000), log(1000)))), 6)
    3.0
    """
    most = max(found.logs)
    mean = sum(exp(one - most) for one in found.logs) / len(found.logs)
    return (most + log(mean)) / log(10)


def shown(odds: float) -> tuple[int, int]:
    """Odds to show: a number of two leading digits or, where it is too large, a power of ten.

    What speaks for the player is shown as 1.

    >>> shown(3.21), shown(-2.0), shown(14.9)
    ((1600, 0), (1, 0), (1, 14))
    """
    if odds >= LARGEST:
        return 1, int(odds)
    value = int(10 ** max(odds, 0.0) * (1 + ROUNDING))
    unit = 10 ** max(0, len(str(value)) - 2)
    return value // unit * unit, 0
