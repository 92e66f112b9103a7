"""/metrics and the log of a whole ``challenge serve``: two web workers, a worker, a store."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from challenge.web.watch import shared
from tests.runtime.player import Player
from tests.runtime.processes import PATIENCE, READY, all_gone, kill, table, until
from tests.web.figures import Figures

SECRET = "Ottilie-4711"
needs_linux = pytest.mark.skipif(
    not Path("/proc/self/fd").exists(), reason="this system does not tell what a process has open"
)


class Watched:
    """A ``challenge serve`` whose stdout and stderr go to files, so that stderr is no terminal."""

    def __init__(self, folder: Path, **environ: str) -> None:
        self.told = folder / "stderr"
        said = folder / "stdout"
        with said.open("wb") as out, self.told.open("wb") as err:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "challenge", "serve", "--port", "0", "--workers", "2"],
                env={
                    **os.environ,
                    "CHALLENGE_REQUEST_LOG": "auto",
                    "CHALLENGE_DATA_DIR": str(folder / "data"),
                    **environ,
                },
                stdout=out,
                stderr=err,
            )
        url = until(lambda: READY in said.read_bytes() and said.read_bytes())
        self.port = int(url.rsplit(b":", 1)[1])

    def figures(self) -> Figures:
        """What /metrics says, over a new connection, and so from any of the workers."""
        return Figures(self.get("/metrics"))

    def get(self, path: str, **headers: str) -> str:
        """The body of a page; answers that are not 200 fail."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        with contextlib.closing(connection):
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            assert answer.status == 200, answer.status
            return answer.read().decode()

    def send(self, raw: bytes) -> bytes:
        """What comes back for these very bytes."""
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            connection.sendall(raw)
            return connection.recv(4096)

    def lines(self) -> list[dict[str, Any]]:
        """All that was written on stderr, each line parsed."""
        return [json.loads(line) for line in self.told.read_text("utf-8").splitlines()]

    @property
    def master(self) -> int:
        """gunicorn's master."""
        return next(
            pid
            for pid, parent, args in table()
            if "gunicorn" in args and parent == self.process.pid
        )

    def web(self) -> set[int]:
        """gunicorn's workers."""
        master = self.master
        return {pid for pid, parent, _ in table() if parent == master}

    def folder(self) -> Path:
        """Where the counters of its web processes lie."""
        opened = Path(f"/proc/{min(self.web())}/fd").iterdir()
        files = [str(fd.readlink()) for fd in opened if fd.exists()]
        return next(Path(file).parent for file in files if shared.PREFIX in file)

    def stop(self) -> int:
        """SIGTERM, and the exit code."""
        self.process.terminate()
        return self.process.wait(PATIENCE)


@contextlib.contextmanager
def watched(folder: Path, **environ: str) -> Iterator[Watched]:
    """A ``challenge serve`` that is ready; stopped at the end."""
    serve = Watched(folder, **environ)
    try:
        yield serve
    finally:
        if serve.process.poll() is None:
            serve.stop()


def play_through(player: Player) -> int:
    """A whole game; how many moves it had."""
    while not player.finished:
        player.play()
    return int(player.game["ply"])


@needs_linux
def test_the_figures_of_all_processes_are_one_whoever_answers_and_outlive_their_process(
    tmp_path: Path,
) -> None:
    with watched(tmp_path) as serve:
        made = play_through(Player(serve.port)) + play_through(Player(serve.port))
        for _ in range(6):
            found = serve.figures()
            assert found.sum("samedice_moves_total") == made
            assert found.sum("samedice_finished_games_total", ruleset="yacht") == 2
        folder, before = serve.folder(), serve.web()
        for pid in before:
            kill(pid)
        until(lambda: len(serve.web() - before) == 2 and not serve.web() & before)
        until(lambda: serve.figures().sum("samedice_moves_total") == made)
        left = {file.name.rsplit("_", 1)[1] for file in folder.glob("*.db")}
        assert not left & {f"{pid}.db" for pid in before}
        made += play_through(Player(serve.port))
        found = serve.figures()
        assert found.sum("samedice_moves_total") == made
        assert found.sum("samedice_finished_games_total") == 3
        until(lambda: serve.figures().sum("samedice_unsettled_games") == 0)
        assert 0 <= serve.figures().sum("samedice_worker_round_age_seconds") < PATIENCE
        assert serve.stop() == 0
    assert not folder.exists()


@needs_linux
def test_what_a_killed_master_leaves_behind_is_removed_by_the_next_and_nothing_else(
    tmp_path: Path,
) -> None:
    for name in ("other", "killed"):
        (tmp_path / name).mkdir()
    with watched(tmp_path / "other") as other, watched(tmp_path / "killed") as killed:
        left, lives, web = killed.folder(), other.folder(), killed.web()
        killed.process.send_signal(signal.SIGSTOP)  # so that it starts no other one meanwhile
        kill(killed.master)
        until(lambda: all_gone(web))
        assert left.exists()
        killed.process.send_signal(signal.SIGCONT)
        until(lambda: not left.exists())
        assert killed.get("/healthz")
        assert killed.folder() != left
        assert lives.exists()
        assert other.figures().sum("samedice_store_up") == 1


def test_every_line_is_json_and_none_tells_what_was_sent(tmp_path: Path) -> None:
    options = {"GUNICORN_CMD_ARGS": "--log-level debug"}
    with watched(tmp_path, **options) as serve:
        player = Player(serve.port)
        player.play()
        serve.get(f"/?q={SECRET}", Cookie=f"x={SECRET}", **{"User-Agent": SECRET})
        for raw in (
            f"GET /{SECRET}\r\n\r\n",
            f"NONSENSE {SECRET}\r\n\r\n",
            f"GET / HTTP/1.1\r\nHost: x\r\n{SECRET} : x\r\n\r\n",
            f"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: {SECRET}\r\n\r\n",
            f"GET / HTTP/1.1\r\nHost: x\r\nX: {SECRET * 999}\r\n\r\n",
            f"POST /{SECRET} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: {SECRET}\r\n\r\n",
        ):
            assert serve.send(raw.encode())[9:12] in (b"400", b"431", b"501"), raw
        for pid in serve.web():
            kill(pid)
        until(lambda: len(serve.web()) == 2)
        serve.get("/healthz")
        assert serve.stop() == 0
        lines = serve.lines()
    routes = {line["route"] for line in lines if "route" in line}
    assert {"/", "/api/v1/players", "/healthz", "/readyz"} <= routes
    assert any("not well formed" in line["message"] for line in lines if "message" in line)
    assert any("SIGKILL" in line["message"] for line in lines if "message" in line)
    assert any("Booting" in line["message"] for line in lines if "message" in line)  # from info on
    told = serve.told.read_text("utf-8")
    assert SECRET not in told
    assert player._token not in told
    assert player._token.split(".")[0] not in told


def test_for_people_there_are_no_lines_of_requests(tmp_path: Path) -> None:
    with watched(tmp_path, CHALLENGE_REQUEST_LOG="off") as serve:
        serve.get("/healthz")
        for pid in serve.web():
            kill(pid)
        until(lambda: len(serve.web()) == 2)
        serve.get("/healthz")
        serve.stop()
        told = serve.told.read_text("utf-8").splitlines()
    assert told
    assert all(line.startswith("gunicorn.error: ") for line in told), told


def test_the_log_of_a_worker_and_of_a_failed_start_are_lines_too(tmp_path: Path) -> None:
    environ = {
        **os.environ, "CHALLENGE_REQUEST_LOG": "on", "CHALLENGE_DATA_DIR": str(tmp_path),
        "CHALLENGE_REDIS_URL": "redis://127.0.0.1:1", "CHALLENGE_STREAM_SECRET": "x" * 32,
        "CHALLENGE_SECRET_KEYS": "x" * 32,
    }  # fmt: skip
    worker = subprocess.Popen(
        [sys.executable, "-m", "challenge", "worker"], env=environ, stderr=subprocess.PIPE
    )
    assert worker.stderr is not None
    line = json.loads(worker.stderr.readline())
    worker.send_signal(signal.SIGTERM)
    rest = worker.communicate(timeout=PATIENCE)[1]
    assert (line["logger"], line["level"]) == ("challenge.worker", "warning")
    assert not rest


def test_where_nothing_can_be_written_each_process_counts_for_itself(tmp_path: Path) -> None:
    code = (
        "import pathlib, tempfile\nfrom challenge import logs\n"
        "from challenge.web.watch import shared\n"
        "logs.begin('on')\nshared._MEMORY = pathlib.Path('/nowhere')\n"
        "tempfile.tempdir = '/nowhere'\nshared.begin()\nprint(shared.folder())\nshared.bury(1)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "None"
    assert "no directory for common figures" in json.loads(done.stderr)["message"]


def test_directories_made_at_the_same_moment_leave_each_other_alone(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys\nfrom challenge.web.watch import shared\n"
        f"shared._MEMORY = pathlib.Path({str(tmp_path)!r})\n"
        "shared.begin()\nfolder = pathlib.Path(shared.folder())\nprint('made', flush=True)\n"
        "sys.stdin.readline()\nprint((folder / 'alive').exists())"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    for each in started:
        assert each.stdout is not None
        assert each.stdout.readline() == "made\n"
    assert [each.communicate("\n", PATIENCE)[0] for each in started] == ["True\n"] * 2
    assert not list(tmp_path.iterdir())
