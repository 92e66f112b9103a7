"""The servers of a cluster as one process knows them: which holds which slots."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from typing import Any

from redis import ConnectionPool
from redis.crc import REDIS_CLUSTER_HASH_SLOTS as SLOTS
from redis.exceptions import RedisError

from challenge.redis_url import Address

FRESH = 0.1  # seconds a map of the slots is not asked for again
ELSE = 0.3  # seconds to wait for a thread that asks already
TRIES = 3  # servers asked for it at a time
UNKNOWN = (b"", b"?", None)  # a host that is whatever we reached the server by


class Nodes:
    """Connections to every server of a cluster, and the map of its slots.

    ``seeds`` are asked first; from then on every server that was ever named is asked, so
    that the seeds may go. Nothing is sent before the first command.
    """

    def __init__(self, seeds: tuple[Address, ...], options: dict[str, Any]) -> None:
        self.seeds = seeds
        self._options = options
        self._pools: dict[Address, ConnectionPool] = {}
        self._holders: list[Address | None] = [None] * SLOTS
        self._masters: tuple[Address, ...] = ()
        self._others: tuple[Address, ...] = ()
        self._asked_at = float("-inf")
        self.silence: Exception | None = None
        """Why nobody answered when the map was last asked for; None where somebody did."""
        self._lock = threading.Lock()

    @property
    def masters(self) -> tuple[Address, ...]:
        """Every server that holds slots."""
        return self._masters

    def pool(self, address: Address) -> ConnectionPool:
        """The connections to one server."""
        found = self._pools.get(address)
        if found is None:
            host, port = address
            made = ConnectionPool(host=host, port=port, **self._options)
            found = self._pools.setdefault(address, made)
        return found

    def holder(self, slot: int) -> Address | None:
        """Which server holds a slot, as far as is known."""
        return self._holders[slot]

    def moved(self, slot: int, address: Address) -> None:
        """A server has said where a slot is now."""
        self._holders[slot] = address

    def learn(self, ask: Callable[[Address], Any], avoid: Address | None = None) -> None:
        """Asks for the map of the slots, unless that has just been done.

        ``ask`` sends CLUSTER SLOTS to a server; ``avoid`` is asked last. Where nobody
        answers the map stays as it is.
        """
        if not self._lock.acquire(timeout=ELSE):
            return  # somebody is asking; the next command will know
        try:
            if time.monotonic() - self._asked_at >= FRESH:
                self._learn(ask, avoid)
                self._asked_at = time.monotonic()
        finally:
            self._lock.release()

    def _learn(self, ask: Callable[[Address], Any], avoid: Address | None) -> None:
        for address in self._known(avoid)[:TRIES]:
            try:
                slots = ask(address)
            except (RedisError, OSError) as error:
                self.silence = error
                continue
            self.silence = None
            if slots:
                self._note(slots, address[0])
                return

    def _known(self, avoid: Address | None) -> list[Address]:
        """Whom to ask: masters, then replicas, then the seeds; each in any order."""
        ordered = [
            address
            for group in (self._masters, self._others, self.seeds)
            for address in random.sample(group, len(group))
        ]
        found = dict.fromkeys(ordered)
        return sorted(found, key=lambda address: address == avoid)

    def _note(self, slots: Any, host: str) -> None:
        holders: list[Address | None] = [None] * SLOTS
        others = set()
        for first, last, master, *replicas in slots:
            holders[first : last + 1] = [_address(master, host)] * (last + 1 - first)
            others |= {_address(replica, host) for replica in replicas}
        masters = set(filter(None, holders))
        self._holders, self._masters = holders, tuple(sorted(masters))
        self._others = tuple(sorted(others - masters))


def _address(raw: Any, host: str) -> Address:
    return host if raw[0] in UNKNOWN else raw[0].decode(), int(raw[1])
