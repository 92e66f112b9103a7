"""Two members head to head."""

from __future__ import annotations

from datetime import date, timedelta

from flask import render_template, request

from challenge.daily import calendar
from challenge.errors import BadInput
from challenge.service.views.groups import DuelSideView, DuelView, GroupView
from challenge.web.current import now, services
from challenge.web.pages.blueprint import pages
from challenge.web.pages.groups import asked, charts, door, rows
from challenge.web.pages.place import Place

SPANS = (7, 30, 92)  # days to choose from


@pages.get("/groups/<group>/versus")
@door.members_only
def versus(group: str) -> str:
    """``?a=`` and ``?b=`` are members, ``?days=`` how many days back, ``?sheet=`` the sheet."""
    player, sheet, today = door.member(), asked.sheet(), services().days.today(now())
    view = services().circles.view(player, group, today, now())
    a, b = _two(view, player)
    days = _days()
    first = max(today - timedelta(days=days - 1), calendar.FIRST_DAY)
    duel = b and services().tables.duel(player, group, a, b, sheet.id, first, today, now())
    return render_template(
        "groups/versus.html",
        place=Place("groups", today, sheet.id),
        group=view,
        ruleset=sheet,
        families=asked.choice(sheet),
        members=[rows.of_member(each) for each in view.members],
        chosen=(a, b),
        days=days,
        spans=SPANS,
        duel=duel or None,
        sides=[_side(duel.a), _side(duel.b)] if duel else [],
        listed=[(date.fromisoformat(each.date), each) for each in reversed(duel.days)]
        if duel
        else [],
        chart=charts.duel(_pairs(duel, first, today)) if duel else None,
    )


def _two(view: GroupView, player: str) -> tuple[str, str | None]:
    """Who stands against whom: oneself and the first other one unless asked otherwise."""
    a = request.args.get("a") or player
    others = [each.player for each in view.members if each.player != a]
    b = request.args.get("b") or next(iter(others), None)
    return a, None if a == b else b


def _days() -> int:
    text = request.args.get("days", "30")
    if text not in map(str, SPANS):
        raise BadInput(f"`days` is one of {', '.join(map(str, SPANS))}.")
    return int(text)


def _side(view: DuelSideView) -> tuple[rows.Person, DuelSideView, str | None]:
    """A member, the figures, the average in words."""
    return rows.person(view.player, view.name, view.me), view, rows.tenths(view.average)


def _pairs(duel: DuelView, first: date, last: date) -> list[charts.Pair]:
    """Every day of the span, from the first one either of the two has finished on."""
    scores = {date.fromisoformat(each.date): (each.a, each.b) for each in duel.days}
    start = min(scores, default=first)
    days = [start + timedelta(days=n) for n in range((last - start).days + 1)]
    return [charts.Pair(day, *scores.get(day, (None, None))) for day in days]
