"""``challenge fairplay``: which games fit the dice to come too well, for the operator."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import date

import click
import msgspec

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import day_argument, json_option, sheet_argument
from challenge.daily.evidence import shown
from challenge.game.ruleset import Ruleset
from challenge.service.views.fairplay import FairPlayView, WeighedView

SHOWN = 20


@click.command()
@day_argument
@sheet_argument
@click.option("--all", "whole", is_flag=True, help=f"Show every game, not only {SHOWN}.")
@json_option
def fairplay(*, day: date, sheet: Ruleset, whole: bool, as_json: bool) -> None:
    """Weigh the finished games of a board for knowledge of the dice (operator).

    For each choice it compares what the choice brought on the dice that came with what other
    choices would have brought on the same dice. Odds of 1,000 : 1 say that somebody who knew
    the dice would choose so 1,000 times as often as somebody who did not; at most one honest
    game in a thousand reaches them, however it is played. Odds of the week take in the same
    player's other games of the seven days up to DATE. `!` marks 300 : 1 and more, `!!` 1,000 : 1.

    Games still being played are never looked at. Needs the extra `solver` and the solved sheet.

    \b
    Example:
      challenge fairplay 2026-11-30 yacht
    """
    from challenge.bootstrap import fair_play, utc_now  # noqa: PLC0415 - brings the store along
    from challenge.cli.operator import stream_secret  # noqa: PLC0415

    settings, now = config.load(), utc_now()
    days, service = fair_play(settings, stream_secret(settings))
    if service.mode != "off":
        service.weigh(days.board(day, sheet.id, now), _progress)
    found = service.report(day, sheet.id, now)
    report.say(msgspec.to_builtins(found), _lines(found, whole), as_json)


def _progress(done: int, whole: int) -> None:
    if sys.stderr.isatty() and (done == whole or done % 10 == 0):
        click.echo(
            f"\rweighed {done} of {whole}" + ("\n" if done == whole else ""), err=True, nl=False
        )


def _lines(found: FairPlayView, whole: bool) -> Iterator[str]:
    notable = sum(each.notable for each in found.games)
    yield (
        f"{found.date} · {found.ruleset} · {found.finished} finished, "
        f"{len(found.games)} weighed, {notable} worth a look"
    )
    games = found.games if whole else found.games[:SHOWN]
    if games:
        yield f"{'':2} {'odds':>12} {'gained':>7} {'sd':>5}   {'week':>12} {'sd':>5} {'games':>5}   score  player"  # noqa: E501 - one line of output
    yield from map(_line, games)
    if len(games) < len(found.games):
        yield f"{len(found.games) - len(games)} more with lower odds; --all shows them."


def _line(each: WeighedView) -> str:
    mark = "!!" if each.clear else "!" if each.notable else ""
    return (
        f"{mark:2} {words_of(each.odds):>12} {each.gained:+7.1f} {each.deviations:+5.1f}   "
        f"{words_of(each.week_odds):>12} {each.week_deviations:+5.1f} {each.week_games:5}   "
        f"{each.score:5}  {each.player}  {each.name}"
    )


def words_of(odds: float) -> str:
    """``1,600 : 1``, ``10^14 : 1``; ``1 : 1`` for whatever speaks for the player."""
    number, power = shown(odds)
    return f"10^{power} : 1" if power else f"{number:,} : 1"
