"""What went wrong with Redis, in one word, and said once for an outage."""

from __future__ import annotations

import logging
import re
import ssl
import threading
import time

from redis.exceptions import RedisError, ResponseError

from challenge.store.connections import Demoted

QUIET = 60.0  # seconds without this trouble after which it is a new outage
_CODE = re.compile(r"(?:Command # \d+ .* of pipeline caused error: )?([A-Z]{2,20}) ")

HINTS = {
    "AuthenticationError": (
        "Redis wants another user or password; set them in CHALLENGE_REDIS_URL, those of "
        "sentinels as ?sentinel_username= and ?sentinel_password=."
    ),
    "MasterNotFoundError": (
        "The sentinels know no master of that name that is up; look at them, and at the service "
        "in CHALLENGE_REDIS_URL."
    ),
    "NoPermissionError": "The user in CHALLENGE_REDIS_URL may not run every command on sd1:* keys.",
    "ConnectionError": (
        "Nothing listens there, or it cuts every connection, as it does where it wants TLS; "
        "start Redis, or say rediss in CHALLENGE_REDIS_URL."
    ),
    "CertificateError": (
        "Nobody we trust vouches for its certificate; add ?ssl_ca_certs= with the file of its "
        "certificate authority to CHALLENGE_REDIS_URL, and call it by a name in the certificate."
    ),
    "TlsError": "It speaks no TLS there, or wants a certificate of ours; look at its TLS port.",
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

    ``CertificateError`` and ``TlsError`` where the client's class hides that. Never more of
    its text, which may hold keys and so ids of players.
    """
    if isinstance(error, Demoted):
        return "ReadOnlyError"
    if isinstance(error.__cause__, RedisError):  # why nobody said where the master is
        return cause_of(error.__cause__)
    under = error.__cause__ or error.__context__
    if isinstance(under, ssl.SSLError):
        untrusted = isinstance(under, ssl.SSLCertVerificationError)
        return "CertificateError" if untrusted else "TlsError"
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
