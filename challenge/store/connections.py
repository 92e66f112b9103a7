"""Connections to Redis that keep to the budget of whoever waits for them.

They are redis-py's own; :mod:`challenge.store.patience` says how long each wait may be and
when a server is left alone. A server that has become a replica is left at once: behind the
same name there may be another one by now.
"""

from __future__ import annotations

import sys
import time
from typing import Any, ClassVar

from redis import exceptions as errors
from redis.backoff import ConstantBackoff
from redis.connection import (
    AbstractConnection,
    Connection,
    DefaultParser,
    SSLConnection,
    UnixDomainSocketConnection,
)
from redis.maint_notifications import MaintNotificationsConfig
from redis.sentinel import SentinelManagedConnection, SentinelManagedSSLConnection

from challenge.store import tally
from challenge.store.patience import PATIENT, TIMEOUT, Breaker, allowed, breaker_of, mine

SILENT = MaintNotificationsConfig(enabled=False)
"""No word from the server that nobody asked for. Else a pool may not look whether a connection
has an answer left that the next command would take for its own; and that is one round trip
less before a new connection can be used."""

RETRY_PAUSE = 0.03  # seconds; a restarting server needs a moment


class Pause(ConstantBackoff):
    """The moment before a command is sent once more, which is counted."""

    def __init__(self) -> None:
        super().__init__(RETRY_PAUSE)

    def compute(self, failures: int) -> float:
        """Seconds; redis-py asks while it handles the error that makes it try again."""
        tally.count("redis_retries", type(sys.exception()).__name__)
        return super().compute(failures)


class Held(errors.RedisError):
    """The server gave no answer just now; it is not asked again for a moment."""


class Spent(errors.RedisError):
    """The request has waited for the store as long as it may."""


class Demoted(errors.ConnectionError):
    """The server takes no writes, since it is a replica; the next attempt connects anew."""


class Reader(DefaultParser):  # type: ignore[misc,valid-type]
    """redis-py's parser, whose every look at the socket keeps to the budget."""

    EXCEPTION_CLASSES: ClassVar[dict[str, Any]] = {
        **DefaultParser.EXCEPTION_CLASSES,
        "READONLY": Demoted,
        "MASTERDOWN": Demoted,
    }
    _line: Bounded

    def on_connect(self, connection: Bounded, **options: Any) -> None:
        """Remember whose answers these are."""
        super().on_connect(connection, **options)
        self._line = connection

    def parse_error(self, response: str) -> Exception:
        """An error of the server; one that says replica is for every connection to it."""
        error: Exception = super().parse_error(response)
        if isinstance(error, Demoted):
            self._line.breaker.demoted()
        return error

    def read_from_socket(self, *args: Any, **options: Any) -> Any:
        """What comes next, waited for no longer than the budget allows."""
        line, left = self._line, mine.left
        wait = allowed(left)
        if wait != line.timeout:
            line.wait_at_most(wait)
        begun = time.monotonic()
        try:
            found = super().read_from_socket(*args, **options)
        except errors.TimeoutError:
            line.missed(wait)
            raise
        finally:
            if left is not None:
                mine.left = left - (time.monotonic() - begun)
        if line.breaker.misses:
            line.heard()
        return found


class Bounded(AbstractConnection):
    """What is the same for every kind of connection."""

    breaker = Breaker()  # until the address is known
    timeout = PATIENT  # of the socket
    _era = 0
    _trying = False  # this connection makes the one try at a server that is left alone

    def set_parser(self, parser_class: Any) -> None:  # noqa: ARG002 (redis-py's signature)
        """The one parser that keeps to the budget, whatever kind of server it is."""
        super().set_parser(Reader)  # type: ignore[no-untyped-call]

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Send, unless there is no time left or the server is left alone."""
        left = mine.left
        if self._era != self.breaker.era:
            self.disconnect()  # type: ignore[no-untyped-call]
        if left is not None and (left <= 0 or self.breaker.held):
            self._admit(left)
        super().send_packed_command(command, check_health)  # type: ignore[no-untyped-call]

    def connect_check_health(
        self,
        check_health: bool = True,
        retry_socket_connect: bool = True,  # noqa: ARG002 (redis-py's signature)
    ) -> None:
        """Connect, under the same conditions; who calls this tries again, so it does not."""
        if self._sock is not None:
            return
        self.breaker = breaker_of(self._host_error())  # type: ignore[no-untyped-call]
        self._era = self.breaker.era
        left = mine.left
        if left is not None and (left <= 0 or self.breaker.held):
            self._admit(left)
        super().connect_check_health(check_health, retry_socket_connect=False)

    def wait_at_most(self, seconds: float) -> None:
        """How long the socket waits from now on."""
        self.timeout = seconds
        if self._sock is not None:
            self._sock.settimeout(seconds)

    def heard(self) -> None:
        """The server has answered after it did not."""
        self._trying = False
        self.breaker.heard()

    def missed(self, wait: float) -> None:
        """Nothing came for so many seconds."""
        self._trying = False
        if wait >= TIMEOUT / 2:  # the rest of a budget says nothing about the server
            self.breaker.missed(time.monotonic())

    def _connect(self) -> Any:
        left = mine.left
        wait = allowed(left)
        self.socket_connect_timeout = self.socket_timeout = self.timeout = wait
        begun = time.monotonic()
        try:
            return super()._connect()  # type: ignore[no-untyped-call,safe-super]
        except TimeoutError:
            self.missed(wait)
            raise
        except OSError:
            self._trying = False
            raise
        finally:
            if left is not None:
                mine.left = left - (time.monotonic() - begun)

    def _admit(self, left: float) -> None:
        if left <= 0:
            raise Spent("the time for this request is used up")
        if self._trying or not self.breaker.held:
            return
        if not self.breaker.may_try(time.monotonic()):
            raise Held("there was no answer a moment ago")
        self.disconnect()  # type: ignore[no-untyped-call]  # an old one may be dead on its own
        self._trying = True


class Tcp(Bounded, Connection):
    """For ``redis://``."""


class Tls(Bounded, SSLConnection):
    """For ``rediss://``."""


class Unix(Bounded, UnixDomainSocketConnection):
    """For ``unix://``."""


class SentinelTcp(Bounded, SentinelManagedConnection):
    """To whichever server Sentinel calls the master."""


class SentinelTls(Bounded, SentinelManagedSSLConnection):
    """The same over TLS."""


def class_for(url: str) -> type[Bounded]:
    """The kind of connection that a URL of one server asks for."""
    scheme = url.partition("://")[0]
    return {"unix": Unix, "rediss": Tls}.get(scheme, Tcp)
