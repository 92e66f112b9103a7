"""Competition ranking out of a histogram of scores: constant size, however many play."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

Histogram = Mapping[int, int]
"""Score -> number of players who reached it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a score stands among ``players``, its owner included.

    ``beaten`` and ``tied`` count other players; equal scores share a rank and the next
    rank skips (1, 2, 2, 4).
    """

    players: int
    beaten: int
    tied: int

    @property
    def rank(self) -> int:
        """1 for the best."""
        return self.players - self.beaten - self.tied

    @property
    def percent(self) -> int:
        """Share of the other players with a lower score, in whole percent, rounded down."""
        return 100 * self.beaten // (self.players - 1) if self.players > 1 else 0


def standing(histogram: Histogram, score: int) -> Standing:
    """Where ``score`` stands; it must be one of those counted in the histogram."""
    return Standing(
        players=sum(histogram.values()),
        beaten=sum(count for other, count in histogram.items() if other < score),
        tied=histogram[score] - 1,
    )


def points(histogram: Histogram) -> dict[int, float]:
    """Percentile points of a day, score by score.

    They are the share of the other players with a lower score, 0 … 100, and 0 where there
    are no others. Unlike scores they compare from day to day; unlike :attr:`Standing.percent`
    they are not rounded, so that they add up.
    """
    others, beaten, found = sum(histogram.values()) - 1, 0, {}
    for score in sorted(histogram):
        found[score] = 100 * beaten / others if others > 0 else 0.0
        beaten += histogram[score]
    return found


def mean(histogram: Histogram) -> float | None:
    """The average score; None where nobody has one."""
    players = sum(histogram.values())
    return sum(s * count for s, count in histogram.items()) / players if players else None


def median(histogram: Histogram) -> float | None:
    """The middle score, or the mean of the two middle ones; None where nobody has one."""
    players = sum(histogram.values())
    if not players:
        return None
    return (_nth(histogram, (players - 1) // 2) + _nth(histogram, players // 2)) / 2


def _nth(histogram: Histogram, n: int) -> int:
    for score in sorted(histogram):
        n -= histogram[score]
        if n < 0:
            return score
    raise IndexError(n)
