"""Reports of names: who was reported, and by how many.

Reporters are kept as keyed hashes that differ from one reported player to the next.

When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any

from challenge.store import keys
from challenge.store.client import answered
from challenge.store.link import Link


class Reports:
    """All open reports; ``key`` hashes the reporters."""

    def __init__(self, link: Link, key: bytes) -> None:
        self._link = link
        self._key = key

    def add(self, reported: str, reporter: str) -> None:
        """Counts a reporter, once."""
        with answered():
            redis = self._link.redis
            redis.sadd(keys.reports(reported), self._mark(reported, reporter))
            count: Any = redis.scard(keys.reports(reported))
            # Two at a time may count in any order: the number only grows.
            redis.zadd(keys.REPORTS, {reported: count}, gt=True)

    def open(self, limit: int) -> list[tuple[str, int]]:
        """Reported players and the number of their reporters, most first."""
        with answered():
            found: Any = self._link.redis.zrange(
                keys.REPORTS, 0, limit - 1, desc=True, withscores=True
            )
        return [(player.decode(), int(count)) for player, count in found]

    def count(self, player: str) -> int:
        """How many have reported a player since it was last dealt with."""
        with answered():
            return int(self._link.redis.zscore(keys.REPORTS, player) or 0)

    def forget(self, player: str) -> None:
        """Deletes the reports of a player: they are dealt with, or the player is erased."""
        with answered():
            self._link.redis.delete(keys.reports(player))
            self._link.redis.zrem(keys.REPORTS, player)

    def _mark(self, reported: str, reporter: str) -> str:
        told = f"report/{reported}/{reporter}".encode()
        return hmac.new(self._key, told, hashlib.sha256).hexdigest()[:32]
