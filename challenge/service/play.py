"""Playing: begin a game, roll, score. A move is two round trips to Redis.

The log read in the first is replayed, the action applied to it, and the second appends
it if and only if the log is still the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime

from challenge.daily import ranking
from challenge.daily.ranking import Standing
from challenge.errors import (
    BadInput,
    Closing,
    Gone,
    NotFound,
    NotSigned,
    PlyConflict,
    StoreUnavailable,
)
from challenge.game import log
from challenge.game.dice import hold_mask
from challenge.game.log import Action, Entry, Roll
from challenge.service.days import Board, Days
from challenge.service.states import Seat, glance, kept_glance, state_of
from challenge.service.views.games import GameView, GlanceView, game_view
from challenge.store import tally
from challenge.store.games import Stored
from challenge.store.keys import BoardId
from challenge.store.store import Store

SIGNED_OUT = "This player value was signed out; a transfer or recovery code gives another one."
ERASED = "This player was erased."
NOT_BEGUN = "No game was begun here; POST …/game begins one."


def _nothing() -> None:
    """Nothing is to be done."""


class Play:
    """Games of all players on all boards."""

    def __init__(self, store: Store, days: Days) -> None:
        self._games = store.games
        self._players = store.players
        self._boards = store.boards
        self._days = days

    def begin(
        self, player: str, day: date, ruleset: str, now: datetime, *, epoch: int | None = None
    ) -> tuple[GameView, bool]:
        """Begins a game unless it exists; whether it is new. ``epoch`` as for :meth:`roll`.

        Raises:
            NotSigned: the token is of another epoch, or the player has been erased.
            Closing: the day is over, its board not closed yet, and no game was begun.
            Gone: the games of that board are no longer kept.
            NotOpenYet, NotFound, UnknownRuleset, BoardRefused, StoreUnavailable: see Days.
        """
        if epoch is not None and not self._players.admits(player, epoch):
            raise NotSigned(SIGNED_OUT)
        board = self._days.board(day, ruleset, now)
        self._days.need_kept(board, now)
        if board.state(now) == "closing":
            if self._games.read(board.id, board.note.shards, player).log is None:
                raise Closing(day, board.note.instants.closes_at)
            return self.view(player, day, ruleset, now), False
        board = self._days.opened(board)
        noted = self._players.begins(player, board.id)
        begun = self._games.begin(board.id, board.note.shards, player)
        if begun is None:  # compacted since the board was looked at
            if noted:
                self._players.unbegins(player, board.id)
            raise Gone(day, ruleset)
        new, _ = begun
        if new and self._players.is_gone(player):  # erased while the game began: with it
            mark = self._players.erased_mark(player, board.id)
            self._games.erase(board.id, board.note.shards, player, score=None, mark=mark)
            self._players.unbegins(player, board.id)
            raise NotSigned(ERASED)
        try:
            return self.view(player, day, ruleset, now), new
        except NotFound:  # a failover took it back at once: begin it again
            raise StoreUnavailable("FailedOver") from None

    def view(self, player: str, day: date, ruleset: str, now: datetime) -> GameView:
        """The game as its player sees it.

        Raises:
            NotFound: no game was begun.
            Gone: the games of that board are no longer kept.
        """
        return self._answer(self._seat(player, day, ruleset, now))

    def roll(
        self,
        player: str,
        day: date,
        ruleset: str,
        ply: int,
        hold: list[int],
        now: datetime,
        *,
        epoch: int | None = None,
    ) -> GameView:
        """Rolls the dice at positions not in ``hold``.

        ``epoch`` is the one of the caller's token, checked in the move's own first round
        trip; None says that the caller has been admitted already.

        Raises:
            NotSigned: the token is of another epoch, or the player has been erased.
            BadInput: a position twice or out of range.
            NotFound: no game was begun.
            Gone: the games of that board are no longer kept.
            PlyConflict: another action stands at ``ply``, or none before it.
            IllegalAction: the rules forbid it.
        """
        board = self._days.peek(day, ruleset, now)
        if len(set(hold)) != len(hold) or any(not 0 <= i < board.ruleset.dice for i in hold):
            raise BadInput(
                f"`hold` takes each position from 0 to {board.ruleset.dice - 1} at most once."
            )
        return self._act(player, board, ply, Roll(hold_mask(hold)), now, epoch)

    def score(
        self,
        player: str,
        day: date,
        ruleset: str,
        ply: int,
        box: str,
        now: datetime,
        *,
        epoch: int | None = None,
        degraded: Callable[[], None] = _nothing,
    ) -> GameView:
        """Enters the dice into a box.

        ``degraded`` is called where that finished the game in its day and too few replicas
        have it (CHALLENGE_WAIT_REPLICAS).

        Raises:
            BadInput: the sheet has no such box; otherwise like :meth:`roll`.
        """
        board = self._days.peek(day, ruleset, now)
        index = board.ruleset.index.get(box)
        if index is None:
            raise BadInput(f"The sheet {ruleset} has no box {box[:40]!r}.")
        return self._act(player, board, ply, Entry(index), now, epoch, degraded)

    def glance(
        self, player: str | None, boards: Sequence[tuple[date, str]], now: datetime
    ) -> list[GlanceView]:
        """A player's games on several boards, as they stand; nothing is written.

        Boards of days ahead or not offered are looked at all the same: no game is there.
        """
        found = self._days.glance([BoardId(day, ruleset) for day, ruleset in boards])
        asked = [(board.id, board.note.shards) for board in found]
        stored = (
            self._games.read_many(asked, player)
            if player
            else [Stored(None, False, None)] * len(found)
        )
        gone = {board.id for board in found if not self._days.is_kept(board, now)}
        scores = self._players.record(player) if player and gone else {}
        return [
            kept_glance(board, scores.get(board.id))
            if board.id in gone
            else glance(board, each, now)
            for board, each in zip(found, stored, strict=True)
        ]

    # -- one move -----------------------------------------------------------------------

    def _act(
        self,
        player: str,
        board: Board,
        ply: int,
        action: Action,
        now: datetime,
        epoch: int | None,
        degraded: Callable[[], None] = _nothing,
    ) -> GameView:
        board = self._in_time(board, now)
        self._days.need_kept(board, now)
        before, valid = self._games.read_log(board.id, board.note.shards, player)
        if epoch is not None and epoch != valid:
            raise NotSigned(SIGNED_OUT)
        if before is None:  # an erased player has no games: only here it needs a look
            if self._players.is_gone(player):
                raise NotSigned(ERASED)
            raise NotFound(NOT_BEGUN)
        byte = log.encode(action)
        if ply != len(before):
            return self._made(player, board, ply, byte, now, degraded)
        game = state_of(board.ruleset, board.seed, before + bytes((byte,)))
        outcome = self._games.move(
            board.id,
            board.note.shards,
            player,
            ply=ply,
            action=byte,
            final=game.total if game.finished else None,
            counts=now < board.note.instants.closes_at,
        )
        if outcome.status not in ("done", "counted"):  # somebody else moved in between
            return self._made(player, board, ply, byte, now, degraded)
        if outcome.safe is False:
            degraded()
        counted = outcome.status == "counted"
        closed = outcome.closed or (game.finished and not counted)
        stored = Stored(game.log, closed, game.total if counted else None)
        seat = Seat(player, board, stored, game)
        _count(action, seat)
        return self._answer(seat, outcome.histogram)

    def _made(
        self,
        player: str,
        board: Board,
        ply: int,
        byte: int,
        now: datetime,
        degraded: Callable[[], None],
    ) -> GameView:
        """The answer where the log has another length than ``ply``: made already, or a conflict."""
        seat = self._sit(player, board, now)
        if ply >= seat.game.ply or seat.game.log[ply] != byte:
            raise PlyConflict(self._answer(seat))
        if seat.stored.score is not None and ply + 1 == seat.game.ply:
            safe = self._games.confirm(board.id, board.note.shards, player, seat.game.log)
            if safe is False:
                degraded()
        return self._answer(seat)

    # -- reading ------------------------------------------------------------------------

    def _seat(self, player: str, day: date, ruleset: str, now: datetime) -> Seat:
        return self._sit(player, self._days.peek(day, ruleset, now), now)

    def _sit(self, player: str, board: Board, now: datetime) -> Seat:
        board = self._in_time(board, now)
        self._days.need_kept(board, now)
        stored = self._games.read(board.id, board.note.shards, player)
        if stored.log is None:
            raise NotFound(NOT_BEGUN)
        return Seat(player, board, stored, state_of(board.ruleset, board.seed, stored.log))

    def _in_time(self, board: Board, now: datetime) -> Board:
        """The board, closed first where its time has passed and nobody has done so yet."""
        if board.note.closed or board.state(now) != "closed":
            return board
        return self._days.board(board.id.day, board.id.ruleset, now)

    def _answer(self, seat: Seat, histogram: dict[int, int] | None = None) -> GameView:
        return game_view(
            seat.game,
            date=seat.board.id.day.isoformat(),
            number=seat.board.number,
            mode=seat.mode,
            standing=self._standing(seat, histogram),
        )

    def _standing(self, seat: Seat, histogram: dict[int, int] | None) -> Standing | None:
        score = seat.stored.score
        # A log read just before its last entry, the score just after it: not finished yet.
        if score is None or not seat.game.finished:
            return None
        shards = seat.board.note.shards
        if histogram is None or shards > 1:  # the move script sees one shard only
            histogram = self._boards.histogram(seat.board.id, shards)
        return ranking.standing(histogram, score) if score in histogram else None


def _count(action: Action, seat: Seat) -> None:
    tally.count("moves", "roll" if isinstance(action, Roll) else "score", seat.mode)
    if seat.game.finished:
        tally.count("finished_games", seat.board.id.ruleset, seat.mode)
