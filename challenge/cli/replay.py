"""``challenge replay``: a game in words, out of its seed and its log."""

from __future__ import annotations

import click

from challenge.cli import report
from challenge.cli.arguments import LOG, json_option, seed_option, sheet_argument
from challenge.game import game as rules
from challenge.game.ruleset import Ruleset
from challenge.game.stream import Stream


@click.command()
@sheet_argument
@seed_option
@click.option("--log", "played", metavar="TEXT", type=LOG, required=True, help="The log.")
@json_option
def replay(sheet: Ruleset, seed: bytes, played: bytes, as_json: bool) -> None:
    """Replay the log of a game: every action, its dice, its score and the total.

    Needs no server. Each line: ply, action, dice in their positions, points, total.

    \b
    Example:
      challenge replay yacht --log QEwM \\
        --seed 8d8045d23abb4fe433c42d7c95b6e7ed489d1b8e41ee871480d6ce2475fea76e
    """
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
