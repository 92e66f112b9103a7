"""Requests that break off on the way, sent byte by byte to a real server."""

from __future__ import annotations

import os
import select
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from gunicorn.http.errors import ParseException

from challenge.gunicorn_worker import HELD_AT_MOST
from challenge.web.arrival import LONGEST, LONGEST_HEAD, Arrival
from challenge.web.security import HEADERS, MAX_BODY
from tests.runtime.processes import PATIENCE, Serve, all_gone, serving, until

HEAD = (
    b"POST /api/v1/players HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    b"Content-Type: application/json\r\n"
)
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n"
STALLED = (
    b"GET / HTTP/1.1\r\nHost: loc",
    HEAD + b"Content-Length: 50\r\n\r\n{",
    HEAD + b"Content-Length: 00000000000000000050\r\n\r\n{",
    CHUNKED,
)
THREADS = 4
SLOW = 60  # clients at once, many times the threads
GET = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n"
CLOSE = b"Connection: close\r\n\r\n"
LARGE = b"GET /api/v1/commitments?days=366 HTTP/1.1\r\nHost: localhost\r\n"  # a megabyte


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


# -- slow ones ---------------------------------------------------------------------------


def test_clients_that_send_byte_by_byte_do_not_keep_out_the_others(serve: Serve) -> None:
    """Each of the slow ones is heard of again and again, so that none of them counts as silent."""
    slow = [(connected(serve, sent[:-1]), sent[-1:]) for sent in STALLED * (SLOW // len(STALLED))]
    try:
        for turn in range(5):
            for connection, last in slow:
                connection.sendall(b"X" if last != b"\n" else b"")
            said = answer(serve, GET + CLOSE)
            assert said.startswith(b"HTTP/1.1 200 "), (turn, said)
    finally:
        for connection, _ in slow:
            connection.close()


def test_a_request_in_pieces_is_answered_like_one_that_came_at_once(serve: Serve) -> None:
    body = b'{"name": "Mia"}'
    whole = HEAD + b"Content-Length: %d\r\n\r\n" % len(body) + body
    for size in (1, 7, 64):
        with connected(serve, b"") as connection:
            for at in range(0, len(whole), size):
                connection.sendall(whole[at : at + size])
            said = b"".join(iter(lambda: connection.recv(65536), b""))
        assert said.startswith(b"HTTP/1.1 201 "), said


def test_requests_one_behind_the_other_are_all_answered(serve: Serve) -> None:
    said = answer(serve, (GET + b"\r\n") * 5 + GET + CLOSE)
    assert said.count(b"HTTP/1.1 200 ") == 6


def test_who_waits_to_be_asked_for_the_body_is_asked(serve: Serve) -> None:
    head = HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n"
    with connected(serve, head) as connection:
        said = connection.recv(65536)
        assert said.startswith(b"HTTP/1.1 100 "), said
        connection.sendall(b"{}")
        said = b"".join(iter(lambda: connection.recv(65536), b""))
    assert said.startswith(b"HTTP/1.1 201 "), "and not asked twice"


def test_who_would_send_too_much_is_not_asked_for_it(serve: Serve) -> None:
    said = answer(serve, HEAD + b"expect:100-Continue\r\nContent-Length: 5000\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 413 "), said


def test_a_body_too_long_is_refused_without_waiting_for_it(serve: Serve) -> None:
    said = answer(serve, HEAD + b"Content-Length: 1000000\r\n\r\n{")
    assert said.startswith(b"HTTP/1.1 413 "), said
    said = answer(serve, HEAD + b"Content-Length: 3000000\r\n\r\n" + b"x" * 3_000_000)
    assert said.startswith(b"HTTP/1.1 413 "), "whoever sends all of it first hears of it, too"
    chunk = b"%x\r\n" % 3000 + b"x" * 3000 + b"\r\n"
    said = answer(serve, HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 4)
    assert said.startswith(b"HTTP/1.1 413 "), said


def test_what_does_not_come_to_an_end_is_hung_up_on(serve: Serve) -> None:
    slow = [connected(serve, sent) for sent in (*STALLED, GET)]
    for connection in slow:
        with connection:
            said = b"".join(iter(lambda: connection.recv(65536), b""))  # noqa: B023
        assert said.startswith(b"HTTP/1.1 408 "), said
        holds_all(said)


def test_clients_that_send_more_than_can_be_held_are_given_up(serve: Serve) -> None:
    head = GET + b"X: " + b"a" * (LONGEST_HEAD - 1000)
    large = [connected(serve, head) for _ in range(HELD_AT_MOST // len(head) + 20)]
    try:
        said = until(lambda: select.select(large, [], [], 0)[0])[0].recv(65536)
        assert said.startswith(b"HTTP/1.1 408 "), said
        assert answer(serve, GET + CLOSE).startswith(b"HTTP/1.1 200 ")
    finally:
        for connection in large:
            connection.close()


def test_clients_that_do_not_hang_up_keep_nobody_waiting(serve: Serve) -> None:
    """Were each waited for in turn the last of them would not be answered for minutes."""
    worker = serve.web_worker()
    kept = [connected(serve, GET + CLOSE) for _ in range(SLOW)]
    try:
        for connection in kept:
            assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
        assert answer(serve, GET + CLOSE).startswith(b"HTTP/1.1 200 ")
        assert serve.web_worker() == worker
        for connection in kept:
            until(lambda: _is_closed(connection))  # noqa: B023
    finally:
        for connection in kept:
            connection.close()


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other end is gone altogether, and not only done with answering."""
    try:
        connection.sendall(b"X")
    except ConnectionError:
        return True
    return False


def test_clients_that_do_not_read_keep_nobody_waiting(serve: Serve) -> None:
    """A thread waits ten seconds for each that takes no answer: for minutes if these had them."""
    many = (b"GET /assets/0/page.css HTTP/1.1\r\nHost: localhost\r\n\r\n") * 500
    deaf = [socket.socket() for _ in range(SLOW)]
    try:
        for connection in deaf:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", serve.port))
            connection.sendall(many)
        for _ in range(5):
            assert answer(serve, GET + CLOSE).startswith(b"HTTP/1.1 200 ")
    finally:
        for connection in deaf:
            connection.close()


def test_clients_that_do_not_read_a_large_answer_keep_nobody_waiting(serve: Serve) -> None:
    """It finds no room in the kernel, and a thread that waits for that is gone for seconds.

    Together these are more than a worker holds.
    """
    deaf = [socket.socket() for _ in range(SLOW)]
    try:
        for connection in deaf:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            connection.connect(("127.0.0.1", serve.port))
            connection.sendall(LARGE + b"\r\n" + GET + CLOSE)
        for _ in range(5):
            assert answer(serve, GET + CLOSE).startswith(b"HTTP/1.1 200 ")
        assert answer(serve, LARGE + CLOSE).endswith(b"}]}")  # there is room for who does read
    finally:
        for connection in deaf:
            connection.close()


def test_a_large_answer_arrives_whole_however_slowly_it_is_read(serve: Serve) -> None:
    """And what was asked behind it is answered after it."""
    expected = answer(serve, LARGE + CLOSE).partition(b"\r\n\r\n")[2]
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", serve.port))
        slow.sendall(LARGE + b"\r\n" + GET + CLOSE)
        said = b"".join(iter(lambda: slow.recv(4096), b""))
    body, _, behind = said.partition(b"\r\n\r\n")[2].partition(b"HTTP/1.1 200 ")
    assert body == expected
    assert behind.endswith(b'{"status":"ok"}')


def test_who_takes_nothing_of_an_answer_is_hung_up_on(serve: Serve) -> None:
    with connected(serve, LARGE + b"\r\n") as deaf:
        until(lambda: _is_closed(deaf))


def test_a_body_that_nobody_reads_gets_no_second_answer(serve: Serve) -> None:
    said = answer(serve, GET + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n" + GET + CLOSE)
    assert said.startswith(b"HTTP/1.1 200 ")
    assert said.count(b"HTTP/1.1 ") == 1


# -- what gunicorn itself refuses --------------------------------------------------------

REFUSED = {
    400: [
        b"\x16\x03\x01\x02\x00\x01\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n",
        b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
    ],
    414: [b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", b"a" * 5000],
    431: [
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"a" * 9000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: a\r\n" * 100 + b"\r\n",
        b"GET / HTTP/1.1\r\nX: " + b"a" * 70_000,
    ],
}


@pytest.mark.parametrize("status", REFUSED)
def test_what_gunicorn_refuses_carries_the_headers_of_every_answer(
    serve: Serve, status: int
) -> None:
    for sent in REFUSED[status]:
        said = answer(serve, sent)
        assert said.startswith(b"HTTP/1.1 %d " % status), (sent[:60], said[:200])
        holds_all(said)


def holds_all(said: bytes) -> None:
    """Assert that the headers of every answer are there."""
    head = said.partition(b"\r\n\r\n")[0].decode()
    for name, value in (*HEADERS, ("Cache-Control", "no-store")):
        assert f"\r\n{name}: {value}" in head, name


# -- when a request is there -------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "state"),
    [
        (b"", "partial"),
        (GET, "partial"),
        (GET + b"\r\n", "whole"),
        (HEAD + b"Content-Length: 2\r\n\r\n{", "partial"),
        (HEAD + b"content-length:2 \r\n\r\n{}", "whole"),
        (HEAD + b"Content-Length: 2\r\n\r\n{}GET /", "whole"),
        (HEAD + b"Content-Length: %d\r\n\r\n" % (MAX_BODY + 1), "oversize"),
        (HEAD + b"Content-Length: " + b"0" * 40 + b"2\r\n\r\n{", "partial"),
        (HEAD + b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n", "oversize"),
        (CHUNKED, "partial"),
        (CHUNKED + b"0\r\n", "partial"),
        (CHUNKED + b"0\r\nA: b\r\n", "partial"),
        (CHUNKED + b"0\r\nA: b\r\n\r\n", "whole"),
        (CHUNKED + b"0\r\n\r\n", "whole"),
        (CHUNKED + b"2;a=b\r\n{", "partial"),
        (CHUNKED + b"zz\r\n", "whole"),
        (CHUNKED + b"-1\r\n", "whole"),
        (CHUNKED + b"2\r\n{}XX", "whole"),
        (CHUNKED + (b"1000\r\n" + b"x" * 4096 + b"\r\n") * 3, "oversize"),
    ],
)
def test_a_request_is_there_when_its_last_byte_is(sent: bytes, state: str) -> None:
    assert Arrival(4094, sent).state() == state
    dripping, seen = Arrival(4094), "partial"
    for byte in sent:
        dripping.data.append(byte)
        seen = dripping.state()
    assert seen == state


@pytest.mark.parametrize(
    "sent",
    [
        b"x" * 5000,
        GET + b"X: " + b"a" * LONGEST,
        CHUNKED + b"1" * 200,
        CHUNKED + (b"1;" + b"x" * 90 + b"\r\n{\r\n") * (LONGEST // 90),
        CHUNKED + b"0\r\nA: " + b"x" * LONGEST,
    ],
)
def test_what_can_become_no_request_is_not_waited_for(sent: bytes) -> None:
    with pytest.raises(ParseException):
        Arrival(4094, sent).state()


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


@pytest.mark.skipif(sys.platform != "linux", reason="asks the system how far a process is")
def test_a_connection_just_accepted_is_answered_by_a_worker_that_stops(serve: Serve) -> None:
    with connected(serve, b"") as silent:
        assert answer(serve, GET + CLOSE).startswith(b"HTTP/1.1 200 ")  # so the worker has both
        stopping = serve.web_worker()
        os.kill(stopping, signal.SIGTERM)
        until(lambda: _has_heard(stopping))
        silent.sendall(GET + CLOSE)
        assert silent.recv(65536).startswith(b"HTTP/1.1 200 ")
    until(lambda: all_gone({stopping}))


def _has_heard(pid: int) -> bool:
    """Whether a process has no signal waiting and is at rest again."""
    status = Path(f"/proc/{pid}/status").read_text()
    said = dict(line.split(":", 1) for line in status.splitlines())
    waiting = int(said["SigPnd"], 16) | int(said["ShdPnd"], 16)
    return not waiting and said["State"].strip().startswith("S")
