"""What a review says: decisions as sentences, points as the language writes them."""

from __future__ import annotations

from babel import numbers

from challenge.game.ruleset import Ruleset
from challenge.web.i18n import box_name, gettext, locale
from challenge.web.pages.review.rounds import Move, Step
from challenge.web.pages.words import split_name

KEPT = "\u00a0"  # the dice of a decision stay on one line


def points(value: float) -> str:
    """``1.8``, ``0.0``: always one place, so that figures stand below each other."""
    return numbers.format_decimal(abs(_rounded(value)), "#,##0.0", locale=locale())


def signed(value: float) -> str:
    """``+4.2``, ``−3.1``, ``0.0``."""
    rounded = _rounded(value)
    return ("+" if rounded > 0 else "−" if rounded < 0 else "") + points(rounded)


def _rounded(value: float) -> float:
    return round(value, 1)


def sentence(step: Step, ruleset: Ruleset) -> str:
    """``You kept 3 3; keeping 3 3 5 was worth 1.8 points more.``"""
    assert step.best is not None  # noqa: S101 (there is no better one to tell of)
    return gettext("%(played)s; %(best)s was worth %(points)s points more.") % {
        "played": _you(step.played, ruleset),
        "best": _would(step.best, ruleset),
        "points": points(step.cost),
    }


def short(move: Move, ruleset: Ruleset) -> str:
    """``kept 3 3``, ``all again``, ``18 in Sixes``."""
    if move.box is not None:
        return gettext("%(n)s in %(box)s") % _entered(move, ruleset)
    if not move.kept:
        return gettext("all rolled again")
    return gettext("kept %(dice)s") % {"dice": _dice(move)}


def better(move: Move, ruleset: Ruleset) -> str:
    """What would have been best, beside what was done: ``better: 3 3 5``."""
    if move.box is not None:
        return gettext("better: %(n)s in %(box)s") % _entered(move, ruleset)
    if not move.kept:
        return gettext("better: roll all again")
    return gettext("better: keep %(dice)s") % {"dice": _dice(move)}


def box_words(box: int, ruleset: Ruleset) -> str:
    """The printed name of a box."""
    return split_name(box_name(ruleset, ruleset.boxes[box].category))[0]


def _you(move: Move, ruleset: Ruleset) -> str:
    if move.box is not None:
        return gettext("You entered %(n)s in %(box)s") % _entered(move, ruleset)
    if not move.kept:
        return gettext("You rolled all dice again")
    return gettext("You kept %(dice)s") % {"dice": _dice(move)}


def _would(move: Move, ruleset: Ruleset) -> str:
    if move.box is not None:
        return gettext("entering %(n)s in %(box)s") % _entered(move, ruleset)
    if not move.kept:
        return gettext("rolling all dice again")
    return gettext("keeping %(dice)s") % {"dice": _dice(move)}


def _dice(move: Move) -> str:
    return KEPT.join(map(str, move.kept))


def _entered(move: Move, ruleset: Ruleset) -> dict[str, object]:
    assert move.box is not None  # noqa: S101 (asked of entries alone)
    return {"n": move.points, "box": box_words(move.box, ruleset)}
