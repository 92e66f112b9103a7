"""``challenge doctor``: what is configured, what is reachable, what is wrong."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from datetime import UTC, datetime

import click

from challenge import __version__, config
from challenge.cli import report
from challenge.cli.arguments import json_option
from challenge.cli.checks import Finding, findings
from challenge.config import DECLARED, Setting
from challenge.errors import SettingError


@click.command()
@json_option
def doctor(as_json: bool) -> int:
    """Look at settings, secrets, store and boards, and say what is wrong.

    Shows no secret and changes nothing. Exit code 0 where all is well, else 1.

    \b
    Example:
      challenge doctor --json
    """
    found = _findings()
    wrong = sum(finding.level == "wrong" for finding in found)
    facts = {
        "version": __version__,
        "python": platform.python_version(),
        "settings": [_setting_facts(setting) for setting in DECLARED],
        "checks": [
            {"check": finding.check, "level": finding.level, "detail": finding.detail}
            for finding in found
        ],
        "ok": not wrong,
    }
    report.say(facts, _lines(found, wrong), as_json)
    return int(wrong > 0)


def _findings() -> list[Finding]:
    names = list(_names())
    try:
        settings = config.load()
    except SettingError as error:
        return [*names, Finding("settings", "wrong", str(error))]
    return [*names, *findings(settings, datetime.now(UTC))]


def _names() -> Iterator[Finding]:
    """Variables that are called like settings and are none."""
    for name, meant in config.strangers(os.environ).items():
        if meant:
            yield Finding("settings", "wrong", f"{name} is no setting; it is called {meant}.")
        else:
            yield Finding("settings", "note", f"{name} is no setting and has no effect.")


def _setting_facts(setting: Setting) -> report.Facts:
    given = os.environ.get(setting.name, "")
    shown = "(hidden)" if given and setting.secret else given or setting.default
    return {"name": setting.name, "value": shown, "set": bool(given)}


def _lines(found: list[Finding], wrong: int) -> Iterator[str]:
    yield f"Samedice {__version__}, Python {platform.python_version()}"
    for setting in DECLARED:
        facts = _setting_facts(setting)
        yield f"  {facts['name']:<26} {facts['value']}{'' if facts['set'] else '  (default)'}"
    for finding in found:
        yield f"{finding.level:<5}  {finding.check}: {finding.detail}"
    yield {0: "All is well.", 1: "1 thing is wrong."}.get(wrong, f"{wrong} things are wrong.")
