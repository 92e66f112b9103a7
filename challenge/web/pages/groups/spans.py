"""Weeks and months as addresses carry them: ``2026-W48``, ``2026-11``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from challenge.daily import calendar
from challenge.errors import NotFound

Kind = Literal["week", "month"]
_WEEK = re.compile(r"(\d{4})-W(\d\d)", re.ASCII)
_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Span:
    """A calendar week (ISO 8601, from Monday on) or month, both ends included."""

    kind: Kind
    first: date
    last: date

    @property
    def key(self) -> str:
        """As its address carries it."""
        if self.kind == "month":
            return f"{self.first:%Y-%m}"
        year, week, _ = self.first.isocalendar()
        return f"{year}-W{week:02d}"

    @property
    def number(self) -> int:
        """The number of a week."""
        return self.first.isocalendar().week

    def before(self) -> Span | None:
        """The one before; None where it ends before the first day of all."""
        day = self.first - timedelta(days=1)
        return span_of(self.kind, day) if day >= calendar.FIRST_DAY else None

    def after(self, today: date) -> Span | None:
        """The one after; None where it lies ahead."""
        day = self.last + timedelta(days=1)
        return span_of(self.kind, day) if day <= today else None

    def come(self, today: date) -> tuple[date, date]:
        """First and last of its days that there are: none before the first of all, none ahead."""
        return max(self.first, calendar.FIRST_DAY), min(self.last, today)


def span_of(kind: Kind, day: date) -> Span:
    """The week or month a day lies in."""
    if kind == "week":
        monday = day - timedelta(days=day.weekday())
        return Span(kind, monday, monday + timedelta(days=6))
    first = day.replace(day=1)
    following = (first + timedelta(days=31)).replace(day=1)
    return Span(kind, first, following - timedelta(days=1))


def read(kind: Kind, text: str, today: date) -> Span:
    """The week or month of an address.

    Raises:
        NotFound: there is no such week or month, or it lies ahead or before the first day.
    """
    found = (_WEEK if kind == "week" else _MONTH).fullmatch(text)
    try:
        if found is None:
            raise ValueError(text)
        year, part = int(found[1]), int(found[2])
        day = date.fromisocalendar(year, part, 1) if kind == "week" else date(year, part, 1)
        span = span_of(kind, day)
    except (ValueError, OverflowError):
        raise NotFound(f"There is no {kind} {text[:20]!r}.") from None
    if span.last < calendar.FIRST_DAY or span.first > today:
        raise NotFound("No day of it was played yet, nor ever will be.")
    return span
