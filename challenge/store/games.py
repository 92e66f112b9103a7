"""Games: the log of each player on each board, appended one byte a move.

When Redis fails: every method raises StoreUnavailable. A move whose answer was lost may
be sent again; the script says "same" and nothing happens twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from challenge.store.boards import merge_histograms
from challenge.store.client import Link, Script, answered
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
    """What the move script did; ``histogram`` (of the player's shard) comes with ``counted``.

    ``closed`` says that the shard carries its closing mark.
    """

    status: Status
    closed: bool = False
    histogram: dict[int, int] | None = None


class Games:
    """All games of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._begin = Script(link, "begin")
        self._move = Script(link, "move")

    def read(self, board: BoardId, shards: int, player: str) -> Stored:
        """A player's game, in one round trip."""
        (stored,) = self.read_many([(board, shards)], player)
        return stored

    def read_many(self, boards: Sequence[tuple[BoardId, int]], player: str) -> list[Stored]:
        """A player's games on several boards (with their number of shards), in one round trip."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board, shards in boards:
                shard = board.shard_of(player, shards)
                pipe.hget(shard.games, player)
                pipe.exists(shard.closed)
                pipe.zscore(shard.scores, player)
            found = pipe.execute()
        return [_stored(*found[i : i + 3]) for i in range(0, len(found), 3)]

    def read_log(self, board: BoardId, shards: int, player: str) -> bytes | None:
        """The log alone, all that a move needs to know before it."""
        with answered():
            # Not hget(): its wrappers cost a third of the command.
            log: bytes | None = self._link.redis.execute_command(  # type: ignore[no-untyped-call]
                "HGET", board.shard_of(player, shards).games, player
            )
        return log

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
        status, closed, *rest = self._move(
            [shard.games, shard.closed, shard.scores, shard.histogram, shard.unsettled],
            [player, ply, bytes((action,)), "" if final is None else final, int(counts)],
        )
        histogram = None
        if rest:
            flat = rest[0]
            histogram = merge_histograms([dict(zip(flat[::2], flat[1::2], strict=True))])
        return Outcome(status.decode(), bool(closed), histogram)


def _stored(log: bytes | None, closed: int, score: float | None) -> Stored:
    return Stored(log, bool(closed), None if score is None else -int(score))
