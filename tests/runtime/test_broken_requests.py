"""Requests that break off on the way, sent byte by byte to a real server."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from tests.runtime.processes import PATIENCE, Serve, serving

HEAD = (
    b"POST /api/v1/players HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Content-Type: application/json\r\n"
)
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
STALLED = (b"GET / HTTP/1.1\r\nHost: loc", HEAD + b"Content-Length: 50\r\n\r\n{", CHUNKED)
THREADS = 4


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A server with a single worker, which has nothing to say about any of this."""
    with serving(tmp_path_factory.mktemp("data"), "--port", "0", "--workers", "1") as running:
        yield running
        assert "Traceback" not in running.terminate()[1]


def connected(serve: Serve, sent: bytes) -> socket.socket:
    """A connection on which this was sent."""
    connection = socket.create_connection(("127.0.0.1", serve.port), PATIENCE)
    connection.sendall(sent)
    return connection


def answer(serve: Serve, sent: bytes) -> bytes:
    """All that comes back until the server hangs up."""
    with connected(serve, sent) as connection:
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("chunk", [b"zz\r\n", b"-1\r\n{}\r\n", b"\r\n", b"3;\r\n{}\r\n0\r\n\r\n"])
def test_a_chunk_that_is_none_is_a_bad_request(serve: Serve, chunk: bytes) -> None:
    said = answer(serve, CHUNKED + chunk)
    assert said.startswith(b"HTTP/1.1 400 "), said
    assert b"/problems/bad-request" in said


def test_clients_that_fall_silent_amid_a_request_do_not_keep_out_the_others(serve: Serve) -> None:
    silent = [connected(serve, STALLED[i % len(STALLED)]) for i in range(THREADS)]
    try:
        said = answer(
            serve, b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        )
        assert said.startswith(b"HTTP/1.1 200 "), said
    finally:
        for connection in silent:
            connection.close()
