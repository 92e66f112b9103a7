"""A group's page: a board as it has played it, the last days, and the ways on."""

from __future__ import annotations

from datetime import date, timedelta

from flask import render_template, request, url_for

from challenge.daily import calendar
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.views.base import State
from challenge.service.views.groups import GroupBoardView, GroupView
from challenge.service.views.players import PlayerView
from challenge.web.current import now, services
from challenge.web.pages import ranks
from challenge.web.pages.blueprint import day_of, pages
from challenge.web.pages.groups import asked, door, rows
from challenge.web.pages.groups.spans import span_of
from challenge.web.pages.place import Place

WEEK, MONTH = 7, 30  # days of the two tables, the last one included


@pages.get("/groups/<group>")
@door.members_only
def group(group: str) -> str:
    """``?date=`` is another day, ``?sheet=`` another sheet, ``?whole=1`` shows every row."""
    player, sheet, today = door.member(), asked.sheet(), services().days.today(now())
    day = day_of(request.args.get("date") or "today")
    view = services().circles.view(player, group, day, now())
    board = _board(view, sheet, day)
    return render_template(
        "groups/group.html",
        place=Place("groups", day, sheet.id),
        group=view,
        ruleset=sheet,
        families=asked.choice(sheet),
        board=board,
        entries=rows.entries(board.entries),
        playing=rows.people(board.playing, player),
        waiting=rows.people(board.waiting, player),
        others=_others(view, sheet),
        done=any(entry.me for entry in board.entries),
        day_words=ranks.day_words(day),
        state_words=ranks.state_words(board.state),
        days=(_beside(group, day - timedelta(days=1)), _beside(group, day + timedelta(days=1))),
        today=today,
        tables=[_table(player, group, sheet, day, length) for length in (WEEK, MONTH)],
        week=span_of("week", day).key,
        month=span_of("month", day).key,
        joined="joined" in request.args,
        unnamed=rows.unnamed(view.members),
    )


def _others(view: GroupView, sheet: Ruleset) -> list[tuple[Ruleset, GroupBoardView]]:
    """The other sheets of the day that a member has begun."""
    return [
        (rulesets.find(each.ruleset), each)
        for each in view.boards
        if each.ruleset != sheet.id and (each.entries or each.playing)
    ]


def _board(view: GroupView, sheet: Ruleset, day: date) -> GroupBoardView:
    """The group's board of a sheet; on one that no member has begun, all of them wait."""
    for board in view.boards:
        if board.ruleset == sheet.id:
            return board
    everybody = [PlayerView(id=each.player, name=each.name) for each in view.members]
    return GroupBoardView(
        date=day.isoformat(), number=calendar.number(day), ruleset=sheet.id,
        state=_state(day), entries=[], playing=[], waiting=everybody,
    )  # fmt: skip


def _state(day: date) -> State:
    instants = services().settings.calendar.instants(day)
    if now() < instants.rolls_over_at:
        return "open"
    return "closing" if now() < instants.closes_at else "closed"


def _table(
    player: str, group: str, sheet: Ruleset, last: date, length: int
) -> tuple[int, rows.Table]:
    first = max(last - timedelta(days=length - 1), calendar.FIRST_DAY)
    found = services().tables.table(player, group, sheet.id, first, last, now())
    return length, rows.table(found.rows, whole="whole" in request.args)


def _beside(group: str, day: date) -> str | None:
    """The group's page of another day; None where there is none."""
    if not calendar.FIRST_DAY <= day <= services().days.today(now()):
        return None
    return url_for(
        "pages.group", group=group, date=day.isoformat(), sheet=request.args.get("sheet")
    )
