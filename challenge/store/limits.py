"""Counts behind the limits by address; each lives for a span that begins with its first count.

One key a count, so that they lie anywhere on a cluster. What a count is of, and how much of
it is too much, the web floor knows.

When Redis fails: every method raises StoreUnavailable. A count that is sent again may count
twice, against the caller; one that was to be given back and is not counts until its span ends.
"""

from __future__ import annotations

from challenge.store import keys
from challenge.store.client import Script, answered
from challenge.store.link import Link


class Limits:
    """The counts of all addresses, by name."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._count = Script(link, "count")

    def add(self, name: str, span: int, amount: int = 1) -> tuple[int, float]:
        """Adds to a count of ``span`` seconds; the count, and the seconds until its span ends.

        Adding and reading are one step, so that of many at once no two see the same count.
        """
        count, left = self._count([keys.limit(name)], [amount, span * 1000, 0])
        return int(count), left / 1000

    def give_back(self, name: str, left: float) -> None:
        """Takes back one that was added when ``left`` seconds were left of the span.

        Once that has ended nothing happens: a later span has nothing of it to give back.
        """
        self._count([keys.limit(name)], [-1, 0, round(left * 1000)])

    def read(self, name: str) -> int:
        """A count as it stands; 0 once its span has ended."""
        with answered():
            return int(self._link.redis.get(keys.limit(name)) or 0)

    def left(self, name: str) -> int:
        """Seconds until the span of a count ends; 0 where nothing is counted."""
        with answered():
            return max(0, int(self._link.redis.ttl(keys.limit(name))))
