"""The archive: a month of days with one's own results on a sheet, and a way into any of them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

from babel import dates
from flask import render_template, request

from challenge.daily import calendar
from challenge.errors import BadInput, NotFound
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.views.games import GlanceView
from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.i18n import locale
from challenge.web.pages import families
from challenge.web.pages.blueprint import pages
from challenge.web.pages.place import Place

WEEK = 7
_MONTH = re.compile(r"(\d{4})-(\d\d)", re.ASCII)

When = Literal["past", "closing", "today", "ahead"]


@dataclass(frozen=True, slots=True)
class Day:
    """A day of the calendar; ``game`` is None where it lies ahead."""

    day: date
    when: When
    game: GlanceView | None

    @property
    def open(self) -> bool:
        """Whether there is a page to go to: while a day closes only a begun game has one."""
        if self.game is None or (self.game.state == "gone" and self.game.score is None):
            return False
        return self.when != "closing" or self.game.state != "none"


@pages.get("/archive")
def archive() -> str:
    """A month, ``?month=2026-11``, on a sheet, ``?sheet=yatzy``; else this one on the default."""
    today, sheet = services().days.today(now()), _sheet()
    month = _month(today)
    player = identity.caller().player
    shown = _days(month, today, sheet, player)
    return render_template(
        "archive.html",
        place=Place("archive", today, sheet.id),
        month=month,
        ruleset=sheet,
        families=families.grouped(_choice(sheet)),
        weekdays=_weekdays(),
        weeks=_weeks(shown),
        done=[d.game for d in shown if d.game and d.game.score is not None],
        begun=[d.game for d in shown if d.game and d.game.state == "begun"],
        gone=any(d.game and d.game.state == "gone" for d in shown),
        player=player,
        today=today,
        before=_shifted(month, -1) if month > _first(calendar.FIRST_DAY) else None,
        after=_shifted(month, 1) if month < _first(today) else None,
    )


# -- what is asked for -------------------------------------------------------------------


def _sheet() -> Ruleset:
    return rulesets.find(request.args.get("sheet") or services().settings.default_ruleset)


def _choice(sheet: Ruleset) -> list[Ruleset]:
    offered = set(services().settings.rulesets)
    return [each for each in rulesets.RULESETS if each.id in offered or each is sheet]


def _month(today: date) -> date:
    """The first day of the month asked for.

    Raises:
        BadInput: no month.
        NotFound: before the first day, or ahead.
    """
    asked = request.args.get("month")
    if not asked:
        return _first(today)
    found = _MONTH.fullmatch(asked)
    if found is None or not 1 <= int(found[2]) <= 12 or int(found[1]) < 1:
        raise BadInput("A month is written as 2026-11.")
    month = date(int(found[1]), int(found[2]), 1)
    if not _first(calendar.FIRST_DAY) <= month <= _first(today):
        raise NotFound("The archive has no such month.")
    return month


# -- the calendar ------------------------------------------------------------------------


def _first(day: date) -> date:
    return day.replace(day=1)


def _shifted(month: date, by: int) -> date:
    years, months = divmod(month.month - 1 + by, 12)
    return date(month.year + years, months + 1, 1)


def _days(month: date, today: date, sheet: Ruleset, player: str | None) -> list[Day]:
    """All days of a month; those that have come with the player's game."""
    length = (_shifted(month, 1) - month).days
    days = [month + timedelta(days=n) for n in range(length)]
    come = [day for day in days if day <= today]
    games = services().play.glance(player, [(day, sheet.id) for day in come], now())
    by_day = dict(zip(come, games, strict=True))
    return [Day(day, _when(day, today), by_day.get(day)) for day in days]


def _when(day: date, today: date) -> When:
    if day >= today:
        return "today" if day == today else "ahead"
    closes = services().settings.calendar.instants(day).closes_at
    return "closing" if now() < closes else "past"


def _weekdays() -> list[tuple[str, str]]:
    """Short and full names of the weekdays, the locale's first one first."""
    first = locale().first_week_day
    short, full = (dates.get_day_names(width, "stand-alone", locale()) for width in _WIDTHS)
    return [(short[day % WEEK], full[day % WEEK]) for day in range(first, first + WEEK)]


_WIDTHS: tuple[Literal["short"], Literal["wide"]] = ("short", "wide")


def _weeks(days: list[Day]) -> list[list[Day | None]]:
    """Days in rows of seven; None before the first and after the last."""
    lead = (days[0].day.weekday() - locale().first_week_day) % WEEK
    cells = [*[None] * lead, *days]
    cells += [None] * (-len(cells) % WEEK)
    return [cells[i : i + WEEK] for i in range(0, len(cells), WEEK)]
