"""``challenge odds``: what the optimal player scores on a sheet, and how it is spread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import json_option, sheet_argument
from challenge.cli.meter import Meter
from challenge.game.ruleset import Ruleset
from challenge.service.solved import Solved, need_solver
from challenge.store.datadir import DataDir

if TYPE_CHECKING:
    from challenge.solver.spread import Odds

SHARES = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


@click.command()
@sheet_argument
@json_option
def odds(sheet: Ruleset, *, as_json: bool) -> None:
    """Show mean, standard deviation and distribution of the optimal player's total.

    Exact, not simulated. The first time it takes seconds to a minute, then the answer is
    kept. A sheet not solved yet is solved. Of a sheet of more than 15 boxes in free order,
    which `challenge solve` has to solve before, only the mean is known. Needs the extra
    `solver`.

    \b
    Example:
      challenge odds yatzy-order
    """
    need_solver("numpy")
    from challenge.solver.derive import is_large  # noqa: PLC0415 - needs numpy

    tables = Solved(DataDir(config.load().data_dir).solver)
    if is_large(sheet):
        _say_mean(sheet, tables.load(sheet).mean, as_json)
        return
    meter = Meter(sheet.id)
    found = tables.odds(sheet, meter.show)
    meter.clear()
    report.say(_facts(sheet, found), _lines(sheet, found), as_json)


def _say_mean(sheet: Ruleset, mean: float, as_json: bool) -> None:
    facts = {"ruleset": sheet.id, "mean": mean, "sd": None, "distribution": None}
    report.say(facts, [f"{sheet.id} · mean {mean:.5f}"], as_json)


def _facts(sheet: Ruleset, found: Odds) -> report.Facts:
    chances = enumerate(found.chance.tolist())
    return {
        "ruleset": sheet.id,
        "mean": found.mean,
        "sd": found.sd,
        "distribution": [{"score": score, "probability": p} for score, p in chances if p > 0],
    }


def _lines(sheet: Ruleset, found: Odds) -> Iterator[str]:
    yield f"{sheet.id} · mean {found.mean:.5f} · standard deviation {found.sd:.5f}"
    for share in SHARES:
        yield f"  {100 * share:3.0f} % of games score at most {found.quantile(share)}"
