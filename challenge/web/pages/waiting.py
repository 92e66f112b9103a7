"""Games of yesterday that still count when they are finished in time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from challenge.daily import calendar
from challenge.errors import StoreUnavailable
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.web.current import now, services


@dataclass(frozen=True, slots=True)
class Waiting:
    """A half-played game of the day before, and until when it counts."""

    date: str
    ruleset: Ruleset
    closes_at: datetime


def games(player: str | None, today: date) -> list[Waiting]:
    """The player's unfinished games of the day before ``today``, while that day closes.

    None where some lie on a server of the store that is away.
    """
    day = today - timedelta(days=1)
    if player is None or day < calendar.FIRST_DAY:
        return []
    offered = services().settings.rulesets
    closes_at = services().settings.calendar.instants(day).closes_at
    if now() >= closes_at:
        return []
    try:
        seen = services().play.glance(player, [(day, sheet) for sheet in offered], now())
    except StoreUnavailable:
        return []
    return [
        Waiting(each.date, rulesets.find(each.ruleset), closes_at)
        for each in seen
        if each.state == "begun" and each.mode == "daily"
    ]
