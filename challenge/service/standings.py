"""Standings: leaderboards, distributions, other players' games, the facts of a result text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

import msgspec

from challenge.daily import names, ranking
from challenge.daily.ranking import Standing
from challenge.errors import BadInput, Gone, NotFinished, NotFound, Spoiler
from challenge.game import game as rules
from challenge.service.days import Board, Days
from challenge.service.records import Records
from challenge.service.views.boards import (
    BinView,
    DistributionView,
    EntryView,
    LeaderboardView,
    OwnView,
)
from challenge.service.views.games import FinishedGameView, game_view
from challenge.service.views.players import PlayerView
from challenge.store.boards import Row
from challenge.store.compaction import KEPT
from challenge.store.store import Store

__all__ = ["KEPT", "LIMIT", "OFFSET", "Finish", "Standings"]

LIMIT = 100
OFFSET = 10_000


@dataclass(frozen=True, slots=True)
class Finish:
    """The facts of a finished game's result text; ``standing`` is None in the archive."""

    board: Board
    score: int
    standing: Standing | None
    final: bool
    streak: int


class Standings:
    """Who stands where, on every board."""

    def __init__(self, store: Store, days: Days, records: Records) -> None:
        self._store = store
        self._boards = store.boards
        self._days = days
        self._records = records

    def leaderboard(
        self,
        day: date,
        ruleset: str,
        player: str | None,
        now: datetime,
        *,
        limit: int = 50,
        offset: int = 0,
        around_me: bool = False,
    ) -> LeaderboardView:
        """A page of a board by rank, ties by id; with ``around_me`` the caller in its middle.

        Around a caller who is not on the board lies its first page. A compacted board lists
        its best 1000; around a caller beyond them lies the caller's own row alone.

        Raises:
            BadInput: ``limit`` not in 1 … 100 or ``offset`` not in 0 … 10,000.
        """
        if not 1 <= limit <= LIMIT:
            raise BadInput(f"`limit` is a number from 1 to {LIMIT}.")
        if not 0 <= offset <= OFFSET:
            raise BadInput(f"`offset` is a number from 0 to {OFFSET}; use around=me beyond.")
        board = self._days.board(day, ruleset, now)
        shards = board.note.shards
        own = self._own_score(board, player) if player else None
        if around_me and player and own is not None and not self._is_listed(board, player):
            histogram = self._boards.histogram(board.id, shards)
            offset, rows = _better(histogram, own), [Row(player, own)]
        elif around_me and player and own is not None:
            offset, rows = self._boards.around(board.id, shards, player, own, limit)
            histogram = self._boards.histogram(board.id, shards)
        else:
            rows, histogram = self._boards.page(board.id, shards, offset, limit)
            rows = rows[: max(0, KEPT - offset)] if board.note.compacted else rows
        return LeaderboardView(
            players=sum(histogram.values()),
            offset=offset,
            limit=limit,
            entries=self._entries(rows, histogram, player),
            me=_own(histogram, own),
        )

    def distribution(self, day: date, ruleset: str, now: datetime) -> DistributionView:
        """How often each score was reached."""
        board = self._days.board(day, ruleset, now)
        histogram = self._boards.histogram(board.id, board.note.shards)
        return DistributionView(
            players=sum(histogram.values()),
            mean=ranking.mean(histogram),
            median=ranking.median(histogram),
            bins=[BinView(score=s, count=n) for s, n in sorted(histogram.items())],
        )

    def finished_game(
        self, day: date, ruleset: str, target: str, viewer: str | None, now: datetime
    ) -> FinishedGameView:
        """A player's finished game, for those who may see it.

        Raises:
            Spoiler: the board is not closed and the viewer has not finished it.
            NotFound: no such finished game.
            Gone: the games of that board are no longer kept.
        """
        board = self._days.board(day, ruleset, now)
        self._days.need_kept(board, now)
        shards = board.note.shards
        if board.state(now) != "closed" and (
            viewer is None or self._boards.score_of(board.id, shards, viewer) is None
        ):
            raise Spoiler
        stored = self._store.games.read(board.id, shards, target)
        if stored.log is None or stored.score is None:
            raise NotFound("This player has not finished that board.")
        game = rules.replay(board.ruleset, board.stream, stored.log)
        if not game.finished:  # read just before its last entry, the score just after it
            raise NotFound("This player has not finished that board.")
        view = game_view(
            game,
            date=day.isoformat(),
            number=board.number,
            mode="daily",
            standing=self._standing(board, stored.score),
        )
        return FinishedGameView(player=self._player(target), **msgspec.structs.asdict(view))

    def finish(self, player: str, day: date, ruleset: str, now: datetime) -> Finish:
        """The facts of a player's result text; of a compacted board as the record has them.

        Raises:
            NotFound: no game was begun.
            NotFinished: it is not finished.
            Gone: the games of that board are no longer kept, and none of the player's counted.
        """
        board = self._days.board(day, ruleset, now)
        if not self._days.is_kept(board, now):
            return self._kept_finish(player, board)
        stored = self._store.games.read(board.id, board.note.shards, player)
        if stored.log is None:
            raise NotFound("No game was begun here.")
        game = rules.replay(board.ruleset, board.stream, stored.log)
        if not game.finished:
            raise NotFinished
        standing, streak = None, 0
        if stored.score is not None:
            standing = self._standing(board, stored.score)
            streak = self._records.streak(player, day)
        return Finish(board, game.total, standing, board.state(now) == "closed", streak)

    def _kept_finish(self, player: str, board: Board) -> Finish:
        score = self._store.players.score_on(player, board.id)
        if score is None:
            raise Gone(board.id.day, board.id.ruleset)
        streak = self._records.streak(player, board.id.day)
        return Finish(board, score, self._standing(board, score), True, streak)

    def _own_score(self, board: Board, player: str) -> int | None:
        """A player's score; of a compacted board only the record has them all."""
        if board.note.compacted:
            return self._store.players.score_on(player, board.id)
        return self._boards.score_of(board.id, board.note.shards, player)

    def _is_listed(self, board: Board, player: str) -> bool:
        """Whether a player with a score stands in the list of the board, which may be cut."""
        if not board.note.compacted:
            return True
        return self._boards.score_of(board.id, board.note.shards, player) is not None

    def _standing(self, board: Board, score: int) -> Standing:
        """Where a score stands that was read just before.

        Raises:
            NotFound: its player was erased in between, and the count with it.
        """
        histogram = self._boards.histogram(board.id, board.note.shards)
        if score not in histogram:
            raise NotFound("This game is no more.")
        return ranking.standing(histogram, score)

    def _entries(
        self, rows: list[Row], histogram: dict[int, int], me: str | None
    ) -> list[EntryView]:
        better = {score: _better(histogram, score) for score in {row.score for row in rows}}
        shown = self._store.players.names([row.player for row in rows])
        return [
            EntryView(
                rank=1 + better[row.score],
                player=row.player,
                name=names.display(row.player, name),
                score=row.score,
                me=row.player == me,
            )
            for row, name in zip(rows, shown, strict=True)
        ]

    def _player(self, player: str) -> PlayerView:
        (name,) = self._store.players.names([player])
        return PlayerView(id=player, name=names.display(player, name))


def _better(histogram: dict[int, int], score: int) -> int:
    """How many players have a higher score."""
    return sum(count for other, count in histogram.items() if other > score)


def _own(histogram: dict[int, int], score: int | None) -> OwnView | None:
    if score is None or score not in histogram:
        return None
    standing = ranking.standing(histogram, score)
    return OwnView(rank=standing.rank, score=score, beaten=standing.beaten, tied=standing.tied)
