"""What a review costs a web process: CPU time and memory, the first one and those after it.

``pytest -m bench -s tests/bench/test_review.py``; the product's own gunicorn, Linux only.
"""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import redis

from challenge.game import rulesets
from challenge.service.solved import Solved
from tests.bench.servers import Server, gunicorn, tree

pytestmark = pytest.mark.bench

GAMES = 20


def play(server: Server, board: str, rnd: random.Random) -> dict[str, str]:
    """A game of the archive by chance; what its player sends."""
    headers = {"Authorization": f"Bearer {server.ask('POST', '/api/v1/players', {})['token']}"}
    view: Any = server.ask("POST", board, headers=headers)
    while not view["finished"]:
        if view["rolls_left"] and (view["dice"] is None or rnd.random() < 0.7):
            hold = [] if view["dice"] is None else rnd.sample(range(5), rnd.randrange(5))
            body = {"ply": view["ply"], "hold": hold}
            view = server.ask("POST", f"{board}/roll", body, headers)
        else:
            box = rnd.choice([each["box"] for each in view["boxes"] if each["legal"]])
            view = server.ask("POST", f"{board}/score", {"ply": view["ply"], "box": box}, headers)
    return headers


def megabytes(server: Server) -> float:
    """What the master and its worker hold, shared pages by their share."""
    files = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in tree(server.process.pid)]
    lines = [line for text in files for line in text.splitlines() if line.startswith("Pss:")]
    return sum(int(line.split()[1]) for line in lines) / 1024


def milliseconds(server: Server, call: Callable[[], object]) -> float:
    """CPU time of the server for a call."""
    before = server.cpu_seconds()
    call()
    return (server.cpu_seconds() - before) * 1000


@pytest.mark.parametrize(("default", "sheet"), [("yacht", "yacht"), ("yacht", "yatzy")])
def test_a_review_takes_little_time_and_memory(
    valkey_url: str, tmp_path: Path, default: str, sheet: str
) -> None:
    redis.Redis.from_url(valkey_url).flushall()
    for name in {default, sheet}:
        Solved(tmp_path / "solver").solve(rulesets.find(name), lambda _done, _states: None)
    env = {
        "CHALLENGE_REDIS_URL": valkey_url,
        "CHALLENGE_STREAM_SECRET": "bench" * 8,
        "CHALLENGE_SECRET_KEYS": "bench" * 8,
    }
    board = f"/api/v1/challenges/2026-01-05/{sheet}/game"
    rnd = random.Random(sheet)
    with gunicorn("challenge.wsgi:app", str(tmp_path), **env) as server:
        players = [play(server, board, rnd) for _ in range(GAMES)]
        before = megabytes(server)
        costs = [
            milliseconds(server, lambda h=headers: server.ask("GET", f"{board}/review", None, h))
            for headers in players
        ]
        growth = megabytes(server) - before
    print(
        f"{sheet}: {costs[0]:.0f} ms CPU the first time in a process, "
        f"{statistics.median(costs[1:]):.1f} ms from then on, {growth:.1f} MB more"
    )
    assert max(costs) <= 150
    assert growth <= 40
