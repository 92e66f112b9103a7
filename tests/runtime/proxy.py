"""A TCP proxy between a service and its Redis that breaks the line in every known way."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LOOK = 0.02  # seconds between two looks at what is to be done


@dataclass(frozen=True)
class Fault:
    """What happens to what comes in; all off: it passes."""

    delay: float = 0.0  # seconds each answer waits
    swallow: bool = False  # nothing is passed on and nothing is answered
    cut: bool = False  # a reset instead of passing a command on
    lose: bytes = b""  # a command with these bytes is passed on, its answer is a reset
    times: int = 0  # how often ``lose`` happens; then all passes again
    swap: tuple[bytes, bytes] = (b"", b"")  # bytes of answers put in place of others


PASS = Fault()


class Proxy:
    """Listens on a free port of 127.0.0.1 and passes on to a Unix socket."""

    def __init__(self, upstream: Path) -> None:
        self.upstream = upstream
        self.lost = 0
        self.seen = 0  # chunks of commands that came in
        self._fault = PASS
        self._over = threading.Event()
        self._lines: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._listener: socket.socket | None = None
        self.port = 0
        self._listen()

    @property
    def url(self) -> str:
        """The service's Redis URL."""
        return f"redis://127.0.0.1:{self.port}"

    # -- what happens from now on -----------------------------------------------------------

    def heal(self) -> None:
        """Everything passes; a line that swallowed something stays dead."""
        self._fault = PASS
        if self._listener is None:
            self._listen()

    def delay(self, seconds: float) -> None:
        """Each answer comes so much later."""
        self._fault = Fault(delay=seconds)

    def swallow(self) -> None:
        """Half-open: connections are taken, commands too, and nothing is ever answered."""
        self._fault = Fault(swallow=True)

    def cut(self) -> None:
        """Each command is answered by a reset and not passed on."""
        self._fault = Fault(cut=True)

    def lose(self, word: str, times: int = 1) -> None:
        """A command with this word goes through, but instead of the answer comes a reset."""
        self.lost = 0
        self._fault = Fault(lose=word.encode(), times=times)

    def swap(self, old: str, new: str) -> None:
        """These bytes of answers become others of the same number."""
        assert len(old) == len(new)
        self._fault = Fault(swap=(old.encode(), new.encode()))

    def refuse(self) -> None:
        """No connection is taken any more, those there were are reset."""
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        self.reset()

    def reset(self) -> None:
        """Every connection breaks; new ones are taken."""
        with self._lock:
            lines = list(self._lines)
        for line in lines:
            _reset(line)

    def close(self) -> None:
        """The end of it."""
        self._over.set()
        self.refuse()
        for thread in self._threads:
            thread.join()

    # -- within ---------------------------------------------------------------------------

    def _listen(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self.port))
        listener.listen(64)
        self.port = listener.getsockname()[1]
        self._listener = listener
        self._begin(self._accept, listener)

    def _begin(self, work: object, *args: object) -> None:
        thread = threading.Thread(target=work, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _accept(self, listener: socket.socket) -> None:
        while self._listener is listener:
            with contextlib.suppress(OSError, ValueError):
                if select.select([listener], [], [], LOOK)[0]:
                    self._begin(self._pass, listener.accept()[0])

    def _pass(self, client: socket.socket) -> None:
        with self._lock:
            self._lines.add(client)
        try:
            with contextlib.suppress(OSError, ValueError):
                Line(self, client).run()
        finally:
            with self._lock:
                self._lines.discard(client)
            client.close()

    def take_fault(self, command: bytes) -> Fault:
        """What is to happen with this command; a loss is counted."""
        with self._lock:
            self.seen += 1
            fault = self._fault
            if not fault.lose:
                return fault
            if fault.lose not in command:
                return PASS
            self.lost += 1
            if self.lost >= fault.times:
                self._fault = PASS
            return fault

    @property
    def fault(self) -> Fault:
        """What is to happen with answers."""
        return self._fault

    @property
    def over(self) -> threading.Event:
        """Set at the end."""
        return self._over


class Line:
    """One connection of the service and the one behind it."""

    def __init__(self, proxy: Proxy, client: socket.socket) -> None:
        self._proxy = proxy
        self._client = client
        self._server = socket.socket(socket.AF_UNIX)
        self._dead = self._losing = False

    def run(self) -> None:
        """Pass on until one side ends."""
        with self._server:
            self._server.connect(str(self._proxy.upstream))
            while not self._proxy.over.is_set():
                ready = select.select([self._client, self._server], [], [], LOOK)[0]
                if self._client in ready and not self._command():
                    return
                if self._server in ready and not self._answer():
                    return

    def _command(self) -> bool:
        """Whether the line goes on after a command."""
        data = self._client.recv(65536)
        if not data:
            return False
        fault = self._proxy.take_fault(data)
        if fault.cut:
            _reset(self._client)
            return False
        self._dead = self._dead or fault.swallow
        self._losing = bool(fault.lose)
        if not self._dead:
            self._server.sendall(data)
        return True

    def _answer(self) -> bool:
        """Whether the line goes on after an answer."""
        data = self._server.recv(65536)
        if not data:
            return False
        if self._losing:
            _reset(self._client)
            return False
        fault = self._proxy.fault
        self._dead = self._dead or fault.swallow
        if fault.delay:
            self._proxy.over.wait(fault.delay)
        if fault.swap[0]:
            data = data.replace(*fault.swap)
        if not self._dead:
            self._client.sendall(data)
        return True


def _reset(line: socket.socket) -> None:
    """End a connection the hard way."""
    with contextlib.suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        line.shutdown(socket.SHUT_RD)  # wakes who waits for it
        line.close()


@contextlib.contextmanager
def between(upstream: Path) -> Iterator[Proxy]:
    """A proxy before the server at this socket."""
    proxy = Proxy(upstream)
    try:
        yield proxy
    finally:
        proxy.close()
