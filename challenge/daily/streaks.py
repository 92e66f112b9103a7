"""Streaks: consecutive service days with a game finished in its day, over all sheets.

A streak is derived from the record of finished days, never from elapsed time.
"""

from __future__ import annotations

from collections.abc import Set
from datetime import date, timedelta

_DAY = timedelta(days=1)


def streak_on(days: Set[date], day: date) -> int:
    """Length of the run of finished days that ends on ``day``; 0 where it is not among them."""
    length = 0
    while day - length * _DAY in days:
        length += 1
    return length


def current_streak(days: Set[date], today: date) -> int:
    """The streak as it stands: yesterday's is alive until today ends."""
    return streak_on(days, today) or streak_on(days, today - _DAY)


def longest_streak(days: Set[date]) -> int:
    """The longest run of finished days there has been; 0 without any."""
    ends = (day for day in days if day + _DAY not in days)
    return max((streak_on(days, day) for day in ends), default=0)
