"""``python -m tests.bench.players``: the model of players against a service of its own."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import click

from tests.bench.players import report
from tests.bench.players.run import Plan, run
from tests.bench.players.stage import EMBEDDED, STORES, on
from tests.bench.players.visits import KINDS


class Rate(click.ParamType):
    """Moves a second, or ``auto``."""

    name = "rate"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> float | None:
        """None for ``auto``."""
        if value == "auto":
            return None
        try:
            return float(value)
        except ValueError:
            self.fail(f"{value!r} is neither a number of moves a second nor auto", param, ctx)


@click.command()
@click.option("--by", type=click.Choice(sorted(KINDS)), default="page", show_default=True)
@click.option("--minutes", type=click.FloatRange(min=0.01), default=15.0, show_default=True)
@click.option("--rate", type=Rate(), default="auto", help="Moves a second; auto finds the most.")
@click.option(
    "--share", type=float, default=0.8, show_default=True, help="Of the most, to play at."
)
@click.option("--think", type=float, default=4.0, show_default=True, help="Median, in seconds.")
@click.option("--first", type=float, default=100.0, show_default=True, help="Lowest rate tried.")
@click.option("--workers", type=int, help="Web processes.  [WEB_CONCURRENCY]")
@click.option("--store", type=click.Choice(STORES), default=EMBEDDED, show_default=True)
@click.option("--shards", type=int, default=1, show_default=True, help="Of the board.")
@click.option("--report", "target", type=click.Path(dir_okay=False, path_type=Path))
def main(
    by: str,
    minutes: float,
    rate: float | None,
    share: float,
    think: float,
    first: float,
    workers: int | None,
    store: str,
    shards: int,
    target: Path | None,
) -> None:
    """Find the capacity of this machine, then play at a share of it, and report."""
    plan = Plan(by=by, minutes=minutes, rate=rate, share=share, think=think, first=first)
    more = {
        "WEB_CONCURRENCY": str(workers or os.environ.get("WEB_CONCURRENCY", "2")),
        "CHALLENGE_BOARD_SHARDS": str(shards),
    }
    with on(store, **more) as stage:
        found = asyncio.run(run(plan, stage))
    if target is not None:
        target.write_text(json.dumps(found, indent=2) + "\n", "utf-8")
    click.echo(report.text(found))


if __name__ == "__main__":
    main()
