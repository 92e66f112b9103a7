"""``challenge player``: what an operator does about a player's name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import json_option

if TYPE_CHECKING:
    from challenge.service.reports import Reported, Reports

ID_MAY_BEGIN_WITH_A_DASH = {"ignore_unknown_options": True}
ID = click.argument("player", metavar="ID")


def reports_service() -> Reports:
    """The reports of the store these settings lead to; makes no secret and no store.

    Raises:
        SettingError: the stream secret is not there.
    """
    from challenge import bootstrap  # noqa: PLC0415 - brings the store along
    from challenge.cli.operator import stream_secret  # noqa: PLC0415
    from challenge.service.reports import Reports  # noqa: PLC0415
    from challenge.store.store import Store  # noqa: PLC0415

    settings = config.load()
    key = bootstrap.erasure_key(stream_secret(settings))
    return Reports(Store(bootstrap.store_url(settings), key))


def line(found: Reported) -> str:
    """A player in one line: ``ID  3 reports  hidden  Mia·k3f``."""
    state = "hidden" if found.hidden else "shown"
    return f"{found.player}  {found.reports:4} reports  {state:6}  {found.name}"


def say(found: Reported, as_json: bool) -> None:
    """Print a player."""
    report.say(asdict(found), [line(found)], as_json)


@click.group()
def player() -> None:
    """Look at a player's name, hide it, or give another one (operator).

    The ID is the one of `challenge reports`, of the leaderboards' JSON, and of the player's
    privacy page.

    \b
    Example:
      challenge player show AAAAAAAAAAAAAAAAAAAAAA
    """


@player.command(context_settings=ID_MAY_BEGIN_WITH_A_DASH)
@ID
@json_option
def show(*, player: str, as_json: bool) -> None:
    """Print the name, whether it is shown, and how many reported it.

    \b
    Example:
      challenge player show AAAAAAAAAAAAAAAAAAAAAA
    """
    say(reports_service().look(player), as_json)


@player.command(context_settings=ID_MAY_BEGIN_WITH_A_DASH)
@ID
@click.option("--undo", is_flag=True, help="Show the name again.")
@json_option
def hide(*, player: str, undo: bool, as_json: bool) -> None:
    """Show the player without the name, whatever the player changes it to.

    Until --undo or `rename`. It also takes the player off the list of reports.

    \b
    Example:
      challenge player hide AAAAAAAAAAAAAAAAAAAAAA
    """
    say(reports_service().hide(player, hidden=not undo), as_json)


@player.command(context_settings=ID_MAY_BEGIN_WITH_A_DASH)
@ID
@click.argument("name", metavar="NAME")
@json_option
def rename(*, player: str, name: str, as_json: bool) -> None:
    """Give the player another name and show it; the player may change it again.

    It also takes the player off the list of reports.

    \b
    Example:
      challenge player rename AAAAAAAAAAAAAAAAAAAAAA "Mia"
    """
    say(reports_service().rename(player, name), as_json)
