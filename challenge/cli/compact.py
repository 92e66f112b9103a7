"""``challenge compact``: takes the games off old boards, now instead of by the worker."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import date, datetime

import click

from challenge import config
from challenge.cli import report
from challenge.cli.arguments import json_option
from challenge.cli.meter import Meter
from challenge.daily.calendar import FIRST_DAY
from challenge.errors import SettingError
from challenge.service.compacting import Compacting
from challenge.service.days import Board

UNSET = (
    "CHALLENGE_RETENTION_DAYS is 0, so nothing is ever compacted; set it, or give --days for once."
)


@dataclass(frozen=True, slots=True)
class Compacted:
    """A board and how many games and places of its list go, or have gone."""

    date: str
    ruleset: str
    entries: int

    def line(self) -> str:
        """``2026-11-30  yacht   1234 games and places``."""
        return f"{self.date}  {self.ruleset:<24} {self.entries:>9} games and places"


@click.command()
@click.option("--dry-run", is_flag=True, help="Say what would go; change nothing.")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    help="Days after the close.  [CHALLENGE_RETENTION_DAYS]",
)
@json_option
def compact(*, dry_run: bool, days: int | None, as_json: bool) -> None:
    """Compact boards some days after their close (operator).

    What stays: dice, leaderboard down to place 1000, distribution, every player's own score,
    streaks and figures. What goes, for good: the games. It can be stopped at any time and run
    again. The worker does the same by itself where CHALLENGE_RETENTION_DAYS is set.

    \b
    Example:
      challenge compact --days 365 --dry-run
    """
    from challenge.bootstrap import compacting, utc_now  # noqa: PLC0415 - brings the store along
    from challenge.cli.operator import stream_secret  # noqa: PLC0415

    settings = config.load()
    after = days or settings.retention_days
    if not after:
        raise SettingError(UNSET)
    work, now = compacting(settings, stream_secret(settings)), utc_now()
    boards = list(work.due(FIRST_DAY, now.date(), after, now))
    found = [_counted(work, board) for board in boards]
    if not dry_run:
        _sweep(work, boards, sum(each.entries for each in found), now)
    lines = [each.line() for each in found]
    last = f"{'would be' if dry_run else 'have been'} compacted: {len(found)}."
    report.say([asdict(each) for each in found], [*lines, f"Boards that {last}"], as_json)


def _counted(work: Compacting, board: Board) -> Compacted:
    day: date = board.id.day
    return Compacted(day.isoformat(), board.id.ruleset, work.count(board))


def _sweep(work: Compacting, boards: list[Board], whole: int, now: datetime) -> None:
    meter, done = Meter("compacting"), 0
    for board in boards:
        work.mark(board, now)
    for board in boards:
        for count in work.sweep(board.id, now):
            done += count
            meter.show(min(done, whole), max(whole, 1))
    meter.clear()
