"""Players: names, the epoch of their tokens, and the record of their games.

A player's tokens carry an epoch; only those of the current one are valid. An erased player
leaves a keyed hash of the id, so that what is still on its way finds nobody.

When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from typing import Any

from redis.exceptions import ResponseError

from challenge.store import keys
from challenge.store.boards import Row
from challenge.store.client import answered, within_reach
from challenge.store.epochs import Epochs
from challenge.store.keys import BoardId
from challenge.store.link import Link


class Players:
    """All players of one Redis; ``key`` hashes the ids of the erased, ``replicas`` are to have
    a record before it is relied on.
    """

    def __init__(self, link: Link, key: bytes, epochs: Epochs, replicas: int = 0) -> None:
        self._link = link
        self._replicas = replicas
        self._epochs = epochs
        self._key = key

    # -- who is admitted ----------------------------------------------------------------

    def admits(self, player: str, epoch: int) -> bool:
        """Whether a token of this epoch still is this player, in one round trip.

        Where a server of a cluster is away that knows it, by what was last seen; what the
        other one says holds all the same.
        """
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            pipe.hget(keys.profile(player), "epoch")
            pipe.exists(self._gone(player))
            current, gone = pipe.execute(raise_on_error=False)
            if isinstance(gone, Exception):
                self._epochs.known(player, gone)  # who was seen lately was not erased then
            elif gone:
                return False
            if isinstance(current, Exception):
                return self._epochs.known(player, current) == epoch
        return self._epochs.note(player, int(current or 0)) == epoch

    def is_gone(self, player: str) -> bool:
        """Whether the player was erased."""
        with answered():
            return bool(self._link.redis.exists(self._gone(player)))

    def epoch(self, player: str) -> int:
        """The epoch of a player's valid tokens, 0 at first."""
        with answered():
            return int(self._link.redis.hget(keys.profile(player), "epoch") or 0)

    def next_epoch(self, player: str) -> int:
        """Voids every token of a player; the epoch of those to come."""
        with answered():
            return int(self._link.redis.hincrby(keys.profile(player), "epoch", 1))

    # -- erasure ------------------------------------------------------------------------

    def mark_gone(self, player: str) -> None:
        """From now on nothing is this player any more; what is stored is erased after it.

        Noted first, so that the worker finishes an erasure that breaks off.
        """
        with answered():
            self._link.redis.sadd(keys.ERASING, player)
            self._link.redis.set(self._gone(player), "1")
        self._epochs.forget(player)

    def erasing(self) -> list[str]:
        """Players whose erasure is not finished."""
        with answered():
            found: Any = self._link.redis.smembers(keys.ERASING)
        return sorted(player.decode() for player in found)

    def forget(self, player: str) -> None:
        """Deletes the profile and the record; the end of an erasure."""
        with answered():
            self._link.redis.delete(keys.profile(player), keys.record(player))
            self._link.redis.srem(keys.ERASING, player)

    def erased_mark(self, player: str, board: BoardId) -> str:
        """What says on one board, and on no other, that this player was erased."""
        told = f"board/{board}/{player}".encode()
        return hmac.new(self._key, told, hashlib.sha256).hexdigest()[:32]

    def gone_mark(self, player: str) -> str:
        """What stays of a player who was erased."""
        return hmac.new(self._key, player.encode(), hashlib.sha256).hexdigest()[:32]

    def _gone(self, player: str) -> str:
        return keys.gone(self.gone_mark(player))

    # -- names --------------------------------------------------------------------------

    def rename(self, player: str, name: str) -> None:
        """Gives a player a name, already checked."""
        with answered():
            self._link.redis.hset(keys.profile(player), "name", name)

    def unname(self, player: str) -> None:
        """Takes the name away again that was given to a player who is gone."""
        with answered():
            self._link.redis.hdel(keys.profile(player), "name")

    def names(self, players: Sequence[str]) -> list[str | None]:
        """The names of players in one round trip; None for those without or with a hidden one.

        None as well where some of a cluster's servers are away and a name lies there.
        """
        if not players:
            return []
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for player in players:
                pipe.hmget(keys.profile(player), "name", "hidden")
            found = within_reach(pipe.execute(raise_on_error=False))
        shown = [answer or (None, None) for answer in found]
        return [None if hidden or raw is None else raw.decode() for raw, hidden in shown]

    def given(self, player: str) -> tuple[str | None, bool]:
        """The name a player has, shown or not, and whether it is hidden."""
        with answered():
            raw: Any = self._link.redis.hmget(keys.profile(player), "name", "hidden")
        return None if raw[0] is None else raw[0].decode(), bool(raw[1])

    def hide(self, player: str, *, hidden: bool) -> None:
        """Shows a player without the name, whatever it is changed to, or with it again."""
        with answered():
            if hidden:
                self._link.redis.hset(keys.profile(player), "hidden", "1")
            else:
                self._link.redis.hdel(keys.profile(player), "hidden")

    def exists(self, player: str) -> bool:
        """Whether anything is kept of a player."""
        with answered():
            return bool(self._link.redis.exists(keys.profile(player), keys.record(player)))

    # -- the record ---------------------------------------------------------------------

    def begins(self, player: str, board: BoardId) -> bool:
        """Notes the board in the record, before the game begins: else it could be lost.

        Whether it was not noted before.
        """
        with answered():
            return bool(self._link.redis.hsetnx(keys.record(player), str(board), ""))

    def unbegins(self, player: str, board: BoardId) -> None:
        """Takes a board out of the record of a player who is gone, its game being erased."""
        with answered():
            self._link.redis.hdel(keys.record(player), str(board))

    def begun(self, player: str) -> list[BoardId]:
        """Every board on which the player began a game, oldest first."""
        with answered():
            names: Any = self._link.redis.hkeys(keys.record(player))
        return [BoardId.parse(name) for name in sorted(name.decode() for name in names)]

    def unplayed(self, players: Sequence[str], board: BoardId) -> None:
        """Takes a board without games out of the records that have no score of it."""
        if not players:
            return
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for player in players:
                pipe.hget(keys.record(player), str(board))
            scores = pipe.execute()
            pipe = self._link.redis.pipeline(transaction=False)
            for player, score in zip(players, scores, strict=True):
                if score == b"":
                    pipe.hdel(keys.record(player), str(board))
            pipe.execute()

    def score_on(self, player: str, board: BoardId) -> int | None:
        """A player's settled score on one board; None without one."""
        with answered():
            raw = self._link.redis.hget(keys.record(player), str(board))
        return int(raw) if raw else None

    def record(self, player: str) -> dict[BoardId, int]:
        """Board -> score of every daily game settled so far."""
        with answered():
            raw: Any = self._link.redis.hgetall(keys.record(player))
        return {BoardId.parse(board.decode()): int(score) for board, score in raw.items() if score}

    def settle(self, board: BoardId, rows: Sequence[Row]) -> None:
        """Writes finishes of one board into their players' records; repeating it is harmless.

        Who was erased between the reading of ``rows`` and the writing is erased again, by
        the worker: what is in the record then says where there may be more. Once this
        returns the rows may go from their board, which may lie on another server: a record
        that were lost there would be lost for good.

        Raises:
            StoreUnavailable: Redis does not answer, or too few replicas of a cluster do.
        """
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for row in rows:
                pipe.hset(keys.record(row.player), str(board), row.score)
            for row in rows:
                pipe.exists(self._gone(row.player))
            gone = pipe.execute()[len(rows) :]
            if self._replicas and not self._link.reached_everywhere(self._replicas):
                raise ResponseError("NOREPLICAS Too few have the records.")
        for row, is_gone in zip(rows, gone, strict=True):
            if is_gone:
                self.mark_gone(row.player)
