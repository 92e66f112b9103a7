"""Stop, restart and reload while people play: no request fails, no move is lost or made twice."""

from __future__ import annotations

import http.client
import random
import signal
import socket
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import redis

from tests.marks import long
from tests.paths import free_port
from tests.runtime.gunicorns import Web, handing
from tests.runtime.player import KeepingPlayer, Player, Playing
from tests.runtime.processes import Serve, kill, table, until

SUBREAPER = (  # as the first process of a container: what loses its parent becomes its own
    "import ctypes, os, sys; ctypes.CDLL(None).prctl(36, 1, 0, 0, 0); "
    "os.execv(sys.argv[1], sys.argv[1:])"
)


class PatientPlayer(Player):
    """Sends a request once and waits; a retry would be a failed request."""

    seconds = 60.0


def check(playing: Playing) -> list[Player]:
    """Every game has exactly the moves that were acknowledged."""
    players = playing.end()
    for player in players:
        player.look()
        assert player.log == player.acknowledged
    return players


def retries(players: list[Player]) -> int:
    """How many requests had to be sent again."""
    return sum(player.retries for player in players)


RELOADS: dict[str, Callable[[Web], None]] = {
    "SIGHUP": lambda web: web.hang_up(),
    "restart": lambda web: web.restart(),
}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("times", [1, long(20)])
@pytest.mark.parametrize("reload", RELOADS)
def test_a_reload_under_load_fails_no_request_and_loses_or_doubles_no_move(
    valkey: redis.Redis, valkey_url: str, reload: str, times: int
) -> None:
    with Web(CHALLENGE_REDIS_URL=valkey_url) as web:
        fresh, keeping = Playing(web.port, PatientPlayer), Playing(web.port, KeepingPlayer)
        for _ in range(times):
            fresh.some_more(random.randrange(5, 20))
            RELOADS[reload](web)
        fresh.some_more(5)
        keeping.some_more(5)
        assert retries(check(fresh)) == 0
        check(keeping)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_twenty_stops_and_starts_of_serve_under_load_lose_or_double_no_move(
    tmp_path: Path,
) -> None:
    serve = Serve(tmp_path).wait_until_ready()
    players = Playing(serve.port), Playing(serve.port, KeepingPlayer)
    for _ in range(20):
        players[0].some_more(random.randrange(5, 20))
        port = serve.port
        assert serve.terminate()[0] == 0
        serve = Serve(tmp_path, "--port", str(port)).wait_until_ready()
    with serve:
        for playing in players:
            playing.some_more(5)
            check(playing)


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGHUP])
def test_a_request_in_flight_is_answered_and_nothing_is_left_in_the_home_directory(
    valkey: redis.Redis, valkey_url: str, tmp_path: Path, signum: signal.Signals
) -> None:
    body = b'{"name": "Mia"}'
    places = {"HOME": str(tmp_path), "TMPDIR": str(tmp_path)}
    with Web(CHALLENGE_REDIS_URL=valkey_url, **places) as web:
        old = until(web.both_workers)
        connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=60)
        connection.request("GET", "/healthz")
        assert connection.getresponse().read()  # a worker has this connection
        connection.putrequest("POST", "/api/v1/players")
        connection.putheader("Content-Type", "application/json")
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        connection.send(body[:5])
        web.process.send_signal(signum)
        until(lambda: web.workers() != old)
        connection.send(body[5:])
        answer = connection.getresponse()
        assert (answer.status, b"Mia" in answer.read()) == (201, True)
        connection.close()
        if signum == signal.SIGTERM:
            assert web.ended() == (0, "")
        else:
            until(lambda: not old & web.workers() and web.both_workers())
        assert list(tmp_path.rglob("*")) == []


def test_serve_takes_the_socket_handed_to_it_says_when_it_is_ready_and_leaves_it_open(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=100) as held:
        port = held.getsockname()[1]

        class HandedServe(Serve):
            before = handing(held)
            inherited = (held.fileno(),)

        manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        manager.bind(str(tmp_path / "notify"))
        options = ("--port", str(free_port()))
        told = {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        with manager, HandedServe(tmp_path, *options, **told).wait_until_ready() as serve:
            assert manager.recv(100) == b"READY=1"
            assert serve.port == port
            player = PatientPlayer(port)
            player.play()
        with socket.create_connection(("127.0.0.1", port)):
            assert serve.process.poll() == 0  # it has gone, and whoever comes waits for the next


@pytest.mark.soak
def test_serve_as_the_first_process_of_a_container_leaves_no_zombies(tmp_path: Path) -> None:
    class First(Serve):
        before = (sys.executable, "-c", SUBREAPER)

    with First(tmp_path).wait_until_ready() as serve:
        orphans = until(lambda: len(found := workers_of(serve)) == 2 and found)
        kill(serve.child("gunicorn"))
        until(lambda: not [pid for pid in orphans if Path(f"/proc/{pid}").exists()])
        assert Player(serve.port).retries == 0


def workers_of(serve: Serve) -> set[int]:
    """The web workers."""
    master = serve.child("gunicorn")
    return {pid for pid, parent, _ in table() if parent == master}
