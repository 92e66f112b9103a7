"""What the coach says on the page of an archive game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from challenge.errors import NotFound, NotSolved
from challenge.game import rulesets
from challenge.service.views.coach import AdviceView
from challenge.web.current import now, services
from challenge.web.i18n import box_name, fraction, gettext
from challenge.web.pages.site.problem_words import missing_words
from challenge.web.pages.words import split_name


@dataclass(frozen=True, slots=True)
class Choice:
    """One choice: the dice it keeps, or the box it fills; the best ones lose nothing."""

    dice: list[int] | None
    name: str
    value: str
    lost: str | None


@dataclass(frozen=True, slots=True)
class Advice:
    """``summary`` in one line, then every choice, the best first; nothing but the line where
    the sheet is not solved here.
    """

    summary: str
    holds: list[Choice]
    boxes: list[Choice]


def advice(player: str | None, day: date, ruleset: str) -> Advice | None:
    """What the choices are worth; None where there is nothing to decide.

    Raises:
        Spoiler: the board is not closed.
    """
    try:
        found = services().coach.advice(player or "", day, ruleset, now())
    except NotSolved as error:
        return Advice(missing_words(error.missing), [], [])
    except NotFound:
        return None
    return _words(found, ruleset)


NARROW = "\u00a0"  # the dice of a choice stay on one line
LEAST = 0.05  # below it a loss is not worth a word: it rounds to nothing


def _words(found: AdviceView, ruleset: str) -> Advice:
    holds = [
        Choice(hold.dice, _kept(hold.dice), fraction(hold.value), _lost(hold.lost))
        for hold in found.holds
    ]
    boxes = [
        Choice(None, _name(ruleset, entry.box), fraction(entry.value), _lost(entry.lost))
        for entry in found.boxes
    ]
    best_hold = found.holds and found.holds[0].lost <= found.boxes[0].lost
    said = (
        gettext("Best: keep %(dice)s.") % {"dice": holds[0].name}
        if best_hold and found.holds[0].dice
        else gettext("Best: roll all dice again.")
        if best_hold
        else gettext("Best: enter in %(box)s.") % {"box": boxes[0].name}
    )
    return Advice(said, holds, boxes)


def _kept(dice: list[int]) -> str:
    return NARROW.join(map(str, dice)) if dice else gettext("none")


def _lost(points: float) -> str | None:
    return None if points < LEAST else f"−{fraction(points)}"


def _name(ruleset: str, box: str) -> str:
    sheet = rulesets.find(ruleset)
    return split_name(box_name(sheet, sheet.boxes[sheet.index[box]].category))[0]
