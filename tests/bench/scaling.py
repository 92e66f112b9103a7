"""What ten million players a day need, from measured figures.

``python -m tests.bench.scaling deploy/scaling.json`` prints the tables of ``deploy/scaling.md``;
with ``--take FILE`` (a report of ``tests.bench.players``, or what ``test_memory.py`` noted)
the figures are renewed first, and with ``--write`` both files are written.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import click
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
SHARDS = 16
SLOTS = 16384

MARKS = re.compile(r"(<!-- (\w+): made by [^\n]*-->\n).*?(<!-- end -->)", re.DOTALL)


class Row(NamedTuple):
    """One line of a table."""

    what: str
    how: str
    result: str


class Needs(NamedTuple):
    """What the figures come to; rates a second at the peak, sizes in bytes."""

    moves: float
    requests: float
    cores: float
    store_cores: float
    busiest: float
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
    store_cores = moves * run["redis"]["cpu_us"] / 1e6
    return Needs(
        moves=moves,
        requests=moves * run["requests_per_move"],
        cores=moves * run["cpu_us_per_move"]["web"] / 1e6 / WEB_BUSY,
        store_cores=store_cores,
        busiest=busiest_share(3, SHARDS),
        day=PLAYERS * memory["finished_game"],
        year=PLAYERS * YEAR * board + records,
        compacted=compacted,
        nodes=max(math.ceil(store_cores / STORE_BUSY), math.ceil(compacted / (NODE_GB * 1e9)), 3),
        network=moves * run["network_bytes_per_move"]["out"] * 8,
        log_a_day=PLAYERS * figures["model"]["actions_per_game"] * run["redis"]["aof_bytes"],
    )


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


# -- the tables ------------------------------------------------------------------------


def measured(figures: Mapping[str, Any]) -> Iterator[Row]:
    """What was measured, and how."""
    run, memory, machine = figures["run"], figures["memory"], figures["machine"]
    model, redis = figures["model"], run["redis"]
    yield Row(
        "machine",
        f"{machine['processors']} processors ({machine['kind']}), {machine['memory_gb']} GB; "
        f"{machine['store']}, Python {machine['python']}, gunicorn {machine['gunicorn']}",
        f"{run['seconds'] / 60:.0f} min",
    )
    if figures.get("capacity"):
        yield Row(
            "capacity of that machine",
            "moves a second before p99 passes 250 ms, the sender on the same processors",
            f"{figures['capacity']['moves_per_second']:.0f}/s",
        )
    yield Row("run at", f"{_number(run['moves'])} moves", f"{run['moves_per_second']:.0f}/s")
    moves = run["latency_ms"]["moves"]
    yield Row(
        "latency of a move",
        "p50, p99, p99.9, from when it was due",
        f"{moves['p50']:.1f}, {moves['p99']:.1f}, {moves['p99.9']:.1f} ms",
    )
    yield Row("answers of 500 and above", "", str(run["status_5xx"]))
    yield Row(
        "actions of a game",
        "13 entries, and rolls on nine times out of ten",
        f"{model['actions_per_game']:.1f}",
    )
    yield Row(
        "web processor",
        "a move, all pages of the visit included",
        f"{run['cpu_us_per_move']['web']:.0f} µs",
    )
    yield Row(
        "Redis processor",
        f"a move, network and log included; its commands alone {redis['commands_us']:.0f} µs",
        f"{redis['cpu_us']:.0f} µs",
    )
    yield Row("log on disk", "a move, before rewriting", f"{redis['aof_bytes']:.0f} bytes")
    yield Row(
        "a finished game in Redis",
        f"log {memory['log']:.0f}, score {memory['score']:.0f}, record {memory['record']:.0f}",
        f"{memory['finished_game']:.0f} bytes",
    )
    yield Row(
        "the same in a record of a year", "a game a day", f"{memory['record_of_a_year']:.0f} bytes"
    )


def needed(figures: Mapping[str, Any]) -> Iterator[Row]:
    """What ten million players a day need, with the sums."""
    run, memory, need = figures["run"], figures["memory"], needs(figures)
    actions, redis = figures["model"]["actions_per_game"], run["redis"]
    board = memory["log"] + memory["score"]
    year = memory["record_of_a_year"]
    games = PLAYERS * PEAK / HOUR
    yield Row(
        "games a second at the peak",
        f"{_number(PLAYERS)} × {PEAK:.0%} ÷ {_number(HOUR)} s",
        f"{games:.0f}",
    )
    yield Row("moves a second", f"{games:.0f} × {actions:.1f}", _number(need.moves))
    yield Row(
        "requests a second",
        f"{_number(need.moves)} × {run['requests_per_move']:.2f}",
        _number(need.requests),
    )
    yield Row(
        "web processors",
        f"{_number(need.moves)} × {run['cpu_us_per_move']['web']:.0f} µs ÷ {WEB_BUSY:.0%} busy",
        _number(need.cores),
    )
    yield Row(
        "Redis processors",
        f"{_number(need.moves)} × {redis['cpu_us']:.0f} µs",
        f"{need.store_cores:.1f}",
    )
    yield Row(
        "Redis masters for the moves",
        f"{need.store_cores:.1f} ÷ {STORE_BUSY:.0%} busy",
        str(math.ceil(need.store_cores / STORE_BUSY)),
    )
    yield Row(
        "Redis memory of a day",
        f"{_number(PLAYERS)} × {memory['finished_game']:.0f} bytes",
        _size(need.day),
    )
    yield Row(
        "of a year, nothing compacted",
        f"{_number(PLAYERS)} × {YEAR} × ({board:.0f} + {year:.0f}) bytes",
        _size(need.year),
    )
    yield Row(
        f"of a year, CHALLENGE_RETENTION_DAYS={RETENTION}",
        f"{_number(PLAYERS)} × ({RETENTION + 1} × {board:.0f} + {YEAR} × {year:.0f}) bytes",
        _size(need.compacted),
    )
    yield Row(
        "Redis masters in all",
        f"the larger of the moves' and {_size(need.compacted)} ÷ {NODE_GB} GB; with a replica "
        f"each {COPIES * need.nodes} processes",
        str(need.nodes),
    )
    yield Row(
        "network to the players",
        f"{_number(need.moves)} × {_number(run['network_bytes_per_move']['out'])} bytes × 8",
        f"{need.network / 1e9:.1f} Gbit/s",
    )
    yield Row(
        "log on disk a day",
        f"{_number(PLAYERS)} × {actions:.1f} × {redis['aof_bytes']:.0f} bytes, all masters",
        _size(need.log_a_day),
    )


def shards(_figures: Mapping[str, Any]) -> Iterator[Row]:
    """How evenly a board spreads over three nodes, by its number of shards."""
    for number in (1, 4, 8, 16, 32, 64):
        share = busiest_share(3, number)
        yield Row(str(number), f"{share:.0%}", f"{1 / share:.1f}")


HEADS = {
    "measured": ("what", "how", "figure"),
    "needed": ("what", "computed", "result"),
    "shards": ("shards", "of a board on its busiest node of 3", "nodes' worth of work"),
}
TABLES = {"measured": measured, "needed": needed, "shards": shards}


def table(name: str, figures: Mapping[str, Any]) -> str:
    """A table in Markdown."""
    rows: list[Sequence[str]] = [HEADS[name], ("--", "--", "--:"), *TABLES[name](figures)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def renewed(paper: str, figures: Mapping[str, Any]) -> str:
    """The paper with its tables made anew."""
    return MARKS.sub(lambda mark: mark[1] + table(mark[2], figures) + mark[3], paper)


def _number(value: float) -> str:
    """Three digits that say something, in groups."""
    digits = max(0, len(str(int(value))) - 3)
    return f"{round(value, -digits):,.0f}"


def _size(value: float) -> str:
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} bytes"


# -- the command -----------------------------------------------------------------------


def kept(report: dict[str, Any]) -> dict[str, Any]:
    """What of a report is worth keeping: not how it went over time."""
    run = report.get("run", {})
    for each in run.get("rss_mb", {}).values():
        each.pop("over_time", None)
    return report


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--take", multiple=True, type=click.Path(exists=True, path_type=Path))
@click.option("--write", is_flag=True, help="Write FILE and the .md beside it.")
def main(file: Path, take: tuple[Path, ...], write: bool) -> None:
    """Print the tables of FILE's figures, or renew them."""
    figures = json.loads(file.read_text("utf-8")) if file.exists() else {}
    for each in take:
        figures |= kept(json.loads(each.read_text("utf-8")))
    for name in TABLES:
        click.echo(f"{name}\n\n{table(name, figures)}")
    if write:
        file.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
        paper = file.with_suffix(".md")
        paper.write_text(renewed(paper.read_text("utf-8"), figures), "utf-8")


if __name__ == "__main__":
    main()
