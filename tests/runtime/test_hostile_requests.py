"""Hostile requests over real sockets: no 5xx, no traceback, and the server goes on serving."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.hostile import requests
from tests.hostile_texts import BYTES
from tests.runtime.processes import PATIENCE, Serve, serving

GET = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
DAILY = 3  # every so many of those the application alone is sent anyway


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """A server which has nothing to say about any of this."""
    limits = ("IDENTITIES_PER_DAY", "GUESSES_PER_HOUR", "JOINS_PER_HOUR", "PAGES_PER_MINUTE")
    environ = {f"CHALLENGE_{name}": "100000" for name in limits}
    folder = tmp_path_factory.mktemp("data")
    with serving(folder, "--port", "0", "--workers", "1", **environ) as running:
        yield running
        assert "Traceback" not in running.terminate()[1]


def said(serve: Serve, sent: bytes) -> bytes:
    """The answer, as far as the server hears the client out."""
    with socket.create_connection(("127.0.0.1", serve.port), PATIENCE) as connection:
        try:
            connection.sendall(sent)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65536), b""))
        except ConnectionError:
            return b""  # hung up on amid sending


def check(serve: Serve, found: Iterable[bytes]) -> Counter[bytes]:
    """Assert that none of these is an error of the server; the statuses that came."""
    seen: Counter[bytes] = Counter()
    for sent in found:
        status = said(serve, sent)[9:12]
        assert not status.startswith(b"5"), (sent[:300], status)
        seen[status] += 1
    assert said(serve, GET).startswith(b"HTTP/1.1 200 ")
    return seen


def test_what_no_library_would_send_is_refused(serve: Serve) -> None:
    seen = check(serve, BYTES)
    assert seen[b"400"] > 20


def test_no_hostile_request_over_a_socket_is_an_error_of_the_server(serve: Serve) -> None:
    seen = check(serve, [request.raw for request in list(requests())[::DAILY]])
    assert {b"200", b"400", b"401", b"404", b"405", b"413"} <= set(seen)


def test_forged_addresses_on_lines_of_their_own_evade_no_limit(tmp_path: Path) -> None:
    """Behind one proxy, which adds a line or a value; the server itself joins the lines."""
    body = b'{"code": "0000-0000"}'
    head = b"POST /api/v1/transfer HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    head += b"Content-Type: application/json\r\nContent-Length: %d\r\n" % len(body)
    forged = (b"", b"1.1.1.1\r\n", b"2.2.2.2\r\nX-Forwarded-For: 3.3.3.3\r\n", b'"\r\n', b",\r\n")
    environ = {"CHALLENGE_TRUSTED_PROXIES": "1", "CHALLENGE_GUESSES_PER_HOUR": "2"}
    with serving(tmp_path, "--port", "0", "--workers", "1", **environ) as running:
        seen = []
        for lines in forged:
            sent = head + (b"X-Forwarded-For: " + lines if lines else b"")
            sent += b"X-Forwarded-For: 203.0.113.7\r\n\r\n" + body
            seen.append(said(running, sent)[9:12])
        other = head + b"X-Forwarded-For: 198.51.100.9\r\n\r\n" + body
        assert said(running, other)[9:12] == b"404"
    assert seen == [b"404", b"404", b"429", b"429", b"429"]


@pytest.mark.soak
def test_no_hostile_request_at_all_over_a_socket_is_an_error_of_the_server(serve: Serve) -> None:
    check(serve, [request.raw for request in requests()])


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_bytes_at_all_are_an_error_of_the_server(serve: Serve) -> None:
    pieces = st.one_of(
        st.sampled_from(BYTES), st.sampled_from([request.raw for request in requests()])
    )

    @settings(max_examples=5000, deadline=None, suppress_health_check=list(HealthCheck))
    @given(pieces, st.lists(st.tuples(st.integers(0, 3000), st.binary(max_size=8)), max_size=4))
    def hold(sent: bytes, cuts: list[tuple[int, bytes]]) -> None:
        for at, more in cuts:
            sent = sent[:at] + more + sent[at + len(more) :]
        assert not said(serve, sent)[9:12].startswith(b"5")

    hold()
    assert said(serve, GET).startswith(b"HTTP/1.1 200 ")
