"""The gunicorn worker: a thread for a request that has arrived, none for one that drips in.

gthread gives a connection a thread with its first byte, and the thread waits for the rest: as
many slow clients as there are threads keep out everyone else for as long as they please. Here
the worker's one loop collects a request, however slowly it comes, and a thread gets it whole;
what is not there in :data:`PATIENCE` seconds is told so and hung up on. Who does not take the
answers either gets no thread for the next one, and what of an answer finds no room in the kernel
is sent on by the loop, so that none waits for a reader. Nor does the loop wait for one that has
its last answer to hang up, as gthread's own does, for seconds each.

All else is gthread's own. It relies on ``enqueue_req``, ``handle_request``, ``finish_request``,
``TConn`` and the parser's unreader of gunicorn 27; ``tests/runtime/test_broken_requests.py``
would notice another way of working.
"""

from __future__ import annotations

import socket
import time
from collections import deque
from contextlib import suppress
from functools import partial
from selectors import EVENT_READ, EVENT_WRITE
from types import SimpleNamespace
from typing import Any

from gunicorn import util
from gunicorn.http.errors import (
    InvalidChunkSize,
    InvalidHeader,
    LimitRequestHeaders,
    LimitRequestLine,
    ParseException,
    UnsupportedTransferCoding,
)
from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, ThreadWorker

from challenge.web.arrival import LONGEST, Arrival
from challenge.web.sockets import Patient, Refusal, has_room

PATIENCE = 10.0  # seconds for one request, and for a reader that takes nothing of an answer
HELD_AT_MOST = 32 * 1024 * 1024  # bytes of all requests not there yet, of answers as many again
LINGER = 2.0  # seconds a client may take to hang up after its last answer
DRAINED_AT_MOST = 16 * 1024 * 1024  # bytes it may send meanwhile, before it hears the answer
_CONTINUE = b"HTTP/1.1 100 Continue\r\n\r\n"


class Worker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """gthread, but for when a connection gets a thread and for how its own errors look."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arriving: deque[Any] = deque()  # connections, those to give up first in front
        self._answering: dict[Any, None] = {}  # the same of those that read slowly
        self._leaving: deque[Any] = deque()  # the same of those that are to hang up
        self._held = 0  # bytes that have arrived of requests not there yet
        self._unread = 0  # bytes of answers that wait for their readers

    def enqueue_req(self, conn: Any) -> None:
        """A thread for the connection if its request is there, else wait for the rest.

        Runs in the loop, wherever gthread itself would take a thread.
        """
        conn.arrival, conn.counted, conn.asked_on = Arrival(self.cfg.limit_request_line), 0, False
        if conn.initialized:  # what came behind the request before
            conn.arrival.data += conn.parser.unreader.take_buffered()
        conn.until = time.monotonic() + PATIENCE
        conn.sock.setblocking(False)
        conn.awaited = self._take(conn)
        if conn.awaited:
            self._arriving.append(conn)
            self.poller.register(conn.sock, conn.awaited, partial(self._more, conn))

    def handle_request(self, req: Any, conn: Any) -> Any:
        """As gthread does it, but what the kernel does not take at once is left to the loop."""
        answered = SimpleNamespace(sock=Patient(conn), client=conn.client, server=conn.server)
        return super().handle_request(req, answered)

    def finish_request(self, conn: Any, fs: Any) -> None:
        """As gthread does it, once all of the answer is sent.

        Unless the connection ends: that would hold up the loop.
        """
        if conn.unsent:
            self._send_later(conn, fs)
        elif fs.cancelled() or (fs.exception() is None and not fs.result()):
            self._leave(conn)
        else:
            super().finish_request(conn, fs)

    def murder_pending(self) -> None:
        """Gives up on requests that take too long or too much; on a worker that stops, sooner."""
        super().murder_pending()
        now = time.monotonic()
        if not self.alive:
            self._hurry(now)
        while self._arriving and self._arriving[0].until <= now:
            self._give_up(self._arriving.popleft())
        while self._answering and next(iter(self._answering)).until <= now:
            self._stop_answering(next(iter(self._answering)))
        while self._unread > HELD_AT_MOST:  # who just came may be quick yet
            self._stop_answering(min(self._answering, key=lambda conn: conn.since))
        while self._arriving and self._held > HELD_AT_MOST:
            largest = max(self._arriving, key=lambda conn: conn.counted)
            self._arriving.remove(largest)
            self._give_up(largest)
        while self._leaving and self._leaving[0].until <= now:
            self._hang_up(self._leaving.popleft())

    def _hurry(self, now: float) -> None:
        """Waits for requests no longer than gthread would.

        For those of connections that were only just accepted, too: their first bytes are on
        the way.
        """
        for conn in self._arriving:
            conn.until = min(conn.until, now + STOP_KEEPALIVE_LINGER)

    def handle_error(self, req: Any, client: Any, addr: Any, exc: Exception) -> None:
        """gunicorn's own answer to what is no request, with the headers of all our answers.

        An unknown transfer coding is the sender's mistake, too, and no error of the server.
        """
        if isinstance(exc, UnsupportedTransferCoding):
            exc = InvalidHeader("TRANSFER-ENCODING")
        super().handle_error(req, Refusal(client), addr, exc)

    def _keepalive_after(self, conn: Any, keepalive: Any) -> bool:
        """Not where the body was refused by its length: draining it would hold the thread.

        Nor where it turns out to be malformed only now: the one answer there is has been sent.
        """
        with suppress(ParseException):
            return not conn.oversize and super()._keepalive_after(conn, keepalive)
        return False

    def _more(self, conn: Any, _: Any) -> None:
        awaited = self._take(conn)
        if not awaited:
            self._arriving.remove(conn)
        elif awaited != conn.awaited:
            conn.awaited = awaited
            self.poller.modify(conn.sock, awaited, partial(self._more, conn))

    def _take(self, conn: Any) -> int:
        """Read what is there; the event the connection has to wait for, 0 for none."""
        try:
            ended = self._read(conn)
            state = conn.arrival.state()
        except (LimitRequestLine, LimitRequestHeaders, InvalidChunkSize) as error:
            self._settle(conn)
            self.handle_error(None, conn.sock, conn.client, error)
            self._leave(conn)
            return 0
        except OSError:
            self._hang_up(conn)
            return 0
        if state == "partial" and not ended:
            self._ask_on(conn)
            return EVENT_READ
        if not conn.arrival.data:
            self._hang_up(conn)
            return 0
        if conn.initialized and not has_room(conn.sock):
            return EVENT_WRITE
        self._settle(conn)
        self._hand_over(conn, oversize=state == "oversize")
        return 0

    def _read(self, conn: Any) -> bool:
        """Whatever has arrived; whether the client has said its last."""
        arrived = conn.arrival.data
        try:
            while len(arrived) <= LONGEST:
                data = conn.sock.recv(65_536)
                if not data:
                    return True
                arrived += data
        except BlockingIOError:
            return False
        finally:
            self._held += len(arrived) - conn.counted
            conn.counted = len(arrived)
        return False

    def _ask_on(self, conn: Any) -> None:
        """Tell a client that waits for it to go on with the body."""
        if not conn.asked_on and conn.arrival.expects():
            conn.asked_on = True
            with suppress(OSError):
                conn.sock.send(_CONTINUE)

    def _hand_over(self, conn: Any, *, oversize: bool) -> None:
        conn.oversize, conn.data_ready, conn.unsent = oversize, True, bytearray()
        conn.init()
        # Nor is anybody asked to go on with a body that is refused by its length.
        conn.parser.unreader.unread(conn.arrival.take(asked_on=conn.asked_on or oversize))
        super().enqueue_req(conn)

    def _give_up(self, conn: Any) -> None:
        """Hang up on a request that is not there, and say why if it has begun."""
        self._settle(conn)
        if not conn.arrival.data:
            self._hang_up(conn)
            return
        with suppress(OSError):
            util.write_error(Refusal(conn.sock), 408, "Request Timeout", "")
        self._leave(conn)

    def _send_later(self, conn: Any, fs: Any) -> None:
        """The rest of an answer, as its reader takes it; then the request is finished."""
        try:
            conn.sock.setblocking(False)
            self.poller.register(conn.sock, EVENT_WRITE, partial(self._send_on, conn, fs))
        except (OSError, ValueError):
            self._hang_up(conn)
            return
        self._unread += len(conn.unsent)
        conn.since = time.monotonic()
        self._wait_for_reader(conn)

    def _send_on(self, conn: Any, fs: Any, _: Any) -> None:
        try:
            sent = conn.sock.send(conn.unsent)
        except BlockingIOError:
            return
        except OSError:
            self._stop_answering(conn)
            return
        del self._answering[conn], conn.unsent[:sent]
        self._unread -= sent
        if conn.unsent:
            self._wait_for_reader(conn)
        else:
            self._settle(conn)
            self.finish_request(conn, fs)

    def _wait_for_reader(self, conn: Any) -> None:
        conn.until = time.monotonic() + PATIENCE
        self._answering[conn] = None  # behind all others

    def _stop_answering(self, conn: Any) -> None:
        del self._answering[conn]
        self._unread -= len(conn.unsent)
        self._hang_up(conn)

    def _leave(self, conn: Any) -> None:
        """Hang up once the client has: what it still sends would else cut off its answer."""
        conn.arrival.data = bytearray()
        conn.left, conn.until = 0, time.monotonic() + LINGER
        try:
            conn.sock.setblocking(False)
            conn.sock.shutdown(socket.SHUT_WR)
            self.poller.register(conn.sock, EVENT_READ, partial(self._drain, conn))
        except (OSError, ValueError):
            self._hang_up(conn)
        else:
            self._leaving.append(conn)

    def _drain(self, conn: Any, _: Any) -> None:
        try:
            data = conn.sock.recv(65_536)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        conn.left += len(data)
        if not data or conn.left > DRAINED_AT_MOST:
            self._leaving.remove(conn)
            self._hang_up(conn)

    def _settle(self, conn: Any) -> None:
        self._held -= conn.counted
        conn.counted = 0
        with suppress(KeyError, ValueError, OSError):
            self.poller.unregister(conn.sock)

    def _hang_up(self, conn: Any) -> None:
        self._settle(conn)
        self.nr_conns -= 1
        conn.close()
