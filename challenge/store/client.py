"""The connection to Redis, its scripts, and what a failure means.

redis-py's defaults wait long and retry ten times; a page would hang. Here a dead Redis
is answered in well under a second, and one retry is safe because every write is.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from typing import Any

from redis import Redis
from redis.backoff import ConstantBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from challenge.errors import SettingError, StoreUnavailable

TIMEOUT = 0.4  # seconds for a connection or an answer; twice with the one retry
RETRY_PAUSE = 0.03  # a restarting server needs a moment
POOL = 32  # connections of one process, at least one for each of its threads


def connect(url: str) -> Redis:
    """A client for one server; nothing is sent before the first command.

    Raises:
        SettingError: the URL carries an option that is none.
    """
    try:
        client = _client(url)
        pool = client.connection_pool
        pool.connection_class(**pool.connection_kwargs)  # else the first command would raise
    except (TypeError, ValueError):
        raise SettingError(
            "CHALLENGE_REDIS_URL has an option after the ? that the client does not know, or "
            "one with a wrong value."
        ) from None
    return client


def _client(url: str) -> Redis:
    return Redis.from_url(
        url,
        socket_timeout=TIMEOUT,
        socket_connect_timeout=TIMEOUT,
        retry=Retry(ConstantBackoff(RETRY_PAUSE), 1),
        max_connections=POOL,
        health_check_interval=0,
        legacy_responses=False,
    )


class Script:
    """One file of ``lua/``, run by its digest and loaded again where the server lost it."""

    def __init__(self, client: Redis, name: str) -> None:
        text = files("challenge.store").joinpath("lua", f"{name}.lua").read_text("utf-8")
        self._run = client.register_script(text)

    def __call__(self, keys: list[str], args: list[str | bytes | int]) -> Any:
        """The script's answer.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        with answered():
            return self._run(keys=keys, args=args)


@contextmanager
def answered() -> Iterator[None]:
    """Turns whatever redis-py raises into the one error the floors above know."""
    try:
        yield
    except (RedisError, OSError) as error:
        raise StoreUnavailable(type(error).__name__) from error
