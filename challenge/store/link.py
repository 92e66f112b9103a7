"""The way to Redis: its connections, short of patience.

redis-py's defaults wait long and retry ten times; a page would hang. Here a dead Redis
is answered in well under a second, and one retry is safe because every write is.
"""

from __future__ import annotations

import threading

from redis import ConnectionPool, Redis
from redis.backoff import ConstantBackoff
from redis.retry import Retry

from challenge.errors import SettingError

TIMEOUT = 0.4  # seconds for a connection or an answer; twice with the one retry
RETRY_PAUSE = 0.03  # a restarting server needs a moment


class Link:
    """The way to one Redis: a connection for each thread, made at its first command.

    A thread keeps its connection, since taking one from a pool and giving it back for
    every command would cost more than the command.
    """

    def __init__(self, url: str) -> None:
        self._pool = _pool(url)
        self._local = threading.local()

    @property
    def pool(self) -> ConnectionPool:
        """The connections, for a library that brings a client of its own."""
        return self._pool

    @property
    def redis(self) -> Redis:
        """This thread's client; use it inside :func:`answered`."""
        found: Redis | None = getattr(self._local, "redis", None)
        if found is None:
            found = Redis(connection_pool=self._pool, single_connection_client=True)
            self._local.redis = found
        return found


def _pool(url: str) -> ConnectionPool:
    """The connections of a URL.

    Raises:
        SettingError: it carries an option the client does not know, or a wrong value of one.
    """
    try:
        pool = ConnectionPool.from_url(
            url,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            retry=Retry(ConstantBackoff(RETRY_PAUSE), 1),
            legacy_responses=False,
        )
        pool.connection_class(**pool.connection_kwargs)  # else the first command would raise
    except (TypeError, ValueError):
        raise SettingError(
            "CHALLENGE_REDIS_URL has an option after the ? that the client does not know, or "
            "one with a wrong value."
        ) from None
    return pool
