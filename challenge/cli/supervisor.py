"""The loop behind ``challenge serve``: one thread that keeps the processes alive.

It sleeps in ``select`` and wakes for a signal, a dead child or an answer of ``/readyz``.
The listening socket is its own, so that connections queue while gunicorn restarts.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import time
from collections.abc import Callable

from challenge.cli.children import Child, GaveUp, StoreChild, reap_strays
from challenge.cli.probe import Answer, Probe

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
TICK_SECONDS = 0.5
QUICK_TICK_SECONDS = 0.02
ASK_AGAIN_SECONDS = 0.1
UNREADY_SECONDS = 10.0


class Supervisor:
    """Keeps store, web server and worker alive until a stop signal, then stops them.

    ``store`` is None where the store is not ours. ``announce`` is called once, when
    ``/readyz`` has answered 200.
    """

    def __init__(
        self,
        listener: socket.socket,
        store: StoreChild | None,
        web: Child,
        worker: Child,
        announce: Callable[[], None],
    ) -> None:
        self._listener = listener
        self._store = store
        self._web = web
        self._worker = worker
        self._announce = announce
        self._announced = False
        self._stops = 0
        self._selector = selectors.DefaultSelector()
        self._readiness = Readiness(listener, self._selector)

    def run(self) -> None:
        """Keep everything running; returns after a stop signal, when all has ended.

        Raises:
            GaveUp, DataDirError: something cannot be kept alive; the rest was stopped.
        """
        self._listen_to_signals()
        try:
            while not self._stops:
                self._wait(self._look())
        finally:
            self._stop()

    def _look(self) -> float:
        """Start what is due; returns how long nothing else is (seconds)."""
        now = time.monotonic()
        reap_strays({child.pid for child in (self._store, self._web, self._worker) if child})
        if self._store is not None and not self._store.keep(now):
            return QUICK_TICK_SECONDS
        self._worker.keep(now)
        if self._web.keep(now):
            self._readiness.ask_anew()
        if self._readiness.known(now):
            self._web_is_ready()
            return TICK_SECONDS
        return QUICK_TICK_SECONDS if self._readiness.idle else ASK_AGAIN_SECONDS

    def _web_is_ready(self) -> None:
        self._web.restarts.works()
        if not self._announced:
            self._announced = True
            self._announce()

    def _listen_to_signals(self) -> None:
        self._wake_up, end = os.pipe()
        for fd in (self._wake_up, end):
            os.set_blocking(fd, False)
        signal.set_wakeup_fd(end, warn_on_full_buffer=False)
        for signum in (*STOP_SIGNALS, signal.SIGCHLD):
            signal.signal(signum, lambda *_: None)  # the number comes through the pipe
        self._selector.register(self._wake_up, selectors.EVENT_READ)

    def _wait(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            if key.fd == self._wake_up:
                self._stops += sum(byte in STOP_SIGNALS for byte in os.read(self._wake_up, 512))

    def _stop(self) -> None:
        """In order: no new connections, web, worker, and last the store."""
        self._listener.close()
        self._readiness.close()
        self._web.stop(self._patience(15))
        self._worker.stop(self._patience(10))
        if self._store is not None:
            self._store.stop()

    def _patience(self, seconds: float) -> Callable[[], bool]:
        """Waits a little each time; says no after ``seconds`` or a second stop signal."""
        until = time.monotonic() + seconds

        def still_wait() -> bool:
            self._wait(ASK_AGAIN_SECONDS)
            return time.monotonic() < until and self._stops < 2

        return still_wait


class Readiness:
    """Asks ``/readyz`` until it answers 200."""

    def __init__(self, listener: socket.socket, selector: selectors.BaseSelector) -> None:
        self._address: tuple[str, int] = listener.getsockname()[:2]
        self._selector = selector
        self._probe: Probe | None = None
        self._ready = False
        self._ever = False
        self._next = 0.0
        self._since: float | None = None

    @property
    def idle(self) -> bool:
        """Whether no question is under way."""
        return self._probe is None

    def ask_anew(self) -> None:
        """The web server was started: whether it is ready must be found out."""
        self._ready = False

    def known(self, now: float) -> bool:
        """Whether it is ready, as far as is known at ``now``.

        Raises:
            GaveUp: it says for long that it is not, and never was.
        """
        if self._ready:
            return True
        if self._probe is None and now >= self._next:
            self._ask(now)
        answer = self._probe.read() if self._probe else None
        if answer is not None:
            self._take(answer, now)
        return self._ready

    def _ask(self, now: float) -> None:
        try:
            self._probe = Probe(self._address)
        except OSError:  # the queue is full: there is no need to ask into it
            self._next = now + ASK_AGAIN_SECONDS
        else:
            self._selector.register(self._probe, selectors.EVENT_READ)

    def _take(self, answer: Answer, now: float) -> None:
        self.close()
        self._next = now + ASK_AGAIN_SECONDS
        self._ready = answer.status == 200
        self._ever = self._ever or self._ready
        if answer.status >= 400 and not self._ever:
            self._since = now if self._since is None else self._since
            if now - self._since > UNREADY_SECONDS:
                why = answer.detail or f"/readyz answers {answer.status}."
                raise GaveUp(f"Samedice does not get ready: {why}")

    def close(self) -> None:
        """Drop a question that is under way."""
        if self._probe is not None:
            self._selector.unregister(self._probe)
            self._probe.close()
            self._probe = None
