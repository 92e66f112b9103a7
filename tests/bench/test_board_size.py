"""Rank, percentile and histogram cost the same at 1,000 and at 1,000,000 players.

``pytest -m bench -s tests/bench/test_board_size.py``; ratios within one run.
"""

from __future__ import annotations

import base64
import random
import statistics
import time
from collections import Counter
from collections.abc import Callable
from datetime import date

import pytest
import redis

from challenge.store.keys import BoardId
from tests.service.players import begin

pytestmark = pytest.mark.bench

DAY = date(2026, 11, 30)
BATCH = 10_000


def fill(valkey: redis.Redis, sheet: str, players: int) -> str:
    """Finished games by the thousand, past the scripts; one of the players."""
    shard = BoardId(DAY, sheet).shards(1)[0]
    rnd = random.Random(sheet)
    counts: Counter[int] = Counter()
    player = ""
    for start in range(0, players, BATCH):
        pipe = valkey.pipeline(transaction=False)
        rows = {}
        for _ in range(min(BATCH, players - start)):
            player = base64.urlsafe_b64encode(rnd.randbytes(16)).decode().rstrip("=")
            score = max(0, min(350, int(rnd.gauss(210, 45))))
            counts[score] += 1
            rows[player] = -score
        pipe.zadd(shard.scores, rows)
        pipe.hset(shard.games, mapping={member: rnd.randbytes(52) for member in rows})
        pipe.execute()
    valkey.hset(shard.histogram, mapping={str(s): n for s, n in counts.items()})
    return player


def cost(call: Callable[[], object]) -> float:
    """Median µs."""
    times = []
    for _ in range(400):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e6


def test_rank_percentile_and_histogram_do_not_grow_with_the_board(services, valkey, clock) -> None:
    valkey.config_set("appendonly", "no")
    sheets = {"yacht-plain": 1_000, "yacht": 1_000_000}
    reads: dict[str, dict[str, float]] = {}
    for sheet, players in sheets.items():
        begin(services, "A" * 22, DAY, sheet)
        start = time.perf_counter()
        me = fill(valkey, sheet, players)
        print(f"{players:,} players filled in {time.perf_counter() - start:.0f} s")
        board, store, standings = BoardId(DAY, sheet), services.store, services.standings
        reads[sheet] = {
            "histogram": cost(lambda b=board, s=store: s.boards.histogram(b, 1)),
            "distribution": cost(lambda n=sheet, s=standings: s.distribution(DAY, n, clock())),
            "first page": cost(
                lambda n=sheet, m=me, s=standings: s.leaderboard(DAY, n, m, clock(), limit=20)
            ),
            "around me": cost(
                lambda n=sheet, m=me, s=standings: s.leaderboard(
                    DAY, n, m, clock(), limit=20, around_me=True
                )
            ),
        }
    ratios = {}
    for name, large in reads["yacht"].items():
        small = reads["yacht-plain"][name]
        ratios[name] = large / small
        print(f"{name}: {small:.0f} µs at 1,000, {large:.0f} µs at 1,000,000: {ratios[name]:.2f}")
    used = valkey.info("memory")["used_memory"]
    print(f"Valkey holds {used / 1e6:.0f} MB")
    assert max(ratios.values()) <= 2
