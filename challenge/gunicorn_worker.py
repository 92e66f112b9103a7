"""The gunicorn worker: a thread for a request that has arrived, none for one that drips in.

gthread gives a connection a thread with its first byte, and the thread waits for the rest: as
many slow clients as there are threads keep out everyone else for as long as they please. Here
the worker's one loop collects a request, however slowly it comes, and a thread gets it whole;
what is not there in :data:`PATIENCE` seconds is told so and hung up on.

All else is gthread's own. It relies on ``enqueue_req``, ``TConn`` and the parser's unreader of
gunicorn 27; ``tests/runtime/test_broken_requests.py`` would notice another way of working.
"""

from __future__ import annotations

import re
import time
from collections import deque
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ
from typing import Any

from gunicorn import util
from gunicorn.http.errors import (
    InvalidChunkSize,
    InvalidHeader,
    LimitRequestHeaders,
    LimitRequestLine,
    UnsupportedTransferCoding,
)
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker

from challenge.web.security import HEADERS, MAX_BODY

PATIENCE = 10.0  # seconds for one request
LONGEST_HEAD = 65_536  # bytes; gunicorn's own bounds of line and field are tighter
LONGEST = LONGEST_HEAD + 4 * MAX_BODY
LONGEST_SIZE = 100  # bytes of the line before a chunk
_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d{1,15})[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r\n]*chunked", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"
_EXTRA = "".join(f"{name}: {value}\r\n" for name, value in HEADERS).encode()


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """gthread, but for when a connection gets a thread and for how its own errors look."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arriving: deque[Any] = deque()  # connections, those to give up first in front

    def enqueue_req(self, conn: Any) -> None:
        """A thread for the connection if its request is there, else wait for the rest.

        Runs in the loop, wherever gthread itself would take a thread.
        """
        conn.arrived, conn.asked_on = bytearray(), False
        if conn.initialized:  # what came behind the request before
            conn.arrived += conn.parser.unreader.take_buffered()
        conn.until = time.monotonic() + PATIENCE
        conn.sock.setblocking(False)
        if not self._take(conn):
            self._arriving.append(conn)
            self.poller.register(conn.sock, EVENT_READ, partial(self._more, conn))

    def murder_pending(self) -> None:
        """Gives up on requests that take too long; on a worker that stops, sooner."""
        super().murder_pending()
        now = time.monotonic()
        if not self.alive:
            self._hurry(now)
        while self._arriving and self._arriving[0].until <= now:
            conn = self._arriving.popleft()
            self._settle(conn)
            if conn.arrived:
                with suppress(OSError):
                    util.write_error(_Refusal(conn.sock), 408, "Request Timeout", "")
            self._hang_up(conn)

    def _hurry(self, now: float) -> None:
        """Waits for nothing new, and for what has begun only as long as gthread would."""
        for conn in self._arriving:
            conn.until = min(conn.until, now + (STOP_KEEPALIVE_LINGER if conn.arrived else 0))
        self._arriving = deque(sorted(self._arriving, key=lambda conn: conn.until))

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """gunicorn's own answer to what is no request, with the headers of all our answers.

        An unknown transfer coding is the sender's mistake, too, and no error of the server.
        """
        if isinstance(exc, UnsupportedTransferCoding):
            exc = InvalidHeader("TRANSFER-ENCODING")
        super().handle_error(req, _Refusal(client), addr, exc)

    def _keepalive_after(self, conn: Any, keepalive: Any) -> bool:
        """Not where the body was refused by its length: draining it would hold the thread."""
        return not conn.oversize and super()._keepalive_after(conn, keepalive)

    def _more(self, conn: Any, _: Any) -> None:
        if self._take(conn):
            self._arriving.remove(conn)

    def _take(self, conn: Any) -> bool:
        """Read what is there; whether the connection needs no more waiting."""
        try:
            ended = self._read(conn)
            state = arrival(conn.arrived, self.cfg.limit_request_line)
        except (LimitRequestLine, LimitRequestHeaders, InvalidChunkSize) as error:
            self._settle(conn)
            self.handle_error(None, conn.sock, conn.client, error)
            self._hang_up(conn)
            return True
        except OSError:
            self._settle(conn)
            self._hang_up(conn)
            return True
        if state == "partial" and not ended:
            self._ask_on(conn)
            return False
        self._settle(conn)
        if conn.arrived:
            self._hand_over(conn, oversize=state == "oversize")
        else:
            self._hang_up(conn)
        return True

    def _read(self, conn: Any) -> bool:
        """Whatever has arrived; whether the client has said its last."""
        while len(conn.arrived) <= LONGEST:
            try:
                data = conn.sock.recv(65_536)
            except BlockingIOError:
                return False
            if not data:
                return True
            conn.arrived += data
        return False

    def _ask_on(self, conn: Any) -> None:
        """Tell a client that waits for it to go on with the body."""
        end = conn.arrived.find(_END)
        if end >= 0 and not conn.asked_on and _EXPECT.search(conn.arrived, 0, end + 2):
            conn.asked_on = True
            with suppress(OSError):
                conn.sock.send(_CONTINUE)

    def _hand_over(self, conn: Any, *, oversize: bool) -> None:
        conn.oversize, conn.data_ready = oversize, True
        conn.init()
        conn.parser.unreader.unread(bytes(conn.arrived))
        conn.arrived = bytearray()
        super().enqueue_req(conn)

    def _settle(self, conn: Any) -> None:
        with suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)

    def _hang_up(self, conn: Any) -> None:
        self.nr_conns -= 1
        conn.close()


class _Refusal:
    """A socket that puts our headers into the one answer gunicorn writes by itself."""

    def __init__(self, sock: Any) -> None:
        self._sock = sock

    def __getattr__(self, name: str) -> Any:
        return getattr(self._sock, name)

    def sendall(self, answer: bytes) -> None:
        """The answer with :data:`challenge.web.security.HEADERS` below its first line."""
        line, end, rest = answer.partition(b"\r\n")
        self._sock.sendall(line + end + _EXTRA + rest)


def arrival(data: bytearray, longest_line: int) -> str:
    """``whole``, ``partial`` or ``oversize`` (its body need not be waited for): of a request.

    Raises:
        LimitRequestLine, LimitRequestHeaders, InvalidChunkSize: it can become none that is
            answered.
    """
    end = data.find(_END)
    if len(data) > longest_line + 2 and data.find(b"\r\n", 0, longest_line + 2) < 0:
        raise LimitRequestLine(len(data), longest_line)
    if end < 0 and len(data) > LONGEST_HEAD:
        raise LimitRequestHeaders("the head is too long")
    if end < 0:
        return "partial"
    head, body = end + 2, end + len(_END)
    if _CHUNKED.search(data, 0, head):
        state = _of_chunks(data, body)
        if state == "partial" and len(data) > LONGEST:
            raise LimitRequestHeaders("the chunks and trailers are too long")
        return state
    length = _LENGTH.search(data, 0, head)
    wanted = int(length[1]) if length else 0
    if wanted > MAX_BODY:
        return "oversize"
    return "whole" if len(data) - body >= wanted else "partial"


def _of_chunks(data: bytearray, at: int) -> str:
    """The same of chunks from ``at`` on; malformed ones are whole, gunicorn says what is wrong."""
    held = 0
    while True:
        line = data.find(b"\r\n", at)
        if line < 0:
            if len(data) - at > LONGEST_SIZE:
                raise InvalidChunkSize(b"")
            return "partial"
        try:
            size = int(data[at:line].partition(b";")[0], 16)
        except ValueError:
            return "whole"
        if size < 0:
            return "whole"
        if size == 0:
            return "whole" if data.find(_END, line) >= 0 else "partial"
        held += min(size, len(data) - line - 2)
        if held > 2 * MAX_BODY:
            return "oversize"
        at = line + 2 + size + 2
        if at > len(data):
            return "partial"
        if data[at - 2 : at] != b"\r\n":
            return "whole"
