"""A connection serves one command after another, and no answer goes to the wrong one."""

from __future__ import annotations

import os
import random
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from redis.exceptions import RedisError

from challenge.errors import StoreUnavailable
from challenge.store import patience
from challenge.store.client import Script
from challenge.store.link import Link
from tests.marks import long
from tests.runtime.processes import until
from tests.store.topologies import Replicated, Topology

THREADS = 6


def test_a_pool_gives_no_connection_away_that_has_an_answer_left(topology: Topology) -> None:
    link = Link(topology.url)
    link.redis.set("key", "value")
    pool = link.redis.connection_pool
    connection = pool.get_connection()
    connection.send_command("PING")
    until(connection.can_read)
    pool.release(connection)
    again = pool.get_connection()
    assert again is connection
    again.send_command("ECHO", "mine")
    assert again.read_response() == b"mine"


def test_a_new_process_makes_connections_of_its_own(topology: Topology) -> None:
    link = Link(topology.url)
    link.redis.set("key", "value")
    kept = link.redis
    child = os.fork()
    if not child:
        right = False
        with suppress(BaseException):
            right = link.redis is not kept and link.redis.get("key") == b"value"
        os._exit(not right)
    assert link.redis is kept
    for number in range(100):  # while the other one asks
        link.redis.set("other", number)
        assert link.redis.get("other") == str(number).encode()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert link.redis.get("key") == b"value"


@pytest.mark.parametrize("rounds", [6, long(400)])
def test_no_answer_goes_to_another_command_while_servers_hang(
    topology: Topology, rounds: int
) -> None:
    """Commands, pipelines over all servers and scripts, each within the time of a request,
    while servers are stopped in the middle of them and answer late."""
    link, over = Link(topology.url), threading.Event()
    for key in range(40):
        link.redis.set(f"own{key}", f"own{key}")
    with ThreadPoolExecutor(THREADS) as pool:
        asked = [pool.submit(_ask, link, seed, over) for seed in range(THREADS)]
        rnd = random.Random(rounds)
        try:
            for _ in range(rounds):
                _hang(rnd.choice(topology.masters() or topology.servers), rnd, over)
        finally:
            over.set()
        found = [each.result() for each in asked]
    if isinstance(topology, Replicated):
        until(topology.settled)
    assert all(right > 0 for right, _ in found)
    assert [wrong for _, wrong in found] == [[]] * THREADS


def _hang(server, rnd: random.Random, over: threading.Event) -> None:
    """A server is stopped for longer or shorter than an answer is waited for."""
    os.kill(server.pid, signal.SIGSTOP)
    try:
        over.wait(rnd.choice([0.01, 0.1, 0.45, 0.7]))
    finally:
        os.kill(server.pid, signal.SIGCONT)
    over.wait(rnd.choice([0.005, 0.05, 0.3]))


def _ask(link: Link, seed: int, over: threading.Event) -> tuple[int, list[object]]:
    """How many answers were right, and those that were not."""
    rnd, right, wrong = random.Random(seed), 0, []
    script = Script(link, "confirm")
    while not over.is_set():
        patience.begin()
        patience.mine.left = rnd.choice([0.02, 0.2, patience.BUDGET])
        with suppress(RedisError, OSError, StoreUnavailable):
            for _ in range(rnd.randrange(1, 5)):
                key = f"own{rnd.randrange(40)}"
                if link.redis.get(key) != key.encode():
                    wrong.append(key)
                names = [f"own{number}" for number in rnd.sample(range(40), 12)]
                pipe = link.redis.pipeline(transaction=False)
                for name in names:
                    pipe.get(name)
                for name, answer in zip(names, pipe.execute(raise_on_error=False), strict=True):
                    if not isinstance(answer, Exception) and answer != name.encode():
                        wrong.append((name, answer))
                if script([f"none{key}"], ["nobody"]) != 0:
                    wrong.append("script")
                whole = link.redis.pipeline(transaction=True)
                whole.get(key)
                whole.exists(key)
                if whole.execute() != [key.encode(), 1]:
                    wrong.append(("whole", key))
                right += 1
        patience.end()
    return right, wrong
