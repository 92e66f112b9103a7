"""What a run came to, as figures with names and as lines to read."""

from __future__ import annotations

import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import redis

from tests.bench.players.tally import Latencies, Tally
from tests.bench.players.watch import OF_A_MOVE, Reading

Figures = dict[str, Any]


def figures(tally: Tally, looks: Sequence[Reading]) -> Figures:
    """Everything of a run that was counted in ``tally`` and looked at now and then."""
    first, last = looks[0], looks[-1]
    seconds = last.at - first.at
    moves, every = tally.moves, tally.all
    return {
        "seconds": round(seconds, 1),
        "moves": moves.count,
        "moves_per_second": round(moves.count / seconds, 1),
        "requests": every.count,
        "requests_per_second": round(every.count / seconds, 1),
        "requests_per_move": round(every.count / max(1, moves.count), 3),
        "arrived": tally.arrived,
        "finished": tally.finished,
        "opened_connections": tally.opened,
        "status_5xx": tally.faults,
        "statuses": {str(status): count for status, count in sorted(tally.statuses.items())},
        "errors": dict(tally.errors),
        "latency_ms": {
            "all": _shown(every),
            "moves": _shown(moves),
            **{kind: _shown(found) for kind, found in sorted(tally.latencies.items())},
        },
        "sender_late_ms": _shown(tally.late),
        "network_bytes_per_move": {
            "in": round(tally.bytes_out / max(1, moves.count)),
            "out": round(tally.bytes_in / max(1, moves.count)),
        },
        "cpu_us_per_move": _per_move(first, last, moves.count),
        "cores": _cores(first, last),
        "redis": _redis(looks, moves.count),
        "bytes_per_finished_game": _growth(first, last, tally.finished),
        "rss_mb": _memory(looks),
    }


def _shown(found: Latencies) -> Figures:
    named = {"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999}
    quantiles = {name: round(found.quantile(q) * 1e3, 2) for name, q in named.items()}
    return {"count": found.count, **quantiles, "most": round(found.most * 1e3, 2)}


def _per_move(first: Reading, last: Reading, moves: int) -> Figures:
    spent = {name: last.cpu[name] - first.cpu.get(name, 0.0) for name in last.cpu}
    return {name: round(seconds / max(1, moves) * 1e6, 1) for name, seconds in spent.items()}


def _cores(first: Reading, last: Reading) -> Figures:
    """Processors kept busy by each group, and idle ones."""
    span = last.at - first.at
    busy = {name: (last.cpu[name] - first.cpu.get(name, 0.0)) / span for name in last.cpu}
    number = os.cpu_count() or 1
    idle = (last.idle - first.idle) / max(1e-9, last.whole - first.whole) * number
    return {
        "machine": number,
        **{name: round(each, 3) for name, each in busy.items()},
        "idle": round(idle, 3),
    }


def _redis(looks: Sequence[Reading], moves: int) -> Figures:
    """Per move; a command's time is its execution alone, ``cpu_us`` is all of the process.

    What a script calls is counted with the script and once more by its own name: the sum of
    the two commands of a move is therefore an upper bound.
    """
    old, new = looks[0].store, looks[-1].store
    spent = {name: new.spent[name] - old.spent.get(name, 0.0) for name in new.spent}
    calls = {name: new.calls[name] - old.calls.get(name, 0) for name in new.calls}
    many = max(1, moves)
    return {
        "cpu_us": round((new.cpu - old.cpu) / many * 1e6, 1),
        "commands_us": round(sum(spent.get(name, 0.0) for name in OF_A_MOVE) / many, 2),
        "us_per_call": {
            name: round(spent[name] / calls[name], 2)
            for name in sorted(spent, key=lambda name: -spent[name])[:10]
            if calls[name]
        },
        "calls_per_move": {
            name: round(calls[name] / many, 3) for name in OF_A_MOVE if name in calls
        },
        "memory_growth": new.memory - old.memory,
        "memory_mb": [round(old.memory / 1e6, 1), round(new.memory / 1e6, 1)],
        "aof_bytes": round(_written(looks) / many, 1),
        "received_bytes": round((new.received - old.received) / many, 1),
        "sent_bytes": round((new.sent - old.sent) / many, 1),
    }


def _written(looks: Sequence[Reading]) -> int:
    """Bytes added to the append-only files; a rewriting makes one shorter meanwhile."""
    steps = pairwise(looks)
    return sum(max(0, new.store.aof - old.store.aof) for old, new in steps)


def _growth(first: Reading, last: Reading, games: int) -> float | None:
    """Of ``used_memory``; as many games are amid play at the end as at the start."""
    return round((last.store.memory - first.store.memory) / games, 1) if games else None


def _memory(looks: Sequence[Reading]) -> Figures:
    """Resident MB of each group at the start, in the middle, at the end, and over time."""
    some = looks[:: max(1, len(looks) // 60)]
    return {
        name: {
            "start": round(looks[0].rss[name], 1),
            "middle": round(looks[len(looks) // 2].rss.get(name, 0.0), 1),
            "end": round(looks[-1].rss.get(name, 0.0), 1),
            "over_time": [round(look.rss.get(name, 0.0), 1) for look in some],
        }
        for name in looks[0].rss
    }


def machine(nodes: Sequence[redis.Redis]) -> Figures:
    """What it was measured on."""
    info: Any = nodes[0].info("server")
    store = info.get("valkey_version") or info["redis_version"]
    meminfo = Path("/proc/meminfo").read_text().split()
    return {
        "processors": os.cpu_count(),
        "kind": _processor(),
        "memory_gb": round(int(meminfo[1]) / 1e6),
        "python": platform.python_version(),
        "gunicorn": version("gunicorn"),
        "store": f"{info.get('server_name', 'redis')} {store}",
        "nodes": len(nodes),
        "appendfsync": nodes[0].config_get("appendfsync")["appendfsync"],
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(
        (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), "?"
    )


def text(report: Figures) -> str:
    """The report in a few lines."""
    run, model = report["run"], report["model"]
    every, moves = run["latency_ms"]["all"], run["latency_ms"]["moves"]
    lines = [
        f"{model['by']}: {run['moves']:,} moves in {run['seconds']:.0f} s, "
        f"{run['moves_per_second']:.0f} a second ({run['requests_per_second']:.0f} requests); "
        f"{run['arrived']:,} players came, {run['finished']:,} games finished",
        f"latency of moves p50 {moves['p50']} ms, p99 {moves['p99']} ms, p99.9 "
        f"{moves['p99.9']} ms, most {moves['most']} ms; of all p99 {every['p99']} ms",
        f"5xx {run['status_5xx']}, errors {run['errors'] or 'none'}; the sender was late by "
        f"{run['sender_late_ms']['p99']} ms at p99",
        f"CPU µs a move: {_list(run['cpu_us_per_move'])}",
        f"processors busy: {_list(run['cores'])}",
        f"Redis a move: {run['redis']['cpu_us']} µs of its processor, commands "
        f"{run['redis']['commands_us']} µs, {run['redis']['aof_bytes']} bytes of log; "
        f"{run['bytes_per_finished_game']} bytes of memory a finished game",
        "resident MB at start, middle, end: "
        + "; ".join(
            f"{name} {each['start']} {each['middle']} {each['end']}"
            for name, each in run["rss_mb"].items()
        ),
    ]
    if report.get("capacity"):
        lines.insert(0, f"capacity {report['capacity']['moves_per_second']:.0f} moves a second")
    return "\n".join(lines)


def _list(found: Figures) -> str:
    return ", ".join(f"{name} {value}" for name, value in found.items())
