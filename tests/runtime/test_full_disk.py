"""The disk of the embedded store is full: it waits for room, and nothing acknowledged is lost."""

from __future__ import annotations

import contextlib
import http.client
import json
import resource
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.marks import long
from tests.runtime.player import Player
from tests.runtime.processes import Serve, serving, until

SMALL = 1 << 19  # bytes; more than the store needs to start, less than the room it waits for
BLOCK = bytes(1 << 16)


@dataclass
class Disk:
    """A data directory on a disk that can be filled and emptied."""

    path: Path
    fill: Callable[[Serve], None]
    empty: Callable[[Serve], None]


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Disk]:
    """A real file system of 8 MB, where one may be mounted; else small files."""
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        with small_files(folder) as disk:
            yield disk
        return
    ballast = folder / "ballast"

    def fill(_: Serve) -> None:
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(BLOCK):
                pass

    try:
        yield Disk(folder / "data", fill, lambda _: ballast.unlink())
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextlib.contextmanager
def small_files(folder: Path) -> Iterator[Disk]:
    """No file may grow beyond some size, as under a quota; needs no rights."""

    def limit(serve: Serve, size: int) -> None:
        for pid in (serve.process.pid, serve.child("valkey-server")):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    def free(serve: Serve) -> None:
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(serve.process.pid, resource.RLIMIT_FSIZE, unlimited)

    yield Disk(folder / "data", lambda serve: limit(serve, log_size(folder / "data")), free)


def log_size(data: Path) -> int:
    """Bytes of the append-only file that is written to."""
    return max(file.stat().st_size for file in data.rglob("*.incr.aof"))


@pytest.fixture(params=[small_disk, long(small_files)], ids=["disk", "quota"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    """Each of the two."""
    with request.param(tmp_path) as found:
        yield found


def ask(port: int, method: str, path: str, body: object = None) -> tuple[int, str]:
    """Status and text of one answer, over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request(
        method,
        path,
        None if body is None else json.dumps(body),
        {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"},
    )
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def test_a_full_disk_is_waited_out_and_nothing_acknowledged_is_lost(disk: Disk) -> None:
    with serving(disk.path, CHALLENGE_IDENTITIES_PER_DAY="100000") as serve:
        player = Player(serve.port)
        for _ in range(5):
            player.play()
        disk.fill(serve)
        names = iter(range(10_000))
        until(lambda: ask_name(serve.port, next(names)) == 503)
        until(lambda: ask(serve.port, "GET", "/readyz")[0] == 503)
        status, page = ask(serve.port, "GET", "/")
        assert (status, "A short break" in page) == (503, True)
        assert ask(serve.port, "GET", "/healthz")[0] == 200
        disk.empty(serve)
        player.look()
        while not player.finished:
            player.play()
        code, output = serve.terminate()
    assert code == 0
    assert output.count("the embedded store waits for room in") == 1
    assert output.count("the embedded store has room again") == 1
    assert "Traceback" not in output


def ask_name(port: int, number: int) -> int:
    """The status of an answer that needs a write: a new player of this name."""
    return ask(port, "POST", "/api/v1/players", {"name": f"Mia {number}"})[0]


def test_a_disk_that_is_full_from_the_start_is_refused_in_one_line(tmp_path: Path) -> None:
    with small_disk(tmp_path) as disk:
        if not tmp_path.is_mount():
            pytest.skip("this user may not mount a file system")
        disk.fill(None)  # type: ignore[arg-type]
        with Serve(disk.path) as serve:
            code, output = serve.wait_until_ended()
    assert code != 0
    assert "No space left on device" in output
    assert "CHALLENGE_DATA_DIR" in output
    assert len(output.splitlines()) == 1
