"""What the machine and the store spend: processors and memory by group, Redis by command."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis

from tests.bench.servers import cpu_of, tree

PAGE = os.sysconf("SC_PAGE_SIZE")
TICK = os.sysconf("SC_CLK_TCK")
OF_A_MOVE = ("evalsha", "hget")
WORDS = {"gunicorn": "web", "worker": "worker"}  # of a command line -> group


@dataclass(frozen=True, slots=True)
class StoreReading:
    """Counters of all nodes added up: µs and calls by command, CPU seconds, bytes."""

    spent: dict[str, float]
    calls: dict[str, int]
    cpu: float
    memory: int
    aof: int
    received: int
    sent: int


@dataclass(frozen=True, slots=True)
class Reading:
    """One look at everything: CPU seconds and resident MB by group, the machine's own."""

    at: float
    cpu: dict[str, float]
    rss: dict[str, float]
    idle: float
    whole: float
    store: StoreReading


class Watch:
    """Looks at a ``serve`` and its store from outside; the looker is the group ``client``."""

    def __init__(
        self, serve: int, nodes: Sequence[redis.Redis], replicas: Sequence[int] = ()
    ) -> None:
        self._serve = serve
        self._nodes = nodes
        self._replicas = replicas
        self._store = [int(_info(node, "server")["process_id"]) for node in nodes]

    def look(self) -> Reading:
        """Now."""
        groups = self._groups()
        idle, whole = _machine()
        return Reading(
            at=time.monotonic(),
            cpu={name: _sum(cpu_of, pids) for name, pids in groups.items()},
            rss={name: _sum(_rss, pids) for name, pids in groups.items()},
            idle=idle,
            whole=whole,
            store=store_reading(self._nodes),
        )

    def _groups(self) -> dict[str, list[int]]:
        """Group -> its processes; found anew each time, since one may have been restarted."""
        found: dict[str, list[int]] = {"client": [os.getpid()], "store": list(self._store)}
        if self._replicas:
            found["replicas"] = list(self._replicas)
        for pid in tree(self._serve):
            if pid not in self._store:
                found.setdefault(self._name(pid), []).append(pid)
        return found

    def _name(self, pid: int) -> str:
        if pid == self._serve:
            return "serve"
        line = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
        return next((name for word, name in WORDS.items() if word in line), "serve")


def _sum(measure: Any, pids: Sequence[int]) -> float:
    total = 0.0
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):  # it has just ended
            total += measure(pid)
    return total


def _rss(pid: int) -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1e6


def _machine() -> tuple[float, float]:
    """Idle seconds and all seconds of all processors."""
    ticks = [int(each) for each in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]]
    return (ticks[3] + ticks[4]) / TICK, sum(ticks) / TICK


def _info(node: redis.Redis, *sections: str) -> dict[str, Any]:
    found: Any = node.info(*sections)
    return dict(found)


def store_reading(nodes: Sequence[redis.Redis]) -> StoreReading:
    """The counters of all nodes by now."""
    told = [_info(node, "commandstats", "cpu", "memory", "persistence", "stats") for node in nodes]
    spent: dict[str, float] = {}
    calls: dict[str, int] = {}
    for one in told:
        for name, value in one.items():
            if name.startswith("cmdstat_"):
                command = name.removeprefix("cmdstat_")
                spent[command] = spent.get(command, 0.0) + value["usec"]
                calls[command] = calls.get(command, 0) + value["calls"]
    return StoreReading(
        spent=spent,
        calls=calls,
        cpu=sum(one["used_cpu_user"] + one["used_cpu_sys"] for one in told),
        memory=sum(one["used_memory"] for one in told),
        aof=sum(one.get("aof_current_size", 0) for one in told),
        received=sum(one["total_net_input_bytes"] for one in told),
        sent=sum(one["total_net_output_bytes"] for one in told),
    )
