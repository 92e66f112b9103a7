"""Players: their names and the record of their finished daily games.

When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from challenge.store import keys
from challenge.store.boards import Row
from challenge.store.client import Link, answered
from challenge.store.keys import BoardId


class Players:
    """All players of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def rename(self, player: str, name: str) -> None:
        """Gives a player a name, already checked."""
        with answered():
            self._link.redis.hset(keys.profile(player), "name", name)

    def names(self, players: Sequence[str]) -> list[str | None]:
        """The names of players in one round trip; None for those without."""
        if not players:
            return []
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for player in players:
                pipe.hget(keys.profile(player), "name")
            return [None if raw is None else raw.decode() for raw in pipe.execute()]

    def record(self, player: str) -> dict[BoardId, int]:
        """Board -> score of every daily game settled so far."""
        with answered():
            raw: Any = self._link.redis.hgetall(keys.record(player))
        return {BoardId.parse(board.decode()): int(score) for board, score in raw.items()}

    def settle(self, board: BoardId, rows: Iterable[Row]) -> None:
        """Writes finishes of one board into their players' records; repeating it is harmless."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for row in rows:
                pipe.hset(keys.record(row.player), str(board), row.score)
            pipe.execute()
