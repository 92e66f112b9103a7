"""Counting within a span of time, in the memory of one process."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Lock

MOST = 20_000  # counts a process keeps, about 250 bytes each


class Windows:
    """Counts by name; each lives ``seconds`` from its first count, whatever the wall clock does.

    At most ``most`` are kept: where more are wanted the oldest is forgotten, so that a flood of
    names costs no memory and loosens a limit at worst.
    """

    def __init__(
        self, seconds: float, most: int = MOST, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.clock = clock
        self._seconds = seconds
        self._most = most
        self._counts: dict[str, list[float]] = {}  # name -> [end, count], the oldest first
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._counts)

    def add(self, name: str, amount: int = 1) -> tuple[int, float]:
        """Adds to a count; the count as it is now, and the seconds until it ends."""
        now = self.clock()
        with self._lock:
            found = self._counts.get(name)
            if found is None or found[0] <= now:
                found = self._begin(name, now)
            found[1] = max(0, found[1] + amount)
            return int(found[1]), found[0] - now

    def give_back(self, name: str, left: float) -> None:
        """Takes back one that was added when ``left`` seconds were left; not of a later span."""
        with self._lock:
            found = self._counts.get(name)
            if found is not None and found[0] - self.clock() <= left:
                found[1] = max(0, found[1] - 1)

    def read(self, name: str) -> tuple[int, float]:
        """A count and the seconds until it ends; nothing is counted."""
        return self.add(name, 0)

    def _begin(self, name: str, now: float) -> list[float]:
        """A new count at the end of the row; whatever has ended leaves at its front."""
        self._counts.pop(name, None)
        while self._counts:
            oldest = next(iter(self._counts))
            if self._counts[oldest][0] > now and len(self._counts) < self._most:
                break
            del self._counts[oldest]
        begun = self._counts[name] = [now + self._seconds, 0]
        return begun
