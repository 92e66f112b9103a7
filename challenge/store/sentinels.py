"""Connections to whichever server the sentinels call the master of a service."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlencode

from redis import ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.exceptions import RedisError, ResponseError
from redis.retry import Retry
from redis.sentinel import MasterNotFoundError, SentinelConnectionPool

from challenge.redis_url import Address, RedisUrl
from challenge.store.connections import SILENT, Pause, SentinelTcp, SentinelTls, Tcp, Tls

OURS = {"sentinel_username": "username", "sentinel_password": "password"}


class _Asks:
    """Asks the sentinels anew before each connection.

    redis-py does so for a connection out of its pool alone; one that is kept would come
    back to where the master was, as would one that ends because that is a replica now.
    """

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Send, over a new connection to the master where the kept one has ended."""
        if self._era != self.breaker.era:  # type: ignore[attr-defined]
            self.disconnect()  # type: ignore[attr-defined]
        if self._sock is None:  # type: ignore[attr-defined]
            self.connect()  # type: ignore[attr-defined]
        super().send_packed_command(command, check_health)  # type: ignore[misc]


class ToMaster(_Asks, SentinelTcp):
    """To whichever server the sentinels call the master."""


class ToMasterTls(_Asks, SentinelTls):
    """The same over TLS."""


class Sentinels:
    """Asks one sentinel after the other where the master is, first who last knew.

    redis-py's own class moves a sentinel in a list that all threads share, where two at a
    time may lose one.
    """

    def __init__(self, addresses: tuple[Address, ...], options: dict[str, Any]) -> None:
        self._clients = [
            Redis(connection_pool=ConnectionPool(host=host, port=port, **options))
            for host, port in addresses
        ]
        self._first = 0

    def discover_master(self, service: str) -> Address:
        """Host and port of the master.

        Raises:
            MasterNotFoundError: no sentinel that answers knows one that is up; where none
                answered at all, its cause is why the last one did not.
        """
        count, heard = len(self._clients), False
        silence: Exception | None = None
        for at in range(self._first, self._first + count):
            try:
                state: Any = self._clients[at % count].sentinel_master(service)
            except (RedisError, OSError) as error:
                heard |= isinstance(error, ResponseError)
                silence = error
                continue
            heard = True
            if state["is_master"] and not state["is_sdown"] and not state["is_odown"]:
                self._first = at % count
                return str(state["ip"]), int(state["port"])
        why = None if heard else silence
        raise MasterNotFoundError("no sentinel that answers knows a master that is up") from why


def sentinel_pool(where: RedisUrl) -> ConnectionPool:
    """The connections of a ``redis+sentinel://`` URL.

    The options after its ``?`` hold for the servers; ``sentinel_username`` and
    ``sentinel_password`` are the sentinels' own.
    """
    given = parse_qsl(where.query)
    query = urlencode([(name, value) for name, value in given if name not in OURS])
    theirs = {OURS[name]: value for name, value in given if name in OURS}
    asked = parse_url(f"redis://?{query}")  # type: ignore[no-untyped-call]
    patient = {"driver_info": None, "maint_notifications_config": SILENT, **asked}
    sentinels = Sentinels(
        where.addresses,
        {
            **patient,
            **theirs,
            "connection_class": Tls if where.tls else Tcp,
            "retry": Retry(NoBackoff(), 0),
        },
    )
    return SentinelConnectionPool(  # type: ignore[no-untyped-call]
        where.service,
        sentinels,
        **{
            **patient,
            "db": where.db,
            "username": where.user,
            "password": where.password,
            "connection_class": ToMasterTls if where.tls else ToMaster,
            "retry": Retry(Pause(), 1),
            "legacy_responses": False,
        },
    )
