"""Circles: a board among some players only, be they a group or all friends of one.

Looking writes nothing, not even the mark of a board whose time has passed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from challenge.daily import names, ranking
from challenge.errors import BadInput
from challenge.service.days import Board, Days
from challenge.service.groups import Groups, invitation_of
from challenge.service.standings import LIMIT, OFFSET
from challenge.service.views.boards import EntryView, LeaderboardView, OwnView
from challenge.service.views.groups import GroupBoardView, GroupView, MemberView
from challenge.service.views.players import PlayerView
from challenge.store.store import Store

Names = Mapping[str, str]
"""Player -> the name as it is shown, tag included."""


class Circles:
    """Boards as groups and friends have played them; ranks count the circle only."""

    def __init__(self, store: Store, days: Days, groups: Groups) -> None:
        self._circles = store.circles
        self._players = store.players
        self._days = days
        self._groups = groups

    def view(self, player: str, group: str, day: date, now: datetime) -> GroupView:
        """A group with its boards of one day, as a member sees it.

        Raises:
            NotFound: no such group, or the player is no member.
            NotOpenYet: the day lies ahead.
        """
        found, joined = self._groups.members(player, group)
        names = self.names(list(joined))
        return GroupView(
            id=found.id,
            name=found.name,
            owner=found.owner,
            invite_url=invitation_of(found),
            members=[
                MemberView(
                    player=member,
                    name=names[member],
                    owner=member == found.owner,
                    me=member == player,
                    joined=self._groups.day_of(when).isoformat(),
                )
                for member, when in joined.items()
            ],
            date=day.isoformat(),
            boards=self._boards(day, names, player, now),
        )

    def leaderboard(
        self,
        player: str,
        group: str,
        day: date,
        ruleset: str,
        now: datetime,
        *,
        limit: int = 50,
        offset: int = 0,
        around_me: bool = False,
    ) -> LeaderboardView:
        """A page of a board among the members of a group; the caller's place likewise.

        Raises:
            NotFound: no such group, or the player is no member; else like Days.peek.
            BadInput: ``limit`` not in 1 … 100 or ``offset`` not in 0 … 10,000.
        """
        if not 1 <= limit <= LIMIT or not 0 <= offset <= OFFSET:
            raise BadInput(f"`limit` is from 1 to {LIMIT}, `offset` from 0 to {OFFSET}.")
        _, joined = self._groups.members(player, group)
        board = self._days.peek(day, ruleset, now)
        scores = self._scores(board, list(joined))
        order = _order(scores)
        if around_me and player in scores:
            offset = max(0, order.index(player) - limit // 2)
        shown = order[offset : offset + limit]
        return LeaderboardView(
            players=len(scores),
            offset=offset,
            limit=limit,
            entries=_entries(shown, scores, self.names(shown), player),
            me=_own(scores, player),
        )

    def friends_board(
        self, player: str, day: date, ruleset: str, now: datetime, *, limit: int = LIMIT
    ) -> list[EntryView]:
        """The player and all friends who finished a board, ranked among themselves.

        Friends are all members of all groups of the player. The best ``limit`` are shown,
        and the player in any case; nobody at all to who has no friends.
        """
        friends = self._groups.friends(player)
        if not friends:
            return []
        scores = self._scores(self._days.peek(day, ruleset, now), [player, *friends])
        order = _order(scores)
        shown = order[:limit]
        shown += [player] if player in order[limit:] else []
        return _entries(shown, scores, self.names(shown), player)

    def names(self, players: Sequence[str]) -> dict[str, str]:
        """How players are shown, tags included."""
        found = self._players.names(players)
        return {p: names.display(p, name) for p, name in zip(players, found, strict=True)}

    # -- within ---------------------------------------------------------------------------

    def _scores(self, board: Board, players: Sequence[str]) -> dict[str, int]:
        (found,) = self._circles.scores([(board.id, board.note)], players)
        return dict(found.of)

    def _boards(self, day: date, names: Names, player: str, now: datetime) -> list[GroupBoardView]:
        boards = self._days.look(day, now)
        asked = [(board.id, board.note) for board in boards]
        # In this order: a game that ends in between is met as begun and as finished.
        begun = self._circles.begun(asked, list(names))
        scores = self._circles.scores(asked, list(names))
        return [
            _board(board, board_scores.of, board_begun, names, player, now)
            for board, board_scores, board_begun in zip(boards, scores, begun, strict=True)
            if self._is_shown(board, board_scores.of, board_begun, now)
        ]

    def _is_shown(
        self, board: Board, scores: Mapping[str, int], begun: set[str], now: datetime
    ) -> bool:
        # Games without a score on a closed board may be archive games: no news of that day.
        alive = board.state(now) != "closed"
        is_default = board.id.ruleset == self._days.default_ruleset
        return is_default or bool(scores) or (alive and bool(begun))


def _board(
    board: Board,
    scores: Mapping[str, int],
    begun: set[str],
    names: Names,
    player: str,
    now: datetime,
) -> GroupBoardView:
    state = board.state(now)
    others = sorted((p for p in names if p not in scores), key=lambda p: (names[p].casefold(), p))
    playing = [p for p in others if p in begun and state != "closed"]
    return GroupBoardView(
        date=board.id.day.isoformat(),
        number=board.number,
        ruleset=board.id.ruleset,
        state=state,
        entries=_entries(_order(scores), scores, names, player),
        playing=[PlayerView(id=p, name=names[p]) for p in playing],
        waiting=[PlayerView(id=p, name=names[p]) for p in others if p not in playing],
    )


def _order(scores: Mapping[str, int]) -> list[str]:
    """Players by rank, ties by id."""
    return sorted(scores, key=lambda p: (-scores[p], p))


def _entries(
    shown: Sequence[str], scores: Mapping[str, int], names: Names, me: str
) -> list[EntryView]:
    histogram = Counter(scores.values())
    return [
        EntryView(
            rank=ranking.standing(histogram, scores[p]).rank,
            player=p,
            name=names[p],
            score=scores[p],
            me=p == me,
        )
        for p in shown
    ]


def _own(scores: Mapping[str, int], player: str) -> OwnView | None:
    if player not in scores:
        return None
    standing = ranking.standing(Counter(scores.values()), scores[player])
    return OwnView(
        rank=standing.rank, score=scores[player], beaten=standing.beaten, tied=standing.tied
    )
