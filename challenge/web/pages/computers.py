"""Computer players as a page shows them: beside the list, without a place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flask import url_for

from challenge.errors import NotSolved, Spoiler
from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.i18n import bot_name, gettext


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer player's game; ``target`` is where it can be followed."""

    strength: str
    name: str
    how: str
    score: int
    target: str


def of(day: date, ruleset: str) -> list[Computer]:
    """The computer players of a board, best first; none before the visitor may know."""
    try:
        found = services().best_play.bots(day, ruleset, identity.caller().player, now())
    except (Spoiler, NotSolved):
        return []
    return [
        Computer(
            bot.strength,
            bot_name(bot.strength),
            how(bot.strength),
            bot.score,
            url_for("pages.computer", date=day.isoformat(), ruleset=ruleset, strength=bot.strength),
        )
        for bot in found.bots
    ]


def how(strength: str) -> str:
    """How a computer player decides."""
    match strength:
        case "greedy":
            return gettext("takes what scores most this turn")
        case "planner":
            return gettext("weighs what each box would bring by itself")
    return gettext("plays for the highest expected total")
