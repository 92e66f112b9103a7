"""``challenge commitments``: what is public in advance, computed from the secret."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import click

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import DATE, SHEET, json_option
from challenge.daily.calendar import LAST_DAY
from challenge.errors import BadInput
from challenge.game.ruleset import Ruleset
from challenge.game.stream import commitment_of, seed_of


@click.command()
@click.option("--from", "first", metavar="DATE", type=DATE, help="First day; default: today.")
@click.option(
    "--days", metavar="N", type=click.IntRange(1, 366), default=7, show_default=True, help="Days."
)
@click.option(
    "--ruleset", "sheet", metavar="ID", type=SHEET, help="One sheet; default: all offered."
)
@json_option
def commitments(first: date | None, days: int, sheet: Ruleset | None, as_json: bool) -> None:
    """List the commitments of coming days: SHA-256 of each board's seed (operator).

    Needs the stream secret, from CHALLENGE_STREAM_SECRET or the data directory. What it
    prints gives no die away and may be published.

    \b
    Example:
      challenge commitments --from 2026-11-30 --days 2 --ruleset yacht
    """
    from challenge.cli.operator import stream_secret  # noqa: PLC0415 - brings the store along

    settings = config.load()
    secret = stream_secret(settings)
    start = first or settings.calendar.date_at(datetime.now(UTC))
    if (LAST_DAY - start).days < days - 1:
        raise BadInput(f"{start} and {days} days lie too far ahead.")
    rows = [
        {
            "date": day.isoformat(),
            "ruleset": id,
            "commitment": commitment_of(seed_of(secret, day, id)),
        }
        for day in (start + timedelta(days=n) for n in range(days))
        for id in ([sheet.id] if sheet else settings.rulesets)
    ]
    lines = [f"{row['date']}  {row['ruleset']:<20}  {row['commitment']}" for row in rows]
    report.say({"commitments": rows}, lines, as_json)
