"""Tables: a group over a span of days on one sheet, read from the boards of those days.

Every game a member finished in its day counts, also one from before the joining.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from challenge.daily import ranking
from challenge.errors import BadInput, NotFound
from challenge.game import rulesets
from challenge.service.circles import Circles
from challenge.service.days import Days
from challenge.service.groups import Groups
from challenge.service.views.groups import (
    DuelDayView,
    DuelSideView,
    DuelView,
    TableRowView,
    TableView,
)
from challenge.store.circles import Scores
from challenge.store.keys import BoardId
from challenge.store.store import Store

DAYS = 92
"""Days a table has at most."""


@dataclass(frozen=True, slots=True)
class Day:
    """A day of a table: the players' scores, the best of them, and the points of scores."""

    scores: Mapping[str, int]
    best: int
    points: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's games of a span: the score, the points and the win of each day."""

    scores: tuple[int, ...]
    points: float
    won: int

    @property
    def average(self) -> float | None:
        """The mean score; None without a game."""
        return sum(self.scores) / len(self.scores) if self.scores else None

    @property
    def best(self) -> int | None:
        """The highest score; None without a game."""
        return max(self.scores, default=None)


class Tables:
    """Tables of groups, and two members head to head."""

    def __init__(self, store: Store, days: Days, groups: Groups, circles: Circles) -> None:
        self._circles = store.circles
        self._days = days
        self._groups = groups
        self._names = circles.names

    def table(
        self, player: str, group: str, ruleset: str, first: date, last: date, now: datetime
    ) -> TableView:
        """A group's table from ``first`` to ``last``; days nobody played count for nothing.

        Raises:
            NotFound: no such group, or the player is no member.
            UnknownRuleset: no such sheet.
            BadInput: more than 92 days, or the last before the first.
        """
        _, joined = self._groups.members(player, group)
        days = self._played(ruleset, first, last, list(joined), now)
        names = self._names(list(joined))
        rows = [_row(p, names[p], p == player, _tally(p, days.values())) for p in joined]
        return TableView(
            group=group,
            ruleset=ruleset,
            first=first.isoformat(),
            last=last.isoformat(),
            rows=sorted(rows, key=lambda r: (-r.points, -r.won, -(r.average or 0), r.player)),
        )

    def duel(
        self,
        player: str,
        group: str,
        a: str,
        b: str,
        ruleset: str,
        first: date,
        last: date,
        now: datetime,
    ) -> DuelView:
        """Two members head to head, day by day.

        Raises:
            NotFound: no such group, the player is no member, or one of the two is none.
            UnknownRuleset: no such sheet.
            BadInput: one member twice; else like :meth:`table`.
        """
        _, joined = self._groups.members(player, group)
        if a not in joined or b not in joined:
            raise NotFound("There is no such member.")
        if a == b:
            raise BadInput("Name two different members.")
        days = self._played(ruleset, first, last, [a, b], now)
        names = self._names([a, b])
        scores = [(day, s.scores.get(a), s.scores.get(b)) for day, s in days.items()]
        both = [(x, y) for _, x, y in scores if x is not None and y is not None]
        tallies = {p: _tally(p, days.values()) for p in (a, b)}
        return DuelView(
            group=group,
            ruleset=ruleset,
            first=first.isoformat(),
            last=last.isoformat(),
            a=_side(a, names[a], a == player, tallies[a], sum(x > y for x, y in both)),
            b=_side(b, names[b], b == player, tallies[b], sum(y > x for x, y in both)),
            ties=sum(x == y for x, y in both),
            days=[DuelDayView(date=d.isoformat(), a=x, b=y) for d, x, y in scores],
        )

    def _played(
        self, ruleset: str, first: date, last: date, players: Sequence[str], now: datetime
    ) -> dict[date, Day]:
        """The days of a span on which one of the players finished, ascending."""
        sheet, span = rulesets.find(ruleset).id, (last - first).days + 1
        if not 1 <= span <= DAYS:
            raise BadInput(f"A table has 1 to {DAYS} days, the last not before the first.")
        reach = (self._days.today(now) - first).days + 1  # days ahead have no board
        ids = [BoardId(first + timedelta(days=n), sheet) for n in range(min(span, reach))]
        boards = [board for board in self._days.glance(ids) if board.opened]
        found = self._circles.scores([(b.id, b.note) for b in boards], players)
        return {b.id.day: _day(s) for b, s in zip(boards, found, strict=True) if s.of}


def _day(read: Scores) -> Day:
    return Day(read.of, max(read.of.values()), ranking.points(read.histogram))


def _tally(player: str, days: Iterable[Day]) -> Tally:
    played = [(day, day.scores[player]) for day in days if player in day.scores]
    return Tally(
        scores=tuple(score for _, score in played),
        # Where a player was erased between the two readings, the histogram lacks the score.
        points=sum(day.points.get(score, 0.0) for day, score in played),
        won=sum(score == day.best for day, score in played),
    )


def _row(player: str, name: str, me: bool, tally: Tally) -> TableRowView:
    return TableRowView(
        player=player,
        name=name,
        me=me,
        played=len(tally.scores),
        won=tally.won,
        points=tally.points,
        average=tally.average,
        best=tally.best,
    )


def _side(player: str, name: str, me: bool, tally: Tally, wins: int) -> DuelSideView:
    return DuelSideView(
        player=player,
        name=name,
        me=me,
        played=len(tally.scores),
        wins=wins,
        average=tally.average,
        best=tally.best,
    )
