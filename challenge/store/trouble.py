"""What went wrong with Redis, in one word, and said once for an outage."""

from __future__ import annotations

import logging
import re
import threading
import time

from redis.exceptions import ResponseError

from challenge.store.connections import Demoted

QUIET = 60.0  # seconds without this trouble after which it is a new outage
_CODE = re.compile(r"(?:Command # \d+ .* of pipeline caused error: )?([A-Z]{2,20}) ")

HINTS = {
    "AuthenticationError": "Redis wants another user or password; set them in CHALLENGE_REDIS_URL.",
    "NoPermissionError": "The user in CHALLENGE_REDIS_URL may not run every command on sd1:* keys.",
    "ConnectionError": "Nothing listens there, or it cuts every connection; start Redis.",
    "TimeoutError": "It takes connections but does not answer; look at its load and the network.",
    "ReadOnlyError": "It is a replica; CHALLENGE_REDIS_URL must name the master, or use Sentinel.",
    "BusyLoadingError": "It is still loading its data; wait.",
    "OutOfMemoryError": "Its maxmemory is used up; raise it.",
    "NOREPLICAS": "It has fewer replicas than min-replicas-to-write asks for; bring them back.",
    "MISCONF": "It cannot write to its disk; make room there.",
}
"""What an operator does about a cause."""

log = logging.getLogger("challenge.store")
_lock = threading.Lock()
_last: dict[str, float] = {}


def cause_of(error: BaseException) -> str:
    """The class of an error, or the code Redis itself put in front of it (``NOREPLICAS``).

    Never more of its text, which may hold keys and so ids of players.
    """
    if isinstance(error, Demoted):
        return "ReadOnlyError"
    code = _CODE.match(str(error)) if type(error) is ResponseError else None
    return code[1] if code else type(error).__name__


def hint(cause: str) -> str:
    """One sentence for the operator; empty where there is nothing to add."""
    return HINTS.get(cause, "")


def notice(cause: str) -> None:
    """Writes one warning for an outage, however many requests meet it.

    An outage is a row of failures of one cause with less than :data:`QUIET` between them.
    """
    now = time.monotonic()
    with _lock:
        is_new = now - _last.get(cause, -QUIET) >= QUIET
        _last[cause] = now
    if is_new:
        log.warning("the store does not answer: %s", cause)
