"""The way to Redis: to one server, to Sentinel's master, or to a cluster; the URL decides.

redis-py's defaults wait long and retry ten times; a page would hang. Here a dead Redis
is answered in well under a second (``patience`` says how), and one retry is safe because
every write is.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from weakref import WeakSet

from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import RedisError
from redis.retry import Retry

from challenge.errors import SettingError
from challenge.redis_url import RedisUrl, parse
from challenge.store.cluster import ClusterRedis
from challenge.store.connections import SILENT, Pause, Tcp, Tls, class_for
from challenge.store.nodes import Nodes
from challenge.store.sentinels import sentinel_pool

WAIT_MS = 150  # milliseconds for replicas to say that they have a write
FILES = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile")


class Link:
    """The way to one Redis: a client for each thread, connected at its first command.

    A thread keeps its connection, since taking one from a pool and giving it back for
    every command would cost more than the command.
    """

    def __init__(self, url: str) -> None:
        where = parse(url)
        self.kind = where.kind
        self._make = _checked(where)
        self._local = threading.local()
        _links.add(self)

    @property
    def redis(self) -> Redis:
        """This thread's client; use it inside :func:`answered`."""
        found: Redis | None = getattr(self._local, "redis", None)
        if found is None:
            found = self._local.redis = self._make()
        return found

    def masters(self) -> list[Redis]:
        """A client of each server that holds keys, for what names no key: INFO, SCAN.

        Use it inside :func:`answered`; the clients are this thread's for the moment.
        """
        redis = self.redis
        return redis.masters() if isinstance(redis, ClusterRedis) else [redis]

    def reached(self, replicas: int) -> bool:
        """Whether so many replicas have what this thread's last command wrote.

        Asked on the very connection that wrote, and never on a new one: that would be
        answered at once and prove nothing. Whatever goes wrong is a no.
        """
        return _reached(self._connection(), replicas)

    def reached_everywhere(self, replicas: int) -> bool:
        """The same of all servers of a cluster that this thread's last pipeline wrote to.

        One server alone needs no such question: its replicas get one write after the other.
        """
        redis = self.redis
        if not isinstance(redis, ClusterRedis):
            return True
        return all(_reached(line.connection, replicas) for line in redis.used)

    def forget(self) -> None:
        """Leaves the clients to whoever has them: a new process must not share a connection."""
        self._local = threading.local()

    def _connection(self) -> Any:
        redis = self.redis
        if isinstance(redis, ClusterRedis):
            return redis.last and redis.last.connection
        return redis.connection


def _reached(connection: Any, replicas: int) -> bool:
    if connection is None or not connection.is_connected:
        return False
    wrote = connection._sock  # sending may make another one, e.g. where the server is a replica
    try:
        connection.send_command("WAIT", replicas, WAIT_MS, check_health=False)
        if connection._sock is not wrote:
            raise Broken("the connection that wrote has ended")
        return int(connection.read_response()) >= replicas
    except (RedisError, OSError):
        connection.disconnect()
        return False


_links: WeakSet[Link] = WeakSet()


def _forget_all() -> None:
    for link in list(_links):
        link.forget()


os.register_at_fork(after_in_child=_forget_all)


def _checked(where: RedisUrl) -> Callable[[], Redis]:
    """What makes a thread's client.

    Raises:
        SettingError: the URL carries an option the client does not know, a wrong value, or
            a file that cannot be read.
    """
    try:
        if where.kind == "cluster":
            return _cluster(where)
        pool = _pool(where) if where.kind == "server" else sentinel_pool(where)
        _try(pool)
    except (TypeError, ValueError):
        raise SettingError(
            "CHALLENGE_REDIS_URL has an option after the ? that the client does not know, or "
            "one with a wrong value."
        ) from None
    return lambda: Redis(connection_pool=pool, single_connection_client=True)


def _try(pool: ConnectionPool) -> None:
    """Makes a connection that connects nowhere; else the first command would raise."""
    pool.connection_class(**pool.connection_kwargs)
    for option in FILES:
        path = pool.connection_kwargs.get(option)
        if path is not None and not (Path(path).is_file() and os.access(path, os.R_OK)):
            raise SettingError(
                f"CHALLENGE_REDIS_URL has {option}={path}, but there is no such file to read."
            )


def _pool(where: RedisUrl) -> ConnectionPool:
    return ConnectionPool.from_url(
        where.text,
        connection_class=class_for(where.text),
        retry=Retry(Pause(), 1),
        driver_info=None,  # else two more round trips before a new connection can be used
        maint_notifications_config=SILENT,
        legacy_responses=False,
    )


def _cluster(where: RedisUrl) -> Callable[[], Redis]:
    options = {
        **parse_url(f"redis://?{where.query}"),  # type: ignore[no-untyped-call]
        "username": where.user,
        "password": where.password,
        "connection_class": Tls if where.tls else Tcp,
        "retry": Retry(NoBackoff(), 0),  # `line` and `cluster` know what to do instead
        "driver_info": None,
        "maint_notifications_config": SILENT,
        "legacy_responses": False,
    }
    nodes = Nodes(where.addresses, options)
    pool = nodes.pool(where.addresses[0])
    _try(pool)
    return lambda: ClusterRedis(nodes)
