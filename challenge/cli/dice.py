"""``challenge dice``: what a day will deal, for its operator."""

from __future__ import annotations

from datetime import date

import click

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import day_argument, json_option, sheet_argument
from challenge.daily.calendar import number
from challenge.game.ruleset import Ruleset
from challenge.game.stream import commitment_of, seed_of

WARNING = (
    "challenge: warning: this spoils the day: who has seen its dice should not play it "
    "against others."
)


@click.command()
@day_argument
@sheet_argument
@click.option(
    "--rolls", metavar="N", type=click.IntRange(1, 1000), help="How many rolls; default: all."
)
@json_option
def dice(day: date, sheet: Ruleset, rolls: int | None, as_json: bool) -> None:
    """Show the dice of a day, ahead of time (operator).

    Needs the stream secret, from CHALLENGE_STREAM_SECRET or the data directory. The seed
    itself is not shown. Warns on stderr, since it spoils the day.

    \b
    Example:
      challenge dice 2026-11-30 yacht --rolls 3
    """
    from challenge.cli.operator import stream_secret  # noqa: PLC0415 - brings the store along

    seed = seed_of(stream_secret(config.load()), day, sheet.id)
    click.echo(WARNING, err=True)
    dealt = report.blocks(sheet, seed, rolls or report.most_rolls(sheet))
    facts = {
        "date": day.isoformat(),
        "number": number(day),
        "ruleset": sheet.id,
        "commitment": commitment_of(seed),
        "rolls": dealt,
    }
    head = f"Samedice #{number(day)} · {day} · {sheet.id}"
    report.say(facts, [head, *report.block_lines(dealt)], as_json)
