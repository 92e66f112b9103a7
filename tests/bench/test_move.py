"""What a move costs: CPU per request against a constant route, round trips, replay.

``pytest -m bench -s tests/bench/test_move.py``; ratios within one run, Linux only.
"""

from __future__ import annotations

import random
import statistics
import time
from datetime import date
from pathlib import Path

import pytest
import redis

from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.stream import Stream, seed_of
from tests.bench.servers import Server, gunicorn

pytestmark = pytest.mark.bench

GAMES = 4
ROUNDS = 30  # short and in turn, so that both meet the same moods of the machine
BOARD = "/api/v1/challenges/today/yacht/game"


def constant_cost(server: Server, requests: int) -> float:
    """CPU µs of one constant answer."""
    before = server.cpu_seconds()
    for _ in range(requests):
        server.ask("POST", "/constant", {"ply": 1, "hold": []})
    return (server.cpu_seconds() - before) / requests * 1e6


def move_cost(server: Server, rnd: random.Random) -> tuple[float, int]:
    """CPU µs of one move over whole games, and how many moves those were."""
    spent = moves = 0.0
    for _ in range(GAMES):
        token = server.ask("POST", "/api/v1/players", {})["token"]
        headers = {"Authorization": f"Bearer {token}"}
        view = server.ask("POST", BOARD, headers=headers)
        before = server.cpu_seconds()
        start = moves
        while not view["finished"]:
            moves += 1
            if view["rolls_left"] and (view["dice"] is None or rnd.random() < 0.8):
                hold = [] if view["dice"] is None else rnd.sample(range(5), rnd.randrange(5))
                body = {"ply": view["ply"], "hold": hold}
                view = server.ask("POST", f"{BOARD}/roll", body, headers)
            else:
                box = rnd.choice([b["box"] for b in view["boxes"] if b["legal"]])
                body = {"ply": view["ply"], "box": box}
                view = server.ask("POST", f"{BOARD}/score", body, headers)
        assert moves > start
        spent += server.cpu_seconds() - before
    return spent / moves * 1e6, int(moves)


def test_a_move_costs_little_more_cpu_than_a_constant_answer(valkey_url, tmp_path: Path) -> None:
    redis.Redis.from_url(valkey_url).flushall()
    env = {
        "CHALLENGE_REDIS_URL": valkey_url,
        "CHALLENGE_STREAM_SECRET": "bench" * 8,
        "CHALLENGE_SECRET_KEYS": "bench" * 8,
    }
    ratios, costs = [], []
    with (
        gunicorn("tests.bench.constant:app", str(tmp_path), **env) as constant,
        gunicorn("challenge.wsgi:app", str(tmp_path), **env) as samedice,
    ):
        constant_cost(constant, 500)
        for turn in range(ROUNDS):
            plain = constant_cost(constant, 300)
            move, _ = move_cost(samedice, random.Random(turn))
            ratios.append(move / plain)
            costs.append((plain, move))
    plain, move = (statistics.median(column) for column in zip(*costs, strict=True))
    print(
        f"constant {plain:.0f} µs, move {move:.0f} µs; median ratio of {ROUNDS} rounds "
        f"{statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    )
    assert statistics.median(ratios) <= 2.5


def test_a_move_takes_two_round_trips(services, clock, monkeypatch) -> None:
    player = services.players.new_id()
    day = clock().date()
    services.play.begin(player, day, "yacht", clock())
    sent: list[str] = []
    connection = type(services.store.link.redis.connection)
    original = connection.send_packed_command

    def count(self, command, *args, **kwargs):
        sent.append(repr(command)[:60])
        return original(self, command, *args, **kwargs)

    services.play.roll(player, day, "yacht", 0, [], clock())  # loads the script
    monkeypatch.setattr(connection, "send_packed_command", count)
    services.play.score(player, day, "yacht", 1, "chance", clock())
    print(*sent, sep="\n")
    assert len(sent) <= 2


@pytest.mark.parametrize("sheet", ["yacht", "yatzy", "maxi-yatzy", "yacht-triple"])
def test_replaying_a_full_log_is_quick(sheet: str) -> None:
    ruleset = rulesets.find(sheet)
    seed = seed_of(b"bench", date(2026, 11, 30), sheet)
    rnd = random.Random(sheet)
    stream, game = Stream(seed), rules.start(ruleset)
    while not game.finished:
        for _ in range(3):
            hold = rnd.randrange((1 << ruleset.dice) - 1) if game.dice else 0
            game = rules.roll(game, stream, hold)
        game = rules.score(game, rnd.choice(rules.legal_boxes(game)))
    times = []
    for _ in range(2000):
        start = time.perf_counter()
        rules.replay(ruleset, Stream(seed), game.log)
        times.append(time.perf_counter() - start)
    median = statistics.median(times) * 1e6
    print(f"{sheet}: {len(game.log)} actions replayed in {median:.0f} µs")
    assert median < 150 or len(game.log) > 80
