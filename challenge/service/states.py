"""What a log comes to: the state of the game, and a glance at it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from challenge.game import game as rules
from challenge.game.game import Game
from challenge.game.log import decode
from challenge.game.ruleset import Ruleset
from challenge.service.days import Board, stream_of
from challenge.service.views.base import Mode
from challenge.service.views.games import GlanceView
from challenge.store.games import Stored

REMEMBERED = 4096  # states a process keeps, about 1 kB each


@dataclass(frozen=True, slots=True)
class Seat:
    """A player at a board: the game as stored and as replayed."""

    player: str
    board: Board
    stored: Stored
    game: Game

    @property
    def mode(self) -> Mode:
        """Daily while it can count or once it has; archive otherwise."""
        return "daily" if self.stored.score is not None or not self.stored.closed else "archive"


@lru_cache(maxsize=REMEMBERED)
def state_of(ruleset: Ruleset, seed: bytes, log: bytes) -> Game:
    """The state of a log, one action after another; a pure function, remembered by prefix."""
    if not log:
        return rules.start(ruleset)
    before = state_of(ruleset, seed, log[:-1])
    return rules.apply(before, stream_of(ruleset, seed), decode(log[-1]))


def glance(board: Board, stored: Stored, now: datetime) -> GlanceView:
    """A game as it is stored, in short."""
    closed = stored.closed or board.state(now) == "closed"
    game = state_of(board.ruleset, board.seed, stored.log or b"")
    return GlanceView(
        date=board.id.day.isoformat(),
        ruleset=board.id.ruleset,
        state="none" if stored.log is None else "done" if game.finished else "begun",
        mode="archive" if closed and stored.score is None else "daily",
        round=game.round,
        rounds=board.ruleset.rounds,
        score=game.total if game.finished else None,
    )


def kept_glance(board: Board, score: int | None) -> GlanceView:
    """A board whose games are no longer kept, with what the player's record says of it."""
    return GlanceView(
        date=board.id.day.isoformat(),
        ruleset=board.id.ruleset,
        state="gone",
        mode="archive" if score is None else "daily",
        round=board.ruleset.rounds,
        rounds=board.ruleset.rounds,
        score=score,
    )
