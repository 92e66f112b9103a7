"""``challenge commitments``: what is public in advance, computed from the secret."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import click
from click.core import ParameterSource

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import DATE, SHEET, json_option
from challenge.config import Settings
from challenge.daily import promise
from challenge.daily.calendar import LAST_DAY
from challenge.errors import BadInput
from challenge.game.ruleset import Ruleset
from challenge.game.stream import commitment_of, seed_of

Row = dict[str, str]


@click.command()
@click.option("--from", "first", metavar="DATE", type=DATE, help="First day; default: today.")
@click.option(
    "--days", metavar="N", type=click.IntRange(1, 366), default=7, show_default=True, help="Days."
)
@click.option(
    "--ruleset", "sheet", metavar="ID", type=SHEET, help="One sheet; default: all offered."
)
@click.option(
    "--digest",
    "as_digest",
    is_flag=True,
    help="Print the digest of 366 days and all offered sheets, as every page's foot has it.",
)
@json_option
@click.pass_context
def commitments(
    context: click.Context,
    *,
    first: date | None,
    days: int,
    sheet: Ruleset | None,
    as_digest: bool,
    as_json: bool,
) -> None:
    """List the commitments of coming days: SHA-256 of each board's seed (operator).

    Needs the stream secret, from CHALLENGE_STREAM_SECRET or the data directory. What it
    prints gives no die away and may be published.

    \b
    Example:
      challenge commitments --from 2026-11-30 --days 2 --ruleset yacht
    """
    _refuse_parts_of_a_digest(context, as_digest)
    settings = config.load()
    start = first or settings.calendar.date_at(datetime.now(UTC))
    rows = _rows(settings, start, promise.DAYS if as_digest else days, sheet)
    if as_digest:
        _say_digest(start, rows, as_json)
        return
    lines = [f"{row['date']}  {row['ruleset']:<20}  {row['commitment']}" for row in rows]
    report.say({"commitments": rows}, lines, as_json)


def _refuse_parts_of_a_digest(context: click.Context, as_digest: bool) -> None:
    given = [
        name
        for name in ("days", "sheet")
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT
    ]
    if as_digest and given:
        raise BadInput("--digest covers 366 days and all offered sheets; it takes --from alone.")


def _rows(settings: Settings, start: date, days: int, sheet: Ruleset | None) -> list[Row]:
    from challenge.cli.operator import stream_secret  # noqa: PLC0415 - brings the store along

    secret = stream_secret(settings)
    if (LAST_DAY - start).days < days - 1:
        raise BadInput(f"{start} and {days} days lie too far ahead.")
    return [
        {
            "date": day.isoformat(),
            "ruleset": id,
            "commitment": commitment_of(seed_of(secret, day, id)),
        }
        for day in (start + timedelta(days=n) for n in range(days))
        for id in ([sheet.id] if sheet else settings.rulesets)
    ]


def _say_digest(start: date, rows: list[Row], as_json: bool) -> None:
    text = promise.canonical((row["date"], row["ruleset"], row["commitment"]) for row in rows)
    found = promise.digest(text)
    facts = {"from": start.isoformat(), "days": promise.DAYS, "digest": found}
    report.say(facts, [f"{start}  {promise.DAYS} days  {found}"], as_json)
