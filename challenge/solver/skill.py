"""What a review comes down to, in three numbers. No numpy: pages show it without the extra."""

from __future__ import annotations

from typing import NamedTuple


class Skill(NamedTuple):
    """The books of a finished game, in points: mean + luck − given away = total."""

    optimal_mean: float
    luck: float
    given_away: float

    @property
    def share(self) -> float:
        """Share of the optimal mean that was not given away, 0 … 1.

        >>> Skill(optimal_mean=250.0, luck=12.0, given_away=10.0).share
        0.96
        """
        return max(1 - self.given_away / self.optimal_mean, 0.0)

    @property
    def percent(self) -> int:
        """The share in per cent, rounded down: 100 is for who gave nothing away."""
        return int(100 * self.share)
