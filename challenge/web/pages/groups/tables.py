"""A group's table of a week or a month."""

from __future__ import annotations

from babel.dates import format_interval
from flask import render_template, url_for

from challenge.web.current import now, services
from challenge.web.i18n import gettext, locale, month
from challenge.web.pages.blueprint import pages
from challenge.web.pages.groups import asked, door, rows, spans
from challenge.web.pages.groups.spans import Kind, Span
from challenge.web.pages.place import Place

ENDPOINTS: dict[Kind, str] = {"week": "pages.group_week", "month": "pages.group_month"}


@pages.get("/groups/<group>/weeks/<span>")
@door.members_only
def group_week(group: str, span: str) -> str:
    """A calendar week, ``2026-W48``; ``?sheet=`` chooses the sheet."""
    return _page(group, "week", span)


@pages.get("/groups/<group>/months/<span>")
@door.members_only
def group_month(group: str, span: str) -> str:
    """A calendar month, ``2026-11``; ``?sheet=`` chooses the sheet."""
    return _page(group, "month", span)


def _page(group: str, kind: Kind, text: str) -> str:
    player, sheet, today = door.member(), asked.sheet(), services().days.today(now())
    span = spans.read(kind, text, today)
    first, last = span.come(today)
    table = services().tables.table(player, group, sheet.id, first, last, now())
    return render_template(
        "groups/table.html",
        place=Place("groups", today, sheet.id),
        group=services().circles.view(player, group, last, now()),
        ruleset=sheet,
        families=asked.choice(sheet),
        span=span,
        title=title(span),
        interval=format_interval(span.first, span.last, "MMMd", locale=locale()),
        running=span.last >= today,
        before=_way(group, span.before(), sheet.id),
        after=_way(group, span.after(today), sheet.id),
        week=spans.span_of("week", last).key,
        month=spans.span_of("month", last).key,
        table=rows.table(table.rows, whole=True),
    )


def title(span: Span) -> str:
    """``November 2026``; ``Week 48, 2026``."""
    if span.kind == "month":
        return month(span.first)
    year = span.first.isocalendar().year
    return gettext("Week %(week)d, %(year)d") % {"week": span.number, "year": year}


def _way(group: str, span: Span | None, sheet: str) -> tuple[str, str] | None:
    """Address and title of the span before or after; None where there is none."""
    if span is None:
        return None
    return url_for(ENDPOINTS[span.kind], group=group, span=span.key, sheet=sheet), title(span)
