"""Groups: their members, their boards of a day, their tables over days."""

from __future__ import annotations

from challenge.service.views.base import State, View
from challenge.service.views.boards import EntryView
from challenge.service.views.players import PlayerView


class GroupNameView(View):
    """A group in a list of the caller's: ``owned`` says that the caller owns it."""

    id: str
    name: str
    members: int
    owned: bool


class MemberView(View):
    """A member; ``joined`` is the service day."""

    player: str
    name: str
    owner: bool
    me: bool
    joined: str


class GroupBoardView(View):
    """A board as a group has played it: ranks count members only.

    ``playing`` have begun and not finished, ``waiting`` have not begun. Members are
    sorted by rank, ties by id; the others by name.
    """

    date: str
    number: int
    ruleset: str
    state: State
    entries: list[EntryView]
    playing: list[PlayerView]
    waiting: list[PlayerView]


class GroupView(View):
    """A group as its members see it; ``invite_url`` is filled by the web floor.

    ``boards`` are those of one service day on which a member has begun, in sheet order,
    the default sheet always among them.
    """

    id: str
    name: str
    owner: str
    invite_url: str
    members: list[MemberView]
    date: str
    boards: list[GroupBoardView]


class TableRowView(View):
    """One member over the days of a table.

    ``points`` adds up, day by day, the share of the other players of the world board with
    a lower score, 0 … 100. ``average`` and ``best`` are of the scores; None without a game.
    """

    player: str
    name: str
    me: bool
    played: int
    won: int
    points: float
    average: float | None
    best: int | None


class TableView(View):
    """A group's table on one sheet over a span of days, both ends included."""

    group: str
    ruleset: str
    first: str
    last: str
    rows: list[TableRowView]
