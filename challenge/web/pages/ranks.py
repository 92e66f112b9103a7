"""A board by rank as its page shows it, with its paging."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

from flask import url_for

from challenge.daily import calendar, names
from challenge.daily.ranking import Standing
from challenge.errors import BadInput, NotFound, NotOpenYet
from challenge.service.standings import KEPT, OFFSET
from challenge.service.views.base import State
from challenge.service.views.boards import EntryView, LeaderboardView, OwnView
from challenge.web.current import now, services
from challenge.web.i18n import gettext, long_date

PAGE = 50
AROUND = 21


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a board; the tag stands apart, since only the name may be cut.

    ``rank`` is None for who plays along without a place, as computer players will; ``named``
    says that there is a name to report.
    """

    rank: int | None
    tied: bool
    player: str
    name: str
    tag: str
    score: int
    me: bool
    named: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a board: its rows are the entries from ``offset`` on.

    ``own`` is the visitor's row where it is not among them.
    """

    view: LeaderboardView
    rows: list[Row]
    offset: int
    own: Row | None


@dataclass(frozen=True, slots=True)
class Paging:
    """Addresses of the ways on; None where there is none."""

    before: str | None
    top: str | None
    after: str | None
    around: str | None

    @property
    def any(self) -> bool:
        """Whether the board has more than this page."""
        return any((self.before, self.top, self.after, self.around))


def listing(
    day: date, ruleset: str, player: str | None, offset: int | None, around: bool
) -> Listing:
    """A page of a board; without an ``offset`` the one with the visitor on it, else the first.

    Raises:
        BadInput: ``offset`` lies beyond what can be paged to.
    """
    if offset is not None and offset > OFFSET:
        raise BadInput(f"`offset` goes to {OFFSET}.")
    found = _page(day, ruleset, player, offset or 0, around)
    if offset is None and found.own is not None and not around:
        near = _page(day, ruleset, player, 0, True)
        return near if len(near.rows) > 1 else found  # beyond what is kept of a list: alone
    return found


def _page(day: date, ruleset: str, player: str | None, offset: int, around: bool) -> Listing:
    """A neighbour on either side is read along and dropped: ties are known at the edges."""
    before = 1 if offset and not around else 0
    size = AROUND if around else PAGE
    view = services().standings.leaderboard(
        day, ruleset, player, now(),
        limit=size + before + 1, offset=offset - before, around_me=around,
    )  # fmt: skip
    rows = _rows(view)[before : before + size]
    missing = view.me is not None and not any(row.me for row in rows)
    own = _own_row(player, view.me) if player and view.me and missing else None
    return Listing(view, rows, view.offset + before, own)


def _rows(view: LeaderboardView) -> list[Row]:
    scores = [entry.score for entry in view.entries]
    own_tie = view.me is not None and view.me.tied > 0
    return [
        row_of(entry, scores.count(entry.score) > 1 or (entry.me and own_tie))
        for entry in view.entries
    ]


def row_of(entry: EntryView, tied: bool) -> Row:
    """An entry as a row; ``tied`` says that another one has its rank too."""
    name, tag = name_and_tag(entry.name)
    named = is_named(entry.player, entry.name)
    return Row(entry.rank, tied, entry.player, name, tag, entry.score, entry.me, named)


def _own_row(player: str, own: OwnView) -> Row:
    shown = services().players.view(player).name
    named = is_named(player, shown)
    return Row(own.rank, own.tied > 0, player, *name_and_tag(shown), own.score, True, named)


def set_apart(shown: Listing, players: frozenset[str]) -> tuple[Listing, list[Row]]:
    """The page without the games of these players, and those of them that were on it.

    They stand below without a place; everybody else keeps theirs.
    """
    below = [replace(row, rank=None, tied=False) for row in shown.rows if row.player in players]
    rows = [row for row in shown.rows if row.player not in players]
    return replace(shown, rows=rows), below


def name_and_tag(shown: str) -> tuple[str, str]:
    """A player's name in the reader's language, and the tag behind it."""
    name, _, tag = shown.rpartition(names.SEPARATOR)
    return gettext("Player") if name == "Player" else name, tag


def is_named(player: str, shown: str) -> bool:
    """Whether a player stands there under a name of their own."""
    return shown != names.display(player, None)


def paging(day: date, ruleset: str, shown: Listing, *, cut: bool = False) -> Paging:
    """The ways on from a page; far down the list only the visitor's neighbourhood is shown.

    ``cut`` says that of this list only the best are kept.
    """

    def to(**query: Any) -> str:
        return url_for("pages.leaderboard", date=day.isoformat(), ruleset=ruleset, **query)

    start, end = shown.offset, shown.offset + len(shown.rows)
    before = max(0, start - PAGE)
    more = bool(shown.rows) and end < min(shown.view.players, KEPT if cut else shown.view.players)
    return Paging(
        before=to(offset=before) if start > 0 and before <= OFFSET else None,
        top=to(offset=0) if start else None,
        after=to(offset=end) if more and end <= OFFSET else None,
        around=to(around="me") if shown.own else None,
    )


def report_here(day: date, ruleset: str, shown: Listing, around: bool) -> str:
    """The same page of a board, each name leading to where it is reported."""
    page: dict[str, Any] = {"around": "me"} if around else {"offset": min(shown.offset, OFFSET)}
    return url_for("pages.leaderboard", date=day.isoformat(), ruleset=ruleset, report=1, **page)


def beside(day: date, ruleset: str, step: int) -> str | None:
    """The leaderboard of the day before (-1) or after (1); None where there is none."""
    other = day + timedelta(days=step)
    if other < calendar.FIRST_DAY:
        return None
    try:
        services().days.peek(other, ruleset, now())
    except (NotFound, NotOpenYet):
        return None
    return url_for("pages.leaderboard", date=other.isoformat(), ruleset=ruleset)


def own_standing(view: LeaderboardView) -> Standing | None:
    """The visitor's own place on the board."""
    if view.me is None:
        return None
    return Standing(players=view.players, beaten=view.me.beaten, tied=view.me.tied)


def state_words(state: State) -> str:
    """The state of a board in a word."""
    if state == "open":
        return gettext("still running")
    return gettext("about to close") if state == "closing" else gettext("final")


def day_words(day: date) -> str:
    """``Monday, 30 November``, with the year where it is not this one."""
    words = long_date(day)
    return words if day.year != now().year else words.removesuffix(f" {day.year}")
