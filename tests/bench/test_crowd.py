"""The crowd: nobody waits for others, latency counts from what was due, faults are retried."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from tests.bench.players import capacity
from tests.bench.players.capacity import Step
from tests.bench.players.crowd import Crowd, Manner
from tests.bench.players.tally import Latencies, Tally
from tests.bench.players.visits import Place, Request, Visit, by_api

GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
Handler = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def two_looks(_place, _rnd) -> Visit:
    """A visit of two requests."""
    yield Request("page", GET)
    yield Request("roll", GET, thinks=True)
    return True


def said(status: int) -> bytes:
    return b"HTTP/1.1 %d Word\r\nContent-Length: 2\r\n\r\nok" % status


@asynccontextmanager
async def crowd_at(handler: Handler, visit=two_looks):
    """A crowd before a server that does as it is told."""
    server = await asyncio.start_server(handler, "127.0.0.1", 0)
    address = server.sockets[0].getsockname()
    crowd = Crowd(address, Place("x", "/"), Manner(visit, think=0.001))
    yield crowd
    await crowd.clear()
    server.close()


async def until(found) -> None:
    async with asyncio.timeout(30):
        while not found():
            await asyncio.sleep(0.005)


def answering(*statuses: int) -> Handler:
    """Each of these in turn, the last one again and again, over kept connections."""
    left = list(statuses)

    async def handle(reader, writer) -> None:
        while await reader.readline():
            await reader.readuntil(b"\r\n\r\n")
            writer.write(said(left.pop(0) if len(left) > 1 else left[0]))

    return handle


def test_players_keep_coming_while_no_answer_comes() -> None:
    async def silent(reader, writer) -> None:
        await reader.read()

    async def see() -> Tally:
        async with crowd_at(silent) as crowd:
            crowd.go(rate=5000, seconds=0.01)
            await until(lambda: crowd.tally.arrived > 30)
            return crowd.cut()

    tally = asyncio.run(see())
    assert tally.all.count == 0
    assert tally.arrived > 30


def test_a_visit_is_played_to_its_end_on_one_connection() -> None:
    async def see() -> Tally:
        async with crowd_at(answering(200)) as crowd:
            crowd.go(rate=500, seconds=0.01)
            await until(lambda: crowd.tally.finished > 5)
            return crowd.cut()

    tally = asyncio.run(see())
    assert tally.latencies["page"].count >= tally.latencies["roll"].count >= tally.finished
    assert tally.opened <= tally.arrived
    assert tally.failed == 0


def test_a_503_is_counted_and_the_request_sent_again() -> None:
    async def see() -> Tally:
        async with crowd_at(answering(503, 200)) as crowd:
            crowd.go(rate=100, seconds=0.01)
            await until(lambda: crowd.tally.statuses[200] and crowd.tally.latencies)
            await until(lambda: crowd.tally.all.most >= 1)
            return crowd.cut()

    tally = asyncio.run(see())
    assert tally.statuses[503] == 1
    assert tally.faults == 1
    assert tally.all.most >= 1  # from when it was due, the pause included


def test_a_connection_closed_while_nobody_asked_is_opened_again_without_an_error() -> None:
    async def once(reader, writer) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(said(200))
        await writer.drain()
        writer.close()

    async def see() -> Tally:
        async with crowd_at(once) as crowd:
            crowd.go(rate=300, seconds=0.01)
            await until(lambda: crowd.tally.finished > 3)
            return crowd.cut()

    tally = asyncio.run(see())
    assert tally.opened > tally.finished
    assert tally.failed == 0


def test_what_no_player_should_get_is_an_error() -> None:
    async def see() -> Tally:
        async with crowd_at(answering(404), by_api) as crowd:
            crowd.go(rate=300, seconds=0.01)
            await until(lambda: crowd.tally.errors)
            return crowd.cut()

    tally = asyncio.run(see())
    assert "Unexpected: status 404" in tally.errors
    assert tally.failed > 0


def test_quantiles_are_exact_to_one_per_cent() -> None:
    found = Latencies()
    for number in range(1, 1001):
        found.add(number / 1000)
    other = Latencies()
    other.take(found)
    for share in (0.01, 0.5, 0.99, 0.999, 1.0):
        assert other.quantile(share) == pytest.approx(share, rel=0.011)
    assert other.most == 1.0
    assert Latencies().quantile(0.5) == 0.0


def test_where_nothing_is_answered_no_capacity_is_found_and_it_says_so(monkeypatch) -> None:
    async def silent(reader, writer) -> None:
        await reader.read()

    async def see() -> None:
        async with crowd_at(silent) as crowd:
            await capacity.find(lambda: crowd, 400, told.append)

    told: list[str] = []
    monkeypatch.setattr(capacity, "SETTLE", 0.02)
    monkeypatch.setattr(capacity, "MEASURE", 0.02)
    with pytest.raises(RuntimeError, match="not even 25 moves a second"):
        asyncio.run(see())
    assert len(told) == capacity.HALVINGS
    assert all(line.endswith("too much") for line in told)


@pytest.mark.parametrize(
    ("step", "good"),
    [
        (Step(100, 99, 0.01, 0.25, 0), True),
        (Step(100, 99, 0.01, 0.26, 0), False),
        (Step(100, 90, 0.01, 0.02, 0), False),
        (Step(100, 99, 0.01, 0.02, 1), False),
    ],
)
def test_a_step_is_good_if_all_of_it_was_answered_in_time(step, good) -> None:
    assert step.good is good
