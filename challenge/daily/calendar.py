"""The service day: one calendar day in one time zone, the same for the whole world.

Source: DESIGN.md "The day". The clock is always an argument, never read here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from challenge.errors import BadInput

FIRST_DAY = date(2026, 1, 1)
LAST_DAY = date(9999, 12, 28)  # it must still close in this calendar: a day of grace, any zone
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class Instants:
    """When a day opens, rolls over to the next and closes; aware, in UTC."""

    opens_at: datetime
    rolls_over_at: datetime
    closes_at: datetime


@dataclass(frozen=True, slots=True)
class Calendar:
    """Days of a time zone; ``grace`` is how long a begun game may be finished afterwards."""

    zone: ZoneInfo
    grace: timedelta

    def opens_at(self, day: date) -> datetime:
        """The first instant of the day, in UTC; days of 23 and 25 hours come out right."""
        return _first_instant(self.zone, day)

    def instants(self, day: date) -> Instants:
        """The three instants of a day."""
        rollover = self.opens_at(day + timedelta(days=1))
        return Instants(self.opens_at(day), rollover, rollover + self.grace)

    def date_at(self, now: datetime) -> date:
        """The day that is open at ``now`` (aware)."""
        day = now.astimezone(self.zone).date()
        # Where a clock change falls on midnight the wall clock may show the date twice.
        return day + timedelta(days=1) if self.opens_at(day + timedelta(days=1)) <= now else day


@lru_cache(maxsize=4096)
def _first_instant(zone: ZoneInfo, day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC)


def number(day: date) -> int:
    """Number of a day: 2026-01-01 is number 1."""
    return (day - FIRST_DAY).days + 1


@lru_cache(maxsize=4096)
def parse_date(text: str) -> date:
    """A date written ``YYYY-MM-DD`` in ASCII digits.

    Raises:
        BadInput: another form, or no day of the calendar.
    """
    try:
        if not _DATE.fullmatch(text):
            raise ValueError
        day = date.fromisoformat(text)
    except ValueError:
        raise BadInput(f"{text[:40]!r} is not a date; write it as 2026-11-30.") from None
    if day > LAST_DAY:
        raise BadInput(f"{text} lies too far ahead.")
    return day
