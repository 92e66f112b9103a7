"""Real servers for the benchmarks: gunicorn over any WSGI app, and its CPU time."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.paths import free_port

LIFTED = dict.fromkeys(
    (
        "CHALLENGE_IDENTITIES_PER_DAY",
        "CHALLENGE_JOINS_PER_HOUR",
        "CHALLENGE_PAGES_PER_MINUTE",
        "CHALLENGE_MOVES_PER_MINUTE",
    ),
    "1000000",
)
"""Settings for a benchmark, where one address is everybody."""


class Server:
    """A gunicorn with one worker."""

    def __init__(self, process: subprocess.Popen[bytes], port: int) -> None:
        self.process = process
        self.port = port
        self.connection = http.client.HTTPConnection("127.0.0.1", port)

    def ask(
        self, method: str, path: str, body: Any = None, headers: dict[str, str] | None = None
    ) -> Any:
        """One request over a kept connection; its JSON."""
        raw = None if body is None else json.dumps(body)
        sent = {"Content-Type": "application/json", **(headers or {})}
        self.connection.request(method, path, raw, sent)
        answer = self.connection.getresponse()
        content = answer.read()
        assert answer.status < 300, content
        return json.loads(content)

    def cpu_seconds(self) -> float:
        """User and system time of the whole tree so far, living processes only."""
        return sum(cpu_of(pid) for pid in tree(self.process.pid))


@contextmanager
def gunicorn(app: str, folder: str, **environ: str) -> Iterator[Server]:
    """Serves ``module:app`` with the product's own gunicorn settings and one worker."""
    port = free_port()
    command = [sys.executable, "-m", "gunicorn", "-c", "python:challenge.gunicorn_conf"]
    command += ["--workers", "1", "--bind", f"127.0.0.1:{port}", app]
    env = {**os.environ, "CHALLENGE_DATA_DIR": folder, "PYTHONPATH": os.pathsep.join(sys.path)}
    with Path(folder, "gunicorn.log").open("ab") as log:  # a line a request by now
        process = subprocess.Popen(command, env={**env, **LIFTED, **environ}, stderr=log)
    try:
        _wait_for(port, process)
        yield Server(process, port)
    finally:
        process.terminate()
        process.wait()


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    with Path(f"/proc/{pid}/task/{pid}/children").open() as children:
        below = [int(child) for child in children.read().split()]
    return [pid, *(other for child in below for other in tree(child))]


def cpu_of(pid: int) -> float:
    """Seconds on a processor over all threads, to the nanosecond; ticks are too coarse."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def _wait_for(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            continue
        return
    raise RuntimeError("gunicorn did not start")
