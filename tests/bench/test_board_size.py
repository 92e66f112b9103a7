"""Rank, page, neighbourhood and the last entry cost the same at 1,000 and at 1,000,000 players.

``pytest -m bench -s tests/bench/test_board_size.py``; ratios within one run.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from datetime import date

import pytest
import redis

from challenge.game.log import Entry, encode
from challenge.service.days import Board
from challenge.service.services import Services
from tests.bench.fill import fill, new_player

pytestmark = [pytest.mark.bench, pytest.mark.timeout(0)]

DAY = date(2026, 11, 30)
TIMES = 400
LAST = encode(Entry(0))


def cost(call: Callable[[], object]) -> float:
    """Median µs."""
    times = []
    for _ in range(TIMES):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def last_entries(services: Services, client: redis.Redis, board: Board) -> Iterator[str]:
    """Players one entry short of a finished game."""
    rnd, shard = random.Random(9), board.id.shards(1)[0]
    players = [new_player(rnd) for _ in range(TIMES)]
    client.hset(shard.games, mapping=dict.fromkeys(players, b"A" * 51))
    return iter(players)


def costs(services: Services, client: redis.Redis, board: Board, me: str) -> dict[str, float]:
    """Median µs of what a finish and the pages after it ask for."""
    day, sheet, now = board.id.day, board.id.ruleset, services.clock()
    standings, boards, games = services.standings, services.store.boards, services.store.games
    waiting, rnd = last_entries(services, client, board), random.Random(5)
    move = {"ply": 51, "action": LAST, "counts": True}

    def finish() -> None:
        outcome = games.move(board.id, 1, next(waiting), final=rnd.randrange(100, 300), **move)
        assert outcome.status == "counted"

    return {
        "rank": cost(lambda: standings.leaderboard(day, sheet, me, now, limit=1)),
        "histogram": cost(lambda: boards.histogram(board.id, 1)),
        "distribution": cost(lambda: standings.distribution(day, sheet, now)),
        "first page": cost(lambda: standings.leaderboard(day, sheet, me, now, limit=20)),
        "a deep page": cost(
            lambda: standings.leaderboard(day, sheet, me, now, limit=20, offset=900)
        ),
        "around me": cost(
            lambda: standings.leaderboard(day, sheet, me, now, limit=20, around_me=True)
        ),
        "last entry": cost(finish),
    }


def test_what_a_board_is_asked_does_not_grow_with_it(services, valkey) -> None:
    valkey.config_set("appendonly", "no")
    found = {}
    for sheet, players in {"yacht-plain": 1_000, "yacht": 1_000_000}.items():
        board = services.days.opened(services.days.board(DAY, sheet, services.clock()))
        filled = fill(valkey, services, board, players)
        found[sheet] = costs(services, valkey, board, next(iter(filled.some)))
    ratios = {}
    for name, large in found["yacht"].items():
        small = found["yacht-plain"][name]
        ratios[name] = large / small
        print(f"{name}: {small:.0f} µs at 1,000, {large:.0f} µs at 1,000,000: {ratios[name]:.2f}")
    print(f"Valkey holds {valkey.info('memory')['used_memory'] / 1e6:.0f} MB")
    valkey.config_set("appendonly", "yes")
    assert max(ratios.values()) <= 2
