"""The examples for nginx and Caddy, run in front of a real gunicorn."""

from __future__ import annotations

import http.client
import json
import shutil
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore
from tests.deploy.proxies import Proxy, running
from tests.runtime.gunicorns import Web
from tests.runtime.player import GAME, KeepingPlayer
from tests.runtime.processes import until

TOKEN = "a-token-for-figures-a-token-for-figures"
GUESSES = 3
WAYS_TO_METRICS = (
    "/metrics",
    "/metrics/",
    "//metrics",
    "/%6Detrics",
    "/./metrics",
    "/rules/../metrics",
    "/metrics?x=1",
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    """A store of this module alone, which may be stopped."""
    data_dir = DataDir(tmp_path_factory.mktemp("store"))
    store = EmbeddedStore(data_dir)
    store.start()
    yield store
    store.stop()


@pytest.fixture(scope="module")
def web(store: EmbeddedStore) -> Iterator[Web]:
    """A gunicorn that trusts one proxy."""
    with Web(
        CHALLENGE_REDIS_URL=store.data_dir.socket_url,
        CHALLENGE_TRUSTED_PROXIES="1",
        CHALLENGE_METRICS_TOKEN=TOKEN,
        CHALLENGE_GUESSES_PER_HOUR=str(GUESSES),
    ) as web:
        yield web


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, web: Web, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    """Each of the two in front of it."""
    needed = [request.param, *(["openssl"] if request.param == "nginx" else [])]
    missing = [name for name in needed if shutil.which(name) is None]
    if missing:
        pytest.skip(f"{' and '.join(missing)} not installed here")
    with running(request.param, tmp_path_factory.mktemp(request.param), web.port) as proxy:
        yield proxy


class PlayerBehind(KeepingPlayer):
    """Plays over TLS through a proxy, on one connection."""

    proxy: Proxy

    def _connection(self) -> http.client.HTTPConnection:
        self._kept = self._kept or self.proxy.connection()
        return self._kept


def ask(
    proxy: Proxy, method: str, path: str, body: Any = None, source: str = "127.0.0.1", **more: str
) -> tuple[int, str]:
    """Status and text of one request; keywords are headers, with _ for -."""
    connection = proxy.connection(source)
    headers = {"Sec-Fetch-Site": "same-origin", "Content-Type": "application/json"}
    headers |= {name.replace("_", "-"): value for name, value in more.items()}
    connection.request(method, path, None if body is None else json.dumps(body), headers)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


def guess(proxy: Proxy, source: str, **headers: str) -> int:
    """A wrong code entered from an address."""
    return ask(proxy, "POST", "/api/v1/transfer", {"code": "0000-0000"}, source, **headers)[0]


def test_a_whole_game_is_played_through_it_and_the_result_links_to_https(proxy: Proxy) -> None:
    kind = type("Behind", (PlayerBehind,), {"proxy": proxy})
    player = kind(proxy.https)
    while not player.finished:
        player.play()
    bearer = f"Bearer {player._token}"
    status, text = ask(proxy, "GET", f"{GAME}/share?lang=en", Authorization=bearer)
    assert status == 200
    assert f"\nhttps://localhost:{proxy.https}/" in text
    assert player.retries == 0


def test_the_clients_address_arrives_and_a_forged_one_has_no_effect(
    proxy: Proxy, request: pytest.FixtureRequest
) -> None:
    mine, others = {"nginx": (2, 3), "caddy": (4, 5)}[request.node.callspec.params["proxy"]]
    forged = {
        "X_Forwarded_For": f"127.0.0.{others}",
        "X_Forwarded_Proto": "http",
        "Forwarded": f"for=127.0.0.{others}",
        "X_Real_IP": f"127.0.0.{others}",
    }
    assert [guess(proxy, f"127.0.0.{mine}", **forged) for _ in range(GUESSES)] == [404] * GUESSES
    other_lies = {"X_Forwarded_For": "203.0.113.9, 198.51.100.1"}
    assert guess(proxy, f"127.0.0.{mine}", **other_lies) == 429  # nothing is evaded
    assert guess(proxy, f"127.0.0.{others}") == 404  # nor is somebody else's share used up


def test_a_forged_host_does_not_get_into_a_link(proxy: Proxy) -> None:
    status, text = ask(proxy, "POST", "/api/v1/players", {})
    bearer = f"Bearer {json.loads(text)['token']}"
    lies = {"X_Forwarded_Host": "evil.example", "Authorization": bearer}
    status, text = ask(proxy, "POST", "/api/v1/me/transfer", {}, **lies)
    assert status == 201
    assert json.loads(text)["url"].startswith(f"https://localhost:{proxy.https}/")


@pytest.mark.parametrize("path", WAYS_TO_METRICS)
def test_the_figures_are_not_reached_through_it_even_with_the_token(
    proxy: Proxy, path: str
) -> None:
    status, text = ask(proxy, "GET", path, Authorization=f"Bearer {TOKEN}")
    assert status in (404, 308)
    assert "# HELP" not in text


def test_plain_http_is_led_to_https(proxy: Proxy) -> None:
    connection = http.client.HTTPConnection("localhost", proxy.http, timeout=30)
    connection.request("GET", "/rules?x=1")
    answer = connection.getresponse()
    connection.close()
    assert answer.status == 308
    assert answer.headers["Location"].startswith("https://localhost")
    assert answer.headers["Location"].endswith("/rules?x=1")


@pytest.mark.parametrize("size", [5_000, 70_000, 3_000_000])
def test_a_body_beyond_all_bounds_is_refused(proxy: Proxy, size: int) -> None:
    assert ask(proxy, "POST", "/api/v1/players", {"name": "x" * size})[0] == 413


def test_the_page_that_says_the_store_is_away_passes_and_heals(
    proxy: Proxy, store: EmbeddedStore
) -> None:
    store.stop()
    try:
        status, text = ask(proxy, "GET", "/", Accept="text/html", Accept_Language="en")
        assert status == 503
        assert "<!doctype html>" in text.lower()
        assert ask(proxy, "GET", "/healthz")[0] == 200
    finally:
        store.start()
    until(lambda: ask(proxy, "GET", "/", Accept="text/html")[0] == 200)


@pytest.mark.soak
@pytest.mark.skipif(shutil.which("caddy") is None, reason="caddy is not installed here")
def test_requests_wait_in_caddy_while_the_web_process_is_away(
    valkey_url: str, tmp_path: Path
) -> None:
    with (
        Web(CHALLENGE_REDIS_URL=valkey_url, CHALLENGE_TRUSTED_PROXIES="1") as web,
        running("caddy", tmp_path, web.port) as proxy,
        ThreadPoolExecutor(1) as pool,
    ):
        web.go_away()
        asked = pool.submit(ask, proxy, "POST", "/api/v1/players", {})
        web.come_back()
        assert asked.result()[0] == 201


class HangingUp(BaseHTTPRequestHandler):
    """A web process that is well and answers nothing else."""

    def do_GET(self) -> None:
        """``/healthz``."""
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        """Not a word."""
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nothing."""


@contextmanager
def hanging_up() -> Iterator[int]:
    """The port of such a one."""
    with ThreadingHTTPServer(("127.0.0.1", 0), HangingUp) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("name", ["nginx", "caddy"])
def test_a_request_that_fails_is_not_written_down_either(name: str, tmp_path: Path) -> None:
    if shutil.which(name) is None or shutil.which("openssl") is None:
        pytest.skip(f"{name} or openssl is not installed here")
    with hanging_up() as port, running(name, tmp_path, port) as proxy:
        status, _ = ask(proxy, "POST", "/join/an-invite", {}, Referer="https://localhost/join/r")
        assert status == 502
    told = b"".join(file.read_bytes() for file in tmp_path.rglob("*.log"))
    assert b"an-invite" not in told
    assert b"/join/r" not in told


def test_the_figures_are_there_for_whoever_asks_inside_with_the_token(web: Web) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=30)
    connection.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    answer = connection.getresponse()
    assert (answer.status, b"# HELP" in answer.read()) == (200, True)
    connection.close()
