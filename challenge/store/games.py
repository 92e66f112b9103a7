"""Games: the log of each player on each board, appended one byte a move.

When Redis fails: every method raises StoreUnavailable. A move whose answer was lost may
be sent again; the script says "same" and nothing happens twice.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from challenge.store import keys, tally
from challenge.store.boards import merge_histograms
from challenge.store.client import Script, answered
from challenge.store.epochs import Epochs
from challenge.store.keys import BoardId
from challenge.store.link import Link

logger = logging.getLogger("challenge.store")

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

    ``closed`` says that the shard carries its closing mark; ``safe`` of what was counted
    whether enough replicas have it, None where none are asked.
    """

    status: Status
    closed: bool = False
    histogram: dict[int, int] | None = None
    safe: bool | None = None


class Games:
    """All games of one Redis; a finish is safe once ``replicas`` of it have it, where set."""

    def __init__(self, link: Link, epochs: Epochs, replicas: int = 0) -> None:
        self._link = link
        self._epochs = epochs
        self._replicas = replicas
        self._confirm = Script(link, "confirm")
        self._begin = Script(link, "begin")
        self._move = Script(link, "move")
        self._erase = Script(link, "erase")

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

    def read_log(self, board: BoardId, shards: int, player: str) -> tuple[bytes | None, int]:
        """The log and the epoch of the player's valid tokens, in one round trip.

        That is all a move needs to know before it. Where the two lie on different servers
        and the player's is away, the epoch is the one last seen.
        """
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            # Not hget(): its wrappers cost a third of the command.
            pipe.execute_command("HGET", board.shard_of(player, shards).games, player)  # type: ignore[no-untyped-call]
            pipe.execute_command("HGET", keys.profile(player), "epoch")  # type: ignore[no-untyped-call]
            log, epoch = pipe.execute(raise_on_error=False)
            if isinstance(log, Exception):
                raise log
            if isinstance(epoch, Exception):
                return log, self._epochs.known(player, epoch)
        return log, self._epochs.note(player, int(epoch or 0))

    def begin(self, board: BoardId, shards: int, player: str) -> tuple[bool, bytes] | None:
        """Begins a game unless it exists: whether it is new, and its log.

        None where the board keeps no games any more.
        """
        shard = board.shard_of(player, shards)
        new, log = self._begin([shard.games, shard.closed, shard.started], [player])
        return None if new < 0 else (bool(new), log)

    def erase(
        self, board: BoardId, shards: int, player: str, *, score: int | None, mark: str
    ) -> None:
        """Takes a player's game off a board, with its score and its count in the histogram.

        ``score`` is the one in the player's record: a compacted board lists the best alone.
        ``mark`` is the player's on this board, so that repeating it is harmless. What was
        begun as a daily game is no longer among those begun; once the board is closed that
        is known of finished ones only.
        """
        shard = board.shard_of(player, shards)
        self._erase(
            [
                *(shard.games, shard.scores, shard.histogram, shard.unsettled),
                *(shard.started, shard.closed, shard.evidence, shard.apart, shard.erased),
            ],
            [player, "" if score is None else score, mark, keys.ERASED_SECONDS],
        )

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
        safe = self._is_safe() if status == b"counted" else None
        return Outcome(status.decode(), bool(closed), histogram, safe)

    def confirm(self, board: BoardId, shards: int, player: str, log: bytes) -> bool | None:
        """Whether a finish that was found made already is safe, as ``Outcome.safe``.

        A read would prove nothing, so the log is written again before replicas are asked;
        unless it is not ``log`` any more, since the read was answered by a master that died.
        """
        if not self._replicas:
            return None
        return bool(self._confirm([board.shard_of(player, shards).games], [player, log])) and (
            self._is_safe()
        )

    def _is_safe(self) -> bool | None:
        if not self._replicas:
            return None
        safe = self._link.reached(self._replicas)
        if not safe:
            tally.count("degraded_finishes")
            logger.warning("a finish has not reached %d replicas", self._replicas)
        return safe


def _stored(log: bytes | None, closed: int, score: float | None) -> Stored:
    return Stored(log, bool(closed), None if score is None else -int(score))
