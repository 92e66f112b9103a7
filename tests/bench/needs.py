"""The sums behind ``deploy/scaling.md``: from measured figures to what a large service needs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any, NamedTuple

from redis.crc import key_slot

from challenge.store.keys import BoardId

PLAYERS = 10_000_000  # finish a game each day, of the default sheet
PEAK = 0.25  # of the day's games fall into the busiest hour
HOUR = 3600
YEAR = 365
RETENTION = 30  # days, where boards are compacted
WEB_BUSY = 0.6  # of a web processor at the peak
STORE_BUSY = 0.4  # of a Redis processor at the peak
NODE_GB = 32  # of memory used on a node; a machine of 64 rewrites its log beside it
COPIES = 2  # a master and a replica
CHOICES = (16, 32, 64)  # numbers of shards
MOST_BUSY = 0.8  # of the processor of the busiest node
SLOTS = 16384


class Needs(NamedTuple):
    """What the figures come to; rates a second at the peak, sizes in bytes."""

    moves: float
    requests: float
    cores: float
    store_cores: float
    shards: int
    day: float
    year: float
    compacted: float
    nodes: int
    network: float
    log_a_day: float


def needs(figures: Mapping[str, Any]) -> Needs:
    """The sums behind the tables."""
    run, memory = figures["run"], figures["memory"]
    moves = PLAYERS * PEAK / HOUR * figures["model"]["actions_per_game"]
    board = memory["log"] + memory["score"]
    records = PLAYERS * YEAR * memory["record_of_a_year"]
    compacted = PLAYERS * (RETENTION + 1) * board + records
    store_cores = moves * store_run(figures)["redis"]["cpu_us"] / 1e6
    by_moves, by_memory = store_cores / STORE_BUSY, compacted / (NODE_GB * 1e9)
    nodes = max(math.ceil(by_moves), math.ceil(by_memory), 3)
    return Needs(
        moves=moves,
        requests=moves * run["requests_per_move"],
        cores=moves * run["cpu_us_per_move"]["web"] / 1e6 / WEB_BUSY,
        store_cores=store_cores,
        shards=shards_for(nodes, store_cores / nodes),
        day=PLAYERS * memory["finished_game"],
        year=PLAYERS * YEAR * board + records,
        compacted=compacted,
        nodes=nodes,
        network=moves * run["network_bytes_per_move"]["out"] * 8,
        log_a_day=PLAYERS
        * figures["model"]["actions_per_game"]
        * store_run(figures)["redis"]["aof_bytes"],
    )


def shards_for(nodes: int, busy: float) -> int:
    """The fewest shards that keep the busiest node below :data:`MOST_BUSY`; ``busy`` is what
    the moves take of each node's processor on average."""
    enough = (each for each in CHOICES if times_even(nodes, each) * busy <= MOST_BUSY)
    return next(enough, CHOICES[-1])


def times_even(nodes: int, shards: int) -> float:
    """How many times its even share the busiest node gets."""
    return nodes * busiest_share(nodes, shards)


def store_run(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The run that says what Redis spends: on a cluster where there is one, as a service of
    that size would have."""
    found: dict[str, Any] = figures.get("cluster", figures)["run"]
    return found


@cache
def busiest_share(nodes: int, shards: int) -> float:
    """Share of a day's board on the node that gets most of it, on average over a year.

    A shard lies where the hash of its tag falls; each node has an equal range of slots.
    """
    found = []
    for back in range(YEAR):
        board = BoardId(date(2026, 1, 1) + timedelta(days=back), "yacht")
        at = Counter(
            key_slot(shard.games.encode()) * nodes // SLOTS for shard in board.shards(shards)
        )
        found.append(max(at.values()) / shards)
    return sum(found) / len(found)
