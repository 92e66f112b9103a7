"""The web process as a service manager runs it: gunicorn on a socket that outlives it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request

from tests.paths import ROOT
from tests.runtime.processes import MANY, PATIENCE, table, until

SECRETS = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
HAND_OVER = (  # what systemd does between fork and exec
    "import os, sys; os.dup2(int(sys.argv[1]), 3); "
    "os.environ.update(LISTEN_FDS='1', LISTEN_PID=str(os.getpid())); "
    "os.execv(sys.argv[2], sys.argv[2:])"
)
GUNICORN = (sys.executable, "-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "challenge.wsgi:app")


def handing(held: socket.socket) -> tuple[str, ...]:
    """What turns into the command given to it, with ``held`` (inherited) handed over."""
    return (sys.executable, "-c", HAND_OVER, str(held.fileno()))


class Web:
    """One gunicorn after the other on one socket, as ``samedice-web.socket`` holds it."""

    def __init__(self, **environ: str) -> None:
        self.held = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port: int = self.held.getsockname()[1]
        self._environ = {**os.environ, **MANY, **SECRETS, **environ}
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [*handing(self.held), *GUNICORN],
            cwd=ROOT,
            env=self._environ,
            pass_fds=(self.held.fileno(),),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def workers(self) -> set[int]:
        """The processes below the master; only these."""
        return {pid for pid, parent, _ in table() if parent == self.process.pid}

    def status(self, path: str) -> int:
        """The status of a page; a connection waits until someone takes it."""
        url = f"http://127.0.0.1:{self.port}{path}"
        with urllib.request.urlopen(url, timeout=PATIENCE) as answer:
            return int(answer.status)

    def hang_up(self) -> None:
        """SIGHUP, and wait until other workers serve and the old ones are gone."""
        old = until(self.both_workers)
        self.process.send_signal(signal.SIGHUP)
        until(lambda: not old & self.workers() and len(self.workers()) == len(old))

    def both_workers(self) -> set[int] | None:
        """Its two workers, once both are there and no other."""
        workers = self.workers()
        return workers if len(workers) == 2 else None

    def restart(self) -> None:
        """SIGTERM, and a new one once the old one has ended: ``systemctl restart``."""
        assert self.stop() == (0, "")
        self.process = self._start()

    def go_away(self) -> None:
        """Stop it and let go of the port: whoever comes is refused."""
        assert self.stop() == (0, "")
        self.held.close()

    def come_back(self) -> None:
        """Listen on the same port again and start another one."""
        self.held = socket.create_server(("127.0.0.1", self.port), backlog=1024)
        self.process = self._start()

    def stop(self) -> tuple[int, str]:
        """SIGTERM; exit code and output once it has ended."""
        self.process.send_signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> tuple[int, str]:
        """Exit code and output, once it has ended."""
        output, _ = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, output.decode()

    def __enter__(self) -> Web:
        assert self.status("/healthz") == 200
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.stop()
        self.held.close()
