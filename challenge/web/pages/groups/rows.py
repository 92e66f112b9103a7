"""Members as a group's pages show them: the name apart from its tag, figures as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from babel import numbers

from challenge.service.views.boards import EntryView
from challenge.service.views.groups import MemberView, TableRowView
from challenge.service.views.players import PlayerView
from challenge.web.i18n import locale
from challenge.web.pages import ranks
from challenge.web.pages.groups import charts

SHOWN = 10  # rows of a table that is not asked for in full


@dataclass(frozen=True, slots=True)
class Person:
    """A member by name; only the name may be cut, never the tag; ``named`` as in a board's row."""

    player: str
    name: str
    tag: str
    me: bool
    named: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A member's line of a table; ``bar`` is the length of its points as drawn.

    ``rank`` is None for who has not finished a game.
    """

    rank: int | None
    tied: bool
    who: Person
    played: int
    won: int
    points: int
    average: str | None
    best: int | None
    bar: float


@dataclass(frozen=True, slots=True)
class Table:
    """Rows from the first on; ``own`` is the visitor's where it is not among them."""

    rows: list[Row]
    own: Row | None
    members: int
    played: bool

    @property
    def more(self) -> bool:
        """Whether there are rows that are not shown."""
        return len(self.rows) + (self.own is not None) < self.members


def person(player: str, shown: str, me: bool) -> Person:
    """A member out of an id and the name with its tag."""
    return Person(player, *ranks.name_and_tag(shown), me, ranks.is_named(player, shown))


def unnamed(members: list[MemberView]) -> bool:
    """Whether the visitor stands in the group without a name."""
    return any(each.me and not ranks.is_named(each.player, each.name) for each in members)


def people(views: Iterable[PlayerView], visitor: str) -> list[Person]:
    """Members that have no place, oneself first."""
    found = [person(view.id, view.name, view.id == visitor) for view in views]
    return sorted(found, key=lambda each: not each.me)


def entries(views: list[EntryView]) -> list[ranks.Row]:
    """A group's places on a board as the leaderboard shows its own."""
    scores = [view.score for view in views]
    return [ranks.row_of(view, scores.count(view.score) > 1) for view in views]


def of_member(view: MemberView) -> Person:
    """A member out of the list of members."""
    return person(view.player, view.name, view.me)


def tenths(value: float | None) -> str | None:
    """An average to one place, so that a column of them stands in line."""
    if value is None:
        return None
    return numbers.format_decimal(value, format="#,##0.0", locale=locale())


def table(views: list[TableRowView], *, whole: bool = False) -> Table:
    """A table in its order; equal points share a place and the next one skips."""
    points = [round(view.points, 6) for view in views]
    most = max(points, default=0)
    rows = [
        Row(
            rank=1 + sum(other > own for other in points) if view.played else None,
            tied=view.played > 0 and points.count(own) > 1,
            who=person(view.player, view.name, view.me),
            played=view.played,
            won=view.won,
            points=round(view.points),
            average=tenths(view.average),
            best=view.best,
            bar=charts.share(view.points, most),
        )
        for view, own in zip(views, points, strict=True)
    ]
    shown = rows if whole else rows[:SHOWN]
    own_row = next((row for row in rows[len(shown) :] if row.who.me), None)
    return Table(shown, own_row, len(rows), any(row.played for row in rows))
