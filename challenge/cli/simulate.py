"""``challenge simulate``: what a computer player scores, by playing."""

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
    from challenge.solver.bots import Player

PLAYERS = ("greedy", "planner", "optimal")


@click.command()
@sheet_argument
@click.argument("player", metavar="PLAYER", type=click.Choice(PLAYERS))
@click.option(
    "--games",
    metavar="N",
    type=click.IntRange(2, 10_000_000),
    default=1000,
    show_default=True,
    help="How many games.",
)
@click.option("--seed", metavar="TEXT", default="", help="Other text, other dice.")
@json_option
def simulate(sheet: Ruleset, player: str, *, games: int, seed: str, as_json: bool) -> None:
    """Let a computer player (greedy, planner or optimal) play many games on random dice.

    Prints mean, standard deviation and standard error of its totals. The same seed deals the
    same dice. A sheet not solved yet is solved for the optimal player; sheets that cannot be
    solved have the planner as their strongest. Needs the extra `solver`.

    \b
    Example:
      challenge simulate yatzy-order greedy --games 20
    """
    need_solver("numpy")
    from challenge.solver import bots  # noqa: PLC0415 - needs numpy

    meter = Meter(f"{sheet.id} {player}")
    chosen = _player(player, sheet, meter)
    totals = bots.simulate(sheet, chosen, games, seed, meter.show)
    meter.clear()
    facts = {
        "ruleset": sheet.id,
        "player": player,
        "games": games,
        "seed": seed,
        "mean": float(totals.mean()),
        "sd": float(totals.std(ddof=1)),
        "standard_error": float(totals.std(ddof=1) / games**0.5),
    }
    report.say(facts, _lines(facts), as_json)


def _player(name: str, sheet: Ruleset, meter: Meter) -> Player:
    from challenge.solver import bots  # noqa: PLC0415 - needs numpy

    if name == "optimal":
        tables = Solved(DataDir(config.load().data_dir).solver)
        return bots.optimal(tables.solved(sheet, meter.show))
    return bots.greedy() if name == "greedy" else bots.planner()


def _lines(facts: report.Facts) -> Iterator[str]:
    yield "{ruleset} · {player} · {games} games".format(**facts)
    yield "  mean {mean:.2f} ± {standard_error:.2f} · standard deviation {sd:.2f}".format(**facts)
