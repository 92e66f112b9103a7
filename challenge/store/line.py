"""One thread's connection to one server of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from redis import ConnectionPool
from redis.exceptions import ConnectionError as Broken
from redis.exceptions import ResponseError
from redis.exceptions import TimeoutError as Late

from challenge.store import tally

Command = tuple[tuple[Any, ...], dict[str, Any]]
"""A command and its arguments, and the options by which its answer is read."""

BROKEN = (Broken, Late)


class Line:
    """A connection kept from one command to the next, made at the first.

    ``read`` takes the connection and a command and gives the answer as redis-py would.
    """

    def __init__(self, pool: ConnectionPool, read: Callable[..., Any]) -> None:
        self._pool = pool
        self._read = read
        self.connection: Any = None

    def ask(self, batch: Sequence[Command], *, raw: bool = False) -> list[Any]:
        """The answers to commands; what the server refused is among them as an exception.

        A kept connection may have ended meanwhile, so a broken one is made anew once: that
        sends the commands again, which every write here bears.

        Raises:
            RedisError: the server cannot be reached or does not answer.
        """
        try:
            self.send(batch)
            return self.receive(batch, raw=raw)
        except BROKEN as error:
            tally.count("redis_retries", type(error).__name__)
        self.send(batch)
        return self.receive(batch, raw=raw)

    def send(self, batch: Sequence[Command]) -> None:
        """Sends commands; their answers must be received, or the line dropped."""
        if self.connection is None:
            self.connection = self._pool.get_connection()
        packed = self.connection.pack_commands([args for args, _ in batch])
        self.connection.send_packed_command(packed)

    def receive(self, batch: Sequence[Command], *, raw: bool = False) -> list[Any]:
        """The answers to what was sent; ``raw`` as the server gave them."""
        try:
            return [self._answer(args[0], options, raw) for args, options in batch]
        except BaseException:
            self.drop()  # else an answer left behind would be taken for the next one's
            raise

    def drop(self) -> None:
        """Ends the connection; the next command makes another one."""
        if self.connection is not None:
            self.connection.disconnect()

    def _answer(self, name: str, options: dict[str, Any], raw: bool) -> Any:
        try:
            if raw:
                return self.connection.read_response()
            return self._read(self.connection, name, **options)
        except ResponseError as refused:
            return refused

    def __del__(self) -> None:
        """The thread is gone: its connection may serve another one."""
        if self.connection is not None:
            self._pool.release(self.connection)
