"""Where Flask-Limiter counts: in Redis through our own link, in memory while Redis is away.

The library would bring clients and pools of its own; through the store's link its counts go
wherever games go, be that one server, Sentinel or a cluster, and wait no longer than they do.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from limits.storage import Storage

from challenge.errors import StoreUnavailable
from challenge.store import tally
from challenge.store.limits import Limits
from challenge.web.windows import Windows

SCHEME = "samedice"
PAUSE = 5.0  # seconds until Redis is asked again after it failed; no page waits for it meanwhile

T = TypeVar("T")

log = logging.getLogger("challenge.web")


@dataclass(frozen=True, slots=True)
class Counted:
    """One that was counted: the count with it, the seconds until it ends, the way to undo it.

    It is undone where it was counted, and not once its span has ended: else it would make room
    for one more where it took none.
    """

    count: int
    left: float
    give_back: Callable[[], None]


class Counts(Storage):
    """Fixed windows of a library ``limits``; a limit never fails the request it is asked for."""

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012 - so the library declares it

    def __init__(self, uri: str | None = None, *, limits: Limits, **_: Any) -> None:
        super().__init__(uri)
        self._limits = limits
        self._memory: dict[int, Windows] = {}  # by span
        self._away_until = 0.0

    @property
    def base_exceptions(self) -> type[Exception]:
        """None of them leaves this class."""
        return StoreUnavailable

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Adds to a count of ``expiry`` seconds and returns it."""
        return self._ask(
            lambda: self._limits.add(key, expiry, amount)[0],
            lambda: self._window(expiry).add(key, amount)[0],
        )

    def one(self, key: str, expiry: int) -> Counted:
        """One more of a count of ``expiry`` seconds, that may be given back."""
        return self._ask(
            lambda: self._in_redis(key, expiry), lambda: self._in_memory(self._window(expiry), key)
        )

    def _in_redis(self, key: str, expiry: int) -> Counted:
        count, left = self._limits.add(key, expiry)
        undo = partial(self._limits.give_back, key, left)
        return Counted(count, left, lambda: self._ask(undo, lambda: None))

    def _in_memory(self, window: Windows, key: str) -> Counted:
        count, left = window.add(key)
        return Counted(count, left, partial(window.give_back, key, left))

    def get(self, key: str) -> int:
        """A count as it stands."""
        return self._ask(
            lambda: self._limits.read(key),
            lambda: max((window.read(key)[0] for window in self._memory.values()), default=0),
        )

    def get_expiry(self, key: str) -> float:
        """When a count ends, in seconds of the wall clock."""
        return time.time() + self._ask(
            lambda: self._limits.left(key),
            lambda: max((window.read(key)[1] for window in self._memory.values()), default=0),
        )

    def check(self) -> bool:
        """Whether counts are kept; they always are, if need be in memory."""
        return True

    def reset(self) -> int | None:
        """Not offered: limits end by themselves."""
        raise NotImplementedError

    def clear(self, key: str) -> None:
        """Not offered either."""
        raise NotImplementedError

    def _window(self, span: int) -> Windows:
        return self._memory.setdefault(span, Windows(span))

    def _ask(self, redis: Callable[[], T], memory: Callable[[], T]) -> T:
        """The answer of Redis, or of this process's memory while Redis is away."""
        if time.monotonic() >= self._away_until:
            try:
                answer = redis()
            except StoreUnavailable:
                self._leave()
            else:
                self._come_back()
                return answer
        return memory()

    def _leave(self) -> None:
        if not self._away_until:  # once an outage, not once a page
            log.warning("limits cannot be asked; this process counts for itself meanwhile")
        tally.count("limits_unasked", "all")
        self._away_until = time.monotonic() + PAUSE

    def _come_back(self) -> None:
        if self._away_until:
            self._away_until = 0.0
            self._memory.clear()
            log.warning("limits are asked again")
