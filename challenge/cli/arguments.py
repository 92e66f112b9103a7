"""What the commands take: dates, sheets, seeds and logs, each refused in one clear line."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Any

import click

from challenge.daily.calendar import FIRST_DAY, parse_date
from challenge.errors import BadInput, UnknownRuleset
from challenge.game import log, rulesets
from challenge.game.ruleset import Ruleset

_HEX = re.compile(r"[0-9a-fA-F]{64}")


class _Type(click.ParamType):  # type: ignore[type-arg]  # generic in newer click only
    """An argument read by a function that raises a Samedice error with what would be right."""

    def __init__(self, name: str, read: Callable[[str], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The value of the text; ``fail`` where it is wrong."""
        if not isinstance(value, str):
            return value
        try:
            return self._read(value)
        except (BadInput, UnknownRuleset) as error:
            self.fail(str(error), param, ctx)


def _day(text: str) -> date:
    day = parse_date(text)
    if day < FIRST_DAY:
        raise BadInput(f"The first day of Samedice is {FIRST_DAY}, {text} lies before it.")
    return day


def _sheet(text: str) -> Ruleset:
    try:
        return rulesets.find(text)
    except UnknownRuleset:
        known = ", ".join(sheet.id for sheet in rulesets.RULESETS)
        raise BadInput(f"There is no sheet {text[:40]!r}; the sheets are {known}.") from None


def _digest(text: str) -> bytes:
    if not _HEX.fullmatch(text):
        raise BadInput(f"{text[:80]!r} is not 32 bytes in hex (64 characters 0-9a-f).")
    return bytes.fromhex(text)


DATE = _Type("date", _day)
SHEET = _Type("ruleset", _sheet)
HEX = _Type("hex", _digest)
LOG = _Type("text", log.from_text)

day_argument = click.argument("day", metavar="DATE", type=DATE)
sheet_argument = click.argument("sheet", metavar="RULESET", type=SHEET)
seed_option = click.option(
    "--seed", metavar="HEX", type=HEX, required=True, help="The revealed seed of the board."
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
