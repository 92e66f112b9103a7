"""``challenge reports``: the names that players have reported."""

from __future__ import annotations

from dataclasses import asdict

import click

from challenge.cli import report
from challenge.cli.arguments import json_option
from challenge.cli.player import line, reports_service


@click.command()
@click.option("--dismiss", metavar="ID", help="Take a player off the list; the name stays.")
@json_option
def reports(*, dismiss: str | None, as_json: bool) -> None:
    """List the players whose name was reported, most reports first (operator).

    `challenge player hide` and `rename` deal with one.

    \b
    Example:
      challenge reports
    """
    service = reports_service()
    if dismiss is not None:
        service.dismiss(dismiss)
    found = service.open()
    lines = [line(each) for each in found] or ["No name is reported."]
    report.say({"reports": [asdict(each) for each in found]}, lines, as_json)
