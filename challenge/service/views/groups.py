"""Groups: their members, their boards of a day, their tables over days."""

from __future__ import annotations

import msgspec

from challenge.service.views.base import State, View
from challenge.service.views.boards import EntryView
from challenge.service.views.players import PlayerView


class GroupNameView(View):
    """A group in a list of the caller's: ``owned`` says that the caller owns it."""

    id: str
    name: str
    members: int
    owned: bool


class InvitedView(GroupNameView):
    """The group of an invite, to those who hold it.

    ``member`` says that the caller is in already, ``full`` that nobody else can join.
    """

    member: bool
    full: bool


class MemberView(View):
    """A member; ``joined`` is the service day."""

    player: str
    name: str
    owner: bool
    me: bool
    joined: str


class GroupBoardView(View):
    """A board as a group has played it: ranks count members only.

    ``playing`` have begun and not finished, ``waiting`` have not begun. Once the board is
    closed nobody plays any more: all who did not finish it stand in ``waiting``. Entries
    are sorted by rank, ties by id; the others by name.
    """

    date: str
    number: int
    ruleset: str
    state: State
    entries: list[EntryView]
    playing: list[PlayerView]
    waiting: list[PlayerView]


class GroupView(View):
    """A group as its members see it, those in it longest first.

    ``invite_url`` is the invite's value until the web floor signs it and makes an address
    of it (``web.invites``). ``boards`` are those of one service day on which a member has
    begun, in sheet order, the default sheet always among them.
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
    a lower score, 0 … 100. ``won`` counts the days on which no member had a higher score.
    ``average`` and ``best`` are of the scores; None without a game.
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
    """A group's table on one sheet over a span of days, both ends included.

    Most points first; ties by days won, then by average, then by id.
    """

    group: str
    ruleset: str
    first: str = msgspec.field(name="from")
    last: str = msgspec.field(name="to")
    rows: list[TableRowView]


class DuelSideView(View):
    """One of two members; ``wins`` are days on which both finished and this one stood higher.

    ``played``, ``average`` and ``best`` are of all days of the span, as in a table.
    """

    player: str
    name: str
    me: bool
    played: int
    wins: int
    average: float | None
    best: int | None


class DuelDayView(View):
    """A day on which at least one of the two finished; None for who did not."""

    date: str
    a: int | None
    b: int | None


class DuelView(View):
    """Two members head to head on one sheet over a span of days, both ends included.

    ``ties`` are days on which both finished with equal scores. ``days`` ascend.
    """

    group: str
    ruleset: str
    first: str = msgspec.field(name="from")
    last: str = msgspec.field(name="to")
    a: DuelSideView
    b: DuelSideView
    ties: int
    days: list[DuelDayView]
