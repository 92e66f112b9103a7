"""What ten million players a day need, from measured figures.

``python -m tests.bench.scaling deploy/scaling.json`` prints the tables of ``deploy/scaling.md``;
with ``--take FILE`` (a report of ``tests.bench.players``, or what ``test_memory.py`` noted)
the figures are renewed first, and with ``--write`` both files are written.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import click

from tests.bench.needs import (
    CHOICES,
    COPIES,
    HOUR,
    MOST_BUSY,
    NODE_GB,
    PEAK,
    PLAYERS,
    RETENTION,
    STORE_BUSY,
    WEB_BUSY,
    YEAR,
    Needs,
    needs,
    store_run,
    times_even,
)

NODES = (3, 6, 12)  # clusters looked at
MARKS = re.compile(r"(<!-- (\w+): made by [^\n]*-->\n).*?(<!-- end -->)", re.DOTALL)


class Row(NamedTuple):
    """One line of a table."""

    what: str
    how: str
    result: str


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
    if figures.get("provisional"):
        yield Row("provisional", "measured beside other work; to be renewed on a quiet machine", "")
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
    if "cluster" in figures:
        yield from _on_a_cluster(figures["cluster"])
    yield Row("log on disk", "a move, before rewriting", f"{redis['aof_bytes']:.0f} bytes")
    yield Row(
        "a finished game in Redis",
        f"log {memory['log']:.0f}, score {memory['score']:.0f}, record {memory['record']:.0f}",
        f"{memory['finished_game']:.0f} bytes",
    )
    yield Row(
        "the same in a record of a year", "a game a day", f"{memory['record_of_a_year']:.0f} bytes"
    )


def _on_a_cluster(cluster: Mapping[str, Any]) -> Iterator[Row]:
    """The same players against a cluster on the same machine."""
    run, machine = cluster["run"], cluster["machine"]
    moves, shards = run["latency_ms"]["moves"], cluster["model"]["settings"]
    yield Row(
        f"on a cluster of {machine['nodes']} masters, each with a replica",
        f"{shards['CHALLENGE_BOARD_SHARDS']} shards, `appendfsync {machine['appendfsync']}`, "
        f"{run['moves_per_second']:.0f} moves/s: Redis processor a move, all masters; p99 "
        f"{moves['p99']:.1f} ms, {run['status_5xx']} answers of 500 and above",
        f"{run['redis']['cpu_us']:.0f} µs",
    )


def needed(figures: Mapping[str, Any]) -> Iterator[Row]:
    """What ten million players a day need, with the sums."""
    need = needs(figures)
    yield from _rates(figures, need)
    yield from _sizes(figures, need)
    yield Row(
        "Redis masters in all",
        f"the larger of the moves' and {_size(need.compacted)} ÷ {NODE_GB} GB; with a replica "
        f"each {COPIES * need.nodes} processes",
        str(need.nodes),
    )
    yield Row(
        "shards of a board",
        f"the fewest that keep the busiest of {need.nodes} below {MOST_BUSY:.0%}, where the mean "
        f"is {need.store_cores / need.nodes:.0%}",
        str(need.shards),
    )


def _rates(figures: Mapping[str, Any], need: Needs) -> Iterator[Row]:
    """What the busiest hour asks of processors and network."""
    run, actions = figures["run"], figures["model"]["actions_per_game"]
    games, out = PLAYERS * PEAK / HOUR, run["network_bytes_per_move"]["out"]
    moves, web = _number(need.moves), run["cpu_us_per_move"]["web"]
    store = store_run(figures)["redis"]["cpu_us"]
    yield Row(
        "games a second at the peak",
        f"{_number(PLAYERS)} × {PEAK:.0%} ÷ {_number(HOUR)} s",
        f"{games:.0f}",
    )
    yield Row("moves a second", f"{games:.0f} × {actions:.1f}", moves)
    yield Row(
        "requests a second", f"{moves} × {run['requests_per_move']:.2f}", _number(need.requests)
    )
    busy = f"{moves} × {web:.0f} µs ÷ {WEB_BUSY:.0%} busy"
    yield Row("web processors", busy, _number(need.cores))
    yield Row("Redis processors", f"{moves} × {store:.0f} µs", f"{need.store_cores:.1f}")
    yield Row(
        "Redis masters for the moves",
        f"{need.store_cores:.1f} ÷ {STORE_BUSY:.0%} busy",
        str(math.ceil(need.store_cores / STORE_BUSY)),
    )
    yield Row(
        "network to the players",
        f"{moves} × {_number(out)} bytes × 8",
        f"{need.network / 1e9:.1f} Gbit/s",
    )


def _sizes(figures: Mapping[str, Any], need: Needs) -> Iterator[Row]:
    """Memory of a day and of a year, and disk."""
    memory, year = figures["memory"], figures["memory"]["record_of_a_year"]
    board, many = memory["log"] + memory["score"], _number(PLAYERS)
    yield Row(
        "Redis memory of a day",
        f"{many} × {memory['finished_game']:.0f} bytes",
        _size(need.day),
    )
    yield Row(
        "of a year, nothing compacted",
        f"{many} × {YEAR} × ({board:.0f} + {year:.0f}) bytes",
        _size(need.year),
    )
    yield Row(
        f"of a year, `CHALLENGE_RETENTION_DAYS={RETENTION}`",
        f"{many} × ({RETENTION + 1} × {board:.0f} + {YEAR} × {year:.0f}) bytes",
        _size(need.compacted),
    )
    yield Row(
        "log on disk a day, before rewriting",
        f"{many} × {figures['model']['actions_per_game']:.1f} × "
        f"{store_run(figures)['redis']['aof_bytes']:.0f} bytes, all masters",
        _size(need.log_a_day),
    )


def shards(_figures: Mapping[str, Any]) -> Iterator[Sequence[str]]:
    """How unevenly a board lies on some nodes, by its number of shards."""
    for number in (1, 4, *CHOICES):
        yield (str(number), *(f"{times_even(nodes, number):.1f}" for nodes in NODES))


BESIDE = {
    "record": "record of a player's first game",
    "record_of_a_year": "each game in a record of a game a day for a year",
    "begun": "a game begun and left at its start, its record included",
    "evidence": "evidence of a weighed game",
    "skill": "what a review came to, a player's first",
}


def beside(figures: Mapping[str, Any]) -> Iterator[Row]:
    """What is kept beside logs and scores."""
    for name, what in BESIDE.items():
        yield Row(what, f"`{name}`", f"{figures['memory'][name]:.0f} bytes")


HEADS = {
    "measured": ("what", "how", "figure"),
    "needed": ("what", "computed", "result"),
    "beside": ("what", "in `scaling.json`", "each"),
    "shards": ("shards", *(f"of {nodes} nodes" for nodes in NODES)),
}
TABLES = {"measured": measured, "needed": needed, "beside": beside, "shards": shards}


def table(name: str, figures: Mapping[str, Any]) -> str:
    """A table in Markdown."""
    head = HEADS[name]
    rule = [*("--" for _ in head[1:]), "--:"]
    rows: list[Sequence[str]] = [head, rule, *TABLES[name](figures)]
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
@click.option("--cluster", type=click.Path(exists=True, path_type=Path), help="A run on one.")
@click.option("--write", is_flag=True, help="Write FILE and the .md beside it.")
def main(file: Path, take: tuple[Path, ...], cluster: Path | None, write: bool) -> None:
    """Print the tables of FILE's figures, or renew them."""
    figures = json.loads(file.read_text("utf-8")) if file.exists() else {}
    for each in take:
        report = kept(json.loads(each.read_text("utf-8")))
        if "run" in report:
            figures.pop("provisional", None)
        figures |= report
    if cluster is not None:
        figures["cluster"] = kept(json.loads(cluster.read_text("utf-8")))
    for name in TABLES:
        click.echo(f"{name}\n\n{table(name, figures)}")
    if write:
        file.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
        paper = file.with_suffix(".md")
        paper.write_text(renewed(paper.read_text("utf-8"), figures), "utf-8")


if __name__ == "__main__":
    main()
