"""``challenge replay``: games in words, out of their seeds and their logs."""

from __future__ import annotations

from typing import TextIO

import click

from challenge.cli import exported, report
from challenge.cli.arguments import HEX, LOG, SHEET, json_option
from challenge.game import game as rules
from challenge.game.ruleset import Ruleset
from challenge.game.stream import Stream


@click.command()
@click.argument("sheet", metavar="[RULESET]", type=SHEET, required=False)
@click.option("--seed", metavar="HEX", type=HEX, help="The revealed seed of the board.")
@click.option("--log", "played", metavar="TEXT", type=LOG, help="The log.")
@click.option(
    "--export",
    "export",
    metavar="FILE",
    type=click.File(encoding="utf-8"),
    help="Replay every game of an export instead; - reads standard input.",
)
@json_option
def replay(
    *,
    sheet: Ruleset | None,
    seed: bytes | None,
    played: bytes | None,
    export: TextIO | None,
    as_json: bool,
) -> int:
    """Replay the log of a game: every action, its dice, its score and the total.

    Needs no server. Each line: ply, action, dice in their positions, points, total.
    With --export it replays all games of `GET /api/v1/me/export` and compares the scores;
    exit code 1 where one differs. Games of boards not closed yet come without a seed.

    \b
    Example:
      challenge replay yacht --log QEwM \\
        --seed 8d8045d23abb4fe433c42d7c95b6e7ed489d1b8e41ee871480d6ce2475fea76e
    """
    if export is not None:
        if sheet is not None or seed is not None or played is not None:
            raise click.UsageError("--export goes without RULESET, --seed and --log.")
        return _replay_export(export, as_json)
    if sheet is None or seed is None or played is None:
        raise click.UsageError("Give RULESET, --seed and --log, or --export FILE.")
    _replay_one(sheet, seed, played, as_json)
    return 0


def _replay_export(export: TextIO, as_json: bool) -> int:
    found = exported.check_all(export.read())
    report.say([each.facts() for each in found], exported.lines(found), as_json)
    return int(any(each.verdict == "differs" for each in found))


def _replay_one(sheet: Ruleset, seed: bytes, played: bytes, as_json: bool) -> None:
    steps = report.steps(sheet, seed, played)
    game = steps[-1][2] if steps else rules.replay(sheet, Stream(seed), b"")
    facts = {
        "ruleset": sheet.id,
        "seed": seed.hex(),
        "actions": [report.step_facts(*step) for step in steps],
        "game": report.game_facts(game),
    }
    lines = [report.step_line(*step) for step in steps]
    report.say(facts, [*lines, *report.game_lines(game)], as_json)
