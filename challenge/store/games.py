"""Games: the log of each player on each board, appended one byte a move.

When Redis fails: every method raises StoreUnavailable. A move whose answer was lost may
be sent again; the script says "same" and nothing happens twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from redis import Redis

from challenge.store.boards import merge_histograms
from challenge.store.client import Script, answered
from challenge.store.keys import BoardId

Status = Literal["missing", "conflict", "same", "done", "counted"]


@dataclass(frozen=True, slots=True)
class Stored:
    """A game as it lies in Redis: its log (None before it began), whether its shard is
    closed, and its score on the board (None unless finished in its day)."""

    log: bytes | None
    closed: bool
    score: int | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the move script did; ``histogram`` (of the player's shard) comes with ``counted``."""

    status: Status
    log: bytes = b""
    histogram: dict[int, int] | None = None


class Games:
    """All games of one Redis."""

    def __init__(self, client: Redis) -> None:
        self._redis = client
        self._begin = Script(client, "begin")
        self._move = Script(client, "move")

    def read(self, board: BoardId, shards: int, player: str) -> Stored:
        """A player's game, in one round trip."""
        shard = board.shard_of(player, shards)
        with answered():
            pipe = self._redis.pipeline(transaction=False)
            pipe.hget(shard.games, player)
            pipe.exists(shard.closed)
            pipe.zscore(shard.scores, player)
            log, closed, score = pipe.execute()
        return Stored(log, bool(closed), None if score is None else -int(score))

    def begin(self, board: BoardId, shards: int, player: str) -> tuple[bool, bytes]:
        """Begins a game unless it exists: whether it is new, and its log."""
        shard = board.shard_of(player, shards)
        new, log = self._begin([shard.games, shard.closed, shard.started], [player])
        return bool(new), log

    def move(
        self,
        board: BoardId,
        shards: int,
        player: str,
        *,
        ply: int,
        action: int,
        final: int | None,
        counts: bool,
    ) -> Outcome:
        """Appends an action at ``ply``; ``final`` is the score with the last entry of a game.

        ``counts`` says that by the caller's clock the board is not closed yet; the shard's
        own mark is asked as well.
        """
        shard = board.shard_of(player, shards)
        status, *rest = self._move(
            [shard.games, shard.closed, shard.scores, shard.histogram, shard.unsettled],
            [player, ply, bytes((action,)), "" if final is None else final, int(counts)],
        )
        histogram = None
        if len(rest) == 2:
            flat = rest[1]
            histogram = merge_histograms([dict(zip(flat[::2], flat[1::2], strict=True))])
        return Outcome(status.decode(), rest[0] if rest else b"", histogram)
