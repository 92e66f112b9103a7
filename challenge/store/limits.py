"""Limits by address: how often one may guess wrongly within an hour.

The library ``limits`` keeps the counts, under names of its own below ``sd1:limits``; they
end by themselves.

When Redis fails: every method raises StoreUnavailable. A count that is sent again may
count twice, against the guesser.
"""

from __future__ import annotations

import time
from functools import cached_property

from limits import RateLimitItemPerHour
from limits.storage import RedisStorage
from limits.strategies import FixedWindowRateLimiter

from challenge.store import keys
from challenge.store.client import Link, answered

SCOPE = "guess"


class Limits:
    """Wrong guesses of all addresses, ``allowed`` of them in an hour."""

    def __init__(self, link: Link, allowed: int) -> None:
        self._link = link
        self._item = RateLimitItemPerHour(allowed, namespace=SCOPE)

    def wait(self, address: str) -> int:
        """Seconds until an address may guess again; 0 while it may."""
        with answered():
            if self._limiter.test(self._item, address):
                return 0
            ends_at = self._limiter.get_window_stats(self._item, address).reset_time
        return max(1, round(ends_at - time.time()))

    def count(self, address: str) -> None:
        """Counts a wrong guess."""
        with answered():
            self._limiter.hit(self._item, address)

    @cached_property
    def _limiter(self) -> FixedWindowRateLimiter:
        storage = RedisStorage("redis://", connection_pool=self._link.pool, key_prefix=keys.LIMITS)
        return FixedWindowRateLimiter(storage)
