"""The two lines of the Procfile, started as a platform starts them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import redis

from tests.paths import free_port
from tests.runtime.processes import PATIENCE, all_gone, table, until

ROOT = Path(__file__).parents[2]
SECRETS = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}


def start(name: str, **environ: str) -> subprocess.Popen[bytes]:
    """The process ``name`` of the Procfile."""
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    return subprocess.Popen(
        ["/bin/sh", "-c", f"exec {lines[name]}"],
        cwd=ROOT,
        env={**os.environ, "PATH": path, **environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def ended(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Exit code and output of a process that ends."""
    output, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, output.decode()


def ready(port: int) -> bool:
    """Whether ``/readyz`` answers 200."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_web_serves_on_the_port_of_the_platform(valkey: redis.Redis, valkey_url: str) -> None:
    port = free_port()
    process = start("web", CHALLENGE_REDIS_URL=valkey_url, PORT=str(port), **SECRETS)
    until(lambda: ready(port))
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (0, "")


def test_worker_opens_the_boards_and_ends_at_once(valkey: redis.Redis, valkey_url: str) -> None:
    process = start("worker", CHALLENGE_REDIS_URL=valkey_url, **SECRETS)
    until(lambda: valkey.dbsize() > 0)
    process.send_signal(signal.SIGTERM)
    assert ended(process) == (0, "")


def test_web_without_secrets_refuses_in_one_line() -> None:
    code, output = ended(start("web", CHALLENGE_REDIS_URL="redis://127.0.0.1:1"))
    assert code == 2
    assert len(output.splitlines()) == 1
    assert "CHALLENGE_STREAM_SECRET" in output


def test_worker_without_secrets_refuses_in_one_line() -> None:
    code, output = ended(start("worker", CHALLENGE_REDIS_URL="redis://127.0.0.1:1"))
    assert code == 2
    assert len(output.splitlines()) == 1
    assert "CHALLENGE_STREAM_SECRET" in output


def test_honcho_runs_both_and_stops_both(valkey: redis.Redis, valkey_url: str) -> None:
    port = free_port()
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    settings = {"CHALLENGE_REDIS_URL": valkey_url, "PORT": str(port), "PATH": path, **SECRETS}
    process = subprocess.Popen(
        [sys.executable, "-m", "honcho", "--no-colour", "-e", os.devnull, "start"],
        cwd=ROOT,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    until(lambda: ready(port))
    until(lambda: valkey.dbsize() > 0)
    family = descendants(process.pid)
    process.send_signal(signal.SIGTERM)
    _, output = ended(process)
    until(lambda: all_gone(family))
    assert "Traceback" not in output
    assert not ready(port)


def descendants(pid: int) -> set[int]:
    """Every process below this one: two shells, gunicorn, its workers, the worker."""
    found, rows = {pid}, table()
    while more := {child for child, parent, _ in rows if parent in found} - found:
        found |= more
    assert len(found) >= 5
    return found - {pid}
