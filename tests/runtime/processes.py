"""Starting ``challenge serve`` for a test and watching its processes from outside."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 60.0
READY = b"Samedice is ready: "
MANY = {"CHALLENGE_IDENTITIES_PER_DAY": "1000000"}  # one game after the other, a player each
_between_looks = threading.Event()


def until(found: Callable[[], T], seconds: float = PATIENCE) -> T:
    """What ``found`` returns, as soon as that is true."""
    end = time.monotonic() + seconds
    while not (value := found()):
        if time.monotonic() > end:
            raise AssertionError(f"not so after {seconds} s: {found}")
        _between_looks.wait(0.02)
    return value


class Serve:
    """One ``challenge serve`` on a free port."""

    before: tuple[str, ...] = ()  # a command that turns into the one given to it
    inherited: tuple[int, ...] = ()  # descriptors it is given

    def __init__(self, data_dir: Path, *options: str, **environ: str) -> None:
        self.output = b""
        self.url = ""
        command = (sys.executable, "-m", "challenge", "serve", *(options or ("--port", "0")))
        self.process = subprocess.Popen(
            [*self.before, *command],
            env={**os.environ, **MANY, "CHALLENGE_DATA_DIR": str(data_dir), **environ},
            pass_fds=self.inherited,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    @property
    def port(self) -> int:
        """Where it listens, once it is ready."""
        return int(self.url.rsplit(":", 1)[1])

    def wait_until_ready(self) -> Serve:
        """Read until the line that says so."""
        end = time.monotonic() + PATIENCE
        while READY not in self.output:
            self._read(end)
        self.url = self.output.split(READY)[1].split()[0].decode()
        return self

    def _read(self, end: float) -> None:
        assert self.process.stdout is not None
        readable, _, _ = select.select([self.process.stdout], [], [], end - time.monotonic())
        part = os.read(self.process.stdout.fileno(), 65536) if readable else b""
        if not part:
            raise AssertionError(f"not ready: {self.output.decode()}")
        self.output += part

    def wait_until_ended(self) -> tuple[int, str]:
        """Exit code and all of the output."""
        rest, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, (self.output + rest).decode()

    def terminate(self) -> tuple[int, str]:
        """SIGTERM, then as ``wait_until_ended``."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait_until_ended()

    def kill(self) -> None:
        """SIGKILL to the supervisor alone."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def child(self, word: str) -> int:
        """The child whose command line has ``word``, once there is exactly one."""
        return until(lambda: self._child(word))

    def _child(self, word: str) -> int | None:
        pids = [pid for pid, parent, args in table() if parent == self.process.pid and word in args]
        return pids[0] if len(pids) == 1 else None

    def web_worker(self) -> int:
        """One of gunicorn's workers."""
        master = self.child("gunicorn")
        return until(lambda: [pid for pid, parent, _ in table() if parent == master])[0]

    def family(self) -> set[int]:
        """Every process of the tree, itself included."""
        family = {self.process.pid}
        rows = table()
        while more := {pid for pid, parent, _ in rows if parent in family} - family:
            family |= more
        return family

    def __enter__(self) -> Serve:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.terminate()
        assert self.process.stdout is not None
        self.process.stdout.close()


def table() -> list[tuple[int, int, str]]:
    """Every process that is no zombie: pid, parent, command line."""
    said = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,args="],
        capture_output=True,
        check=True,
    )
    rows = [line.split(None, 3) for line in said.stdout.decode(errors="replace").splitlines()]
    return [
        (int(row[0]), int(row[1]), row[3]) for row in rows if len(row) == 4 and row[2][0] != "Z"
    ]


def all_gone(pids: set[int]) -> bool:
    """Whether none of them lives any more."""
    return not pids & {pid for pid, _, _ in table()}


def kill(pid: int) -> None:
    """SIGKILL; nothing happens where it is gone."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextlib.contextmanager
def serving(data_dir: Path, *options: str, **environ: str) -> Iterator[Serve]:
    """A ``challenge serve`` that is ready; stopped at the end."""
    with Serve(data_dir, *options, **environ) as serve:
        yield serve.wait_until_ready()


def refused(data_dir: Path, *options: str, **environ: str) -> str:
    """The one line with which a start is refused; there is no traceback and nothing is left."""
    with Serve(data_dir, *options, **environ) as serve:
        code, output = serve.wait_until_ended()
    assert code not in (0, None)
    assert "Traceback" not in output
    assert len(output.splitlines()) == 1, output
    return output
