"""The sheets of a day."""

from __future__ import annotations

from flask import render_template

from challenge.daily import calendar
from challenge.web.current import now, services
from challenge.web.pages import ranks
from challenge.web.pages.blueprint import day_of, pages
from challenge.web.pages.place import Place


@pages.get("/<date>")
def sheets(date: str) -> str:
    """The sheets of a day, by family."""
    day = day_of(date)
    boards = services().days.challenges(day, now())
    return render_template(
        "sheets.html",
        place=Place("sheets", day),
        families=ranks.families(boards),
        number=calendar.number(day),
    )
