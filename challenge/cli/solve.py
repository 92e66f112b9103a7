"""``challenge solve``: exact play of whole sheets, kept in the data directory."""

from __future__ import annotations

import click

from challenge import config
from challenge.cli.arguments import SHEET
from challenge.cli.meter import Meter
from challenge.errors import BadInput, NotSolvable
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.solved import Solved, need_solver
from challenge.store.datadir import DataDir


@click.command()
@click.argument("sheets", metavar="[SHEET]...", nargs=-1, type=SHEET)
@click.option("--all", "every", is_flag=True, help="Every sheet that takes seconds, not minutes.")
def solve(sheets: tuple[Ruleset, ...], *, every: bool) -> None:
    """Solve sheets exactly: the value of every state under the best play.

    Writes one file a sheet into the folder `solver` of the data directory. A sheet that has
    a valid file is not solved again, so that an interrupted run goes on where it was; a
    damaged or outdated file is replaced. Needs the extra `solver`.

    \b
    Example:
      challenge solve yatzy-order
    """
    need_solver("numpy", "numba")
    if every == bool(sheets):
        raise BadInput("Name the sheets to solve, or use --all.")
    tables = Solved(DataDir(config.load().data_dir).solver)
    for sheet in _those_of_seconds() if every else sheets:
        _solve(tables, sheet)


def _those_of_seconds() -> list[Ruleset]:
    from challenge.solver.derive import is_large, refuse_unsolvable  # noqa: PLC0415 - needs numpy

    found = []
    for sheet in rulesets.RULESETS:
        try:
            refuse_unsolvable(sheet)
        except NotSolvable as error:
            click.echo(f"{sheet.id}: left out. {error}", err=True)
            continue
        if is_large(sheet):
            click.echo(f"{sheet.id}: left out, name it to solve it. {_cost(sheet)}", err=True)
        else:
            found.append(sheet)
    return found


def _solve(tables: Solved, sheet: Ruleset) -> None:
    fault = tables.fault(sheet)
    if fault is None:
        click.echo(f"{sheet.id}: solved already, mean {tables.load(sheet).mean:.5f}")
        return
    if fault.path.exists():
        click.echo(f"{sheet.id}: solved anew, since {fault.why}", err=True)
    _warn_of_cost(sheet)
    meter = Meter(sheet.id)
    table = tables.solve(sheet, meter.show)
    meter.clear()
    click.echo(
        f"{sheet.id}: mean {table.mean:.5f}, {table.model.states} states, {meter.seconds:.1f} s"
    )


def _warn_of_cost(sheet: Ruleset) -> None:
    from challenge.solver.derive import is_large  # noqa: PLC0415 - needs numpy

    if is_large(sheet):
        click.echo(f"{sheet.id}: {_cost(sheet)}", err=True)


def _cost(sheet: Ruleset) -> str:
    """What a sheet of 2^boxes box sets takes, by the 33 million states of the one of 20 boxes."""
    share = 2.0 ** (len(sheet.boxes) - 20)
    return (
        f"It takes about {600 * share:.0f} MB of memory, {270 * share:.0f} MB on disk and "
        f"{3 * share:.0f} minutes."
    )
