"""The processes below ``serve``: started, restarted when they die, stopped."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Container, Mapping, Sequence
from contextlib import suppress

import click

from challenge import lifeline
from challenge.errors import SamediceError
from challenge.store.embedded import EmbeddedStore
from challenge.store.server import StoreFailed

STEADY_SECONDS = 5.0
MOST_FAILURES = 5
FIRST_PAUSE = 0.1
LONGEST_PAUSE = 5.0


class GaveUp(SamediceError):
    """A process cannot be kept alive; the message says which and why."""


class Restarts:
    """When a process that died is started again, and when it is not any more.

    The first restart is immediate, further ones wait longer and longer. A process that
    ends by itself again and again is given up, at once if it never worked; one that is
    killed is always started again. All times are monotonic seconds.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.due = 0.0
        self._proven = False
        self._deaths = 0
        self._failures = 0

    def works(self) -> None:
        """The process does its work: what was before is forgotten."""
        self._proven = True
        self._deaths = self._failures = 0

    def died(self, now: float, why: str, *, killed: bool) -> None:
        """Set ``due`` after a death.

        Raises:
            GaveUp: it failed too often.
        """
        self._deaths += 1
        self._failures += not killed
        if self._failures >= (MOST_FAILURES if self._proven else 1):
            raise GaveUp(f"{self.name} does not start: {why}.")
        click.echo(f"{self.name} is started again: {why}.", err=True)
        pause = min(FIRST_PAUSE * 2 ** (self._deaths - 2), LONGEST_PAUSE)
        self.due = now + (pause if self._deaths > 1 else 0.0)


class Child:
    """A Python process of its own session: a Ctrl-C reaches ``serve`` alone."""

    def __init__(
        self, name: str, command: Sequence[str], environ: Mapping[str, str], fds: Sequence[int] = ()
    ) -> None:
        self.restarts = Restarts(name)
        self._command = command
        self._environ = environ
        self._fds = fds
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0

    @property
    def pid(self) -> int | None:
        """The process; None while none runs."""
        return self._process.pid if self._process else None

    def keep(self, now: float) -> bool:
        """Start it when that is due; true if it was started just now.

        Raises:
            GaveUp: it failed too often.
        """
        self._look(now)
        if self._process is not None or now < self.restarts.due:
            return False
        self._start(now)
        return True

    def _look(self, now: float) -> None:
        code = self._process.poll() if self._process else None
        if self._process is None:
            return
        if code is None:
            if now - self._started > STEADY_SECONDS:
                self.restarts.works()
            return
        self._signal_group(signal.SIGTERM)  # what it leaves behind must not serve on
        self._process = None
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        self.restarts.died(now, f"it {how}", killed=code < 0)

    def _start(self, now: float) -> None:
        self._started = now
        self._process = subprocess.Popen(  # noqa: S603 (our own commands, no shell)
            self._command,
            stdin=subprocess.DEVNULL,
            env=self._environ,
            pass_fds=self._fds,
            start_new_session=True,
            preexec_fn=lifeline.tied_to(os.getpid()),  # noqa: PLW1509 (no threads here)
        )

    def stop(self, still_wait: Callable[[], bool]) -> None:
        """Ask it to end, and kill what is left when ``still_wait`` says no.

        ``still_wait`` waits a little for news each time it is asked.
        """
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        while self._process.poll() is None and still_wait():
            pass
        self._signal_group(signal.SIGKILL)
        self._process.wait()

    def _signal_group(self, signum: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):  # macOS: EPERM for zombies
                os.killpg(self._process.pid, signum)


class StoreChild:
    """The embedded store, kept alive as the other children are."""

    def __init__(self, store: EmbeddedStore) -> None:
        self.restarts = Restarts("The embedded store")
        self._store = store
        self._launched = False
        self._ready = False

    @property
    def pid(self) -> int | None:
        """The server's process; None while none of our own runs."""
        return self._store.pid

    def keep(self, now: float) -> bool:
        """Start it when that is due; true while it answers.

        Raises:
            GaveUp: it failed too often.
            DataDirError: its directory cannot be used.
        """
        try:
            return self._keep(now)
        except StoreFailed as error:
            self._launched = False
            self.restarts.died(now, error.why, killed=False)
            return False

    def _keep(self, now: float) -> bool:
        if self._ready and self._store.alive():
            return True
        if self._ready:
            self._ready = self._launched = False
            self.restarts.died(now, "its process ended", killed=True)
        if not self._launched and now >= self.restarts.due:
            self._launched = True
            self._store.launch()
        self._ready = self._launched and self._store.ready()
        if self._ready:
            self.restarts.works()
        return self._ready

    def stop(self) -> None:
        """Have it write what is left and end."""
        self._store.stop()


def reap_strays(ours: Container[int | None]) -> None:
    """Take leave of ended processes that were left to this one; ``ours`` are waited for elsewhere.

    The first process of a container inherits every orphan: the workers of a killed web
    server would stay zombies for as long as the container runs.
    """
    if not hasattr(os, "waitid"):  # macOS, where nothing is left to anyone but the system
        return
    with suppress(ChildProcessError):
        while ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            if ended.si_pid in ours:
                return  # the others come after it has been looked at
            os.waitpid(ended.si_pid, 0)
