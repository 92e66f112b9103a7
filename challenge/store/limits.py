"""Limits by address: how often one may guess wrongly within an hour.

The library ``limits`` keeps the counts, under names of its own below ``sd1:limits``; they
end by themselves.

When Redis fails: every method raises StoreUnavailable. A count that is sent again may
count twice, against the guesser.
"""

from __future__ import annotations

import time
from functools import cached_property
from typing import TYPE_CHECKING

from challenge.store import keys
from challenge.store.client import answered
from challenge.store.link import Link

if TYPE_CHECKING:
    from limits import RateLimitItem
    from limits.strategies import RateLimiter

SCOPE = "guess"


class Limits:
    """Wrong guesses of all addresses, ``allowed`` of them in an hour."""

    def __init__(self, link: Link, allowed: int) -> None:
        self._link = link
        self._allowed = allowed

    def wait(self, address: str) -> int:
        """Seconds until an address may guess again; 0 while it may."""
        limiter, item = self._limiter
        with answered():
            if limiter.test(item, address):
                return 0
            ends_at = limiter.get_window_stats(item, address).reset_time
        return max(1, round(ends_at - time.time()))

    def count(self, address: str) -> None:
        """Counts a wrong guess."""
        limiter, item = self._limiter
        with answered():
            limiter.hit(item, address)

    @cached_property
    def _limiter(self) -> tuple[RateLimiter, RateLimitItem]:
        # Imported with the first code that is entered: most processes never see one.
        from limits import RateLimitItemPerHour  # noqa: PLC0415
        from limits.storage import RedisStorage  # noqa: PLC0415
        from limits.strategies import FixedWindowRateLimiter  # noqa: PLC0415

        pool = self._link.pool
        storage = RedisStorage("redis://", connection_pool=pool, key_prefix=keys.LIMITS)
        return FixedWindowRateLimiter(storage), RateLimitItemPerHour(self._allowed, namespace=SCOPE)
