"""The sockets gunicorn's worker answers on, each with what gunicorn's own lack."""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from typing import Any

from challenge.web.security import HEADERS

_NOT_KEPT = ("Cache-Control", "no-store")  # a 414 could be, by default
_EXTRA = "".join(f"{name}: {value}\r\n" for name, value in (*HEADERS, _NOT_KEPT)).encode()


def has_room(sock: Any) -> bool:
    """Whether so much of the answers before has been taken that another one finds room."""
    asked = select.poll()
    asked.register(sock, select.POLLOUT)
    return bool(asked.poll(0))


class Patient:
    """That of a connection, for a thread that answers: it never waits for the reader.

    What the kernel does not take at once is added to the connection's ``unsent``.
    """

    def __init__(self, conn: Any) -> None:
        self._conn = conn

    def __getattr__(self, name: str) -> Any:
        return getattr(self._conn.sock, name)

    def sendall(self, answer: bytes) -> None:
        """What there is room for, unless something stands before it; the rest is kept."""
        sent = 0
        if not self._conn.unsent:
            with suppress(BlockingIOError):
                sent = self._conn.sock.send(answer, socket.MSG_DONTWAIT)
        self._conn.unsent += memoryview(answer)[sent:]


class Refusal:
    """One that puts our headers into the one answer gunicorn writes by itself."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, answer: bytes) -> None:
        """The answer with the headers of every other one below its first line."""
        line, end, rest = answer.partition(b"\r\n")
        self._sock.sendall(line + end + _EXTRA + rest)
