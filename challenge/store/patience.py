"""How long one waits for Redis, and when one does not even try.

Whoever waits for a page is answered within a second: a request has a budget of waiting,
shared by all its commands, and each wait is cut to what is left of it. Only time spent in
waiting counts, so that a request that computes for long may still write in the end.
Where nobody waits (the worker, the commands) there is no budget and more patience.

A server that answers nothing at all would still hold every thread for a whole budget. So
after two full waits in a row without any answer it is left alone, except for one try each
:data:`HOLD` seconds; the first answer of any kind ends that. One slow answer does not begin
it, since the retry behind it is answered; nor does a server that refuses or breaks
connections, since that takes no time.
"""

from __future__ import annotations

import threading
from weakref import WeakValueDictionary

TIMEOUT = 0.4  # seconds for one answer or one connection within a request
BUDGET = 0.8  # seconds of waiting in a whole request, the one retry of each command included
PATIENT = 2.0  # seconds for one answer or one connection where nobody waits
HOLD = 0.5  # seconds between two tries at a server that is left alone
MISSES = 2  # full waits in a row before it is


class _Mine(threading.local):
    left: float | None = None


mine = _Mine()
"""This thread's budget: ``left`` in seconds, None while there is none. For the store alone."""


def allowed(left: float | None) -> float:
    """Seconds the next wait may take, by what is left of the budget."""
    return PATIENT if left is None else min(max(left, 0.001), TIMEOUT)


def begin() -> None:
    """From now on this thread waits for Redis no longer than :data:`BUDGET` in all."""
    mine.left = BUDGET


def end() -> None:
    """This thread has time again."""
    mine.left = None


class Breaker:
    """What is known of one server: whether it answers, and when it may be tried again.

    ``misses`` counts full waits without an answer since the last one; ``held`` says that
    the server is left alone. With each ``era`` the connections made before are of no use any
    more. All times are monotonic seconds.
    """

    __slots__ = ("__weakref__", "_lock", "_next", "era", "held", "misses")

    def __init__(self) -> None:
        self.era = 0
        self.misses = 0
        self.held = False
        self._next = 0.0
        self._lock = threading.Lock()

    def missed(self, now: float) -> None:
        """A full wait brought nothing."""
        with self._lock:
            self.misses += 1
            if self.misses >= MISSES and not self.held:
                self.held = True
                self._next = now + HOLD

    def heard(self) -> None:
        """The server has answered, whatever it said."""
        with self._lock:
            self.misses = 0
            self.held = False

    def demoted(self) -> None:
        """The server has become a replica: what is connected to it reads what is old."""
        with self._lock:
            self.era += 1

    def may_try(self, now: float) -> bool:
        """Whether the caller is the one who tries a server that is left alone."""
        with self._lock:
            if now < self._next:
                return False
            self._next = now + HOLD
            return True


_breakers: WeakValueDictionary[str, Breaker] = WeakValueDictionary()
_lock = threading.Lock()


def breaker_of(address: str) -> Breaker:
    """The one of a server, shared by all connections of this process to its address."""
    with _lock:
        found = _breakers.get(address)
        if found is None:
            found = _breakers[address] = Breaker()
        return found
