"""What differs between two sheets, row by row, computed from their data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from challenge.game.ruleset import Category, Ruleset
from challenge.web.i18n import decimal, gettext, pgettext
from challenge.web.pages.rules.pattern_words import condition, points, title


@dataclass(frozen=True, slots=True)
class Row:
    """One point in which two sheets differ, in words for each."""

    name: str
    here: str
    there: str


def rows(here: Ruleset, there: Ruleset) -> list[Row]:
    """The rows in which ``here`` differs from ``there``; a mere other name is none."""
    found = [Row(name, *pair) for name, *pair in (*_facts(here, there), *_boxes(here, there))]
    return [row for row in found if row.here != row.there]


def _facts(here: Ruleset, there: Ruleset) -> Iterator[tuple[str, str, str]]:
    yield gettext("Dice"), str(here.dice), str(there.dice)
    yield gettext("Boxes"), str(here.rounds), str(there.rounds)
    yield gettext("Columns"), _columns(here), _columns(there)
    yield gettext("Order"), _order(here), _order(there)
    yield gettext("Rolls a turn"), _rolls(here), _rolls(there)
    yield gettext("Upper bonus"), _bonus(here), _bonus(there)
    yield gettext("Extra"), _extra(here), _extra(there)
    yield pgettext("rule", "Joker"), _joker(here), _joker(there)
    yield gettext("Highest score"), decimal(here.max_score), decimal(there.max_score)


def _boxes(here: Ruleset, there: Ruleset) -> Iterator[tuple[str, str, str]]:
    mine = {category.id: category for category in here.categories}
    other = {category.id: category for category in there.categories}
    for id, category in (other | mine).items():
        name = title(here if id in mine else there, category)
        yield name, *_apart(_box(here, mine.get(id)), _box(there, other.get(id)))


def _apart(here: tuple[str, str], there: tuple[str, str]) -> tuple[str, str]:
    """What a box asks is only said where it is not the same on both sheets."""
    if here[0] == there[0]:
        return here[1], there[1]
    return ": ".join(filter(None, here)), ": ".join(filter(None, there))


def _box(ruleset: Ruleset, category: Category | None) -> tuple[str, str]:
    """What a box asks and what it gives."""
    if category is None:
        return gettext("no such box"), ""
    return condition(ruleset, category), points(ruleset, category)


def _columns(ruleset: Ruleset) -> str:
    factors = ruleset.columns
    return str(len(factors)) if len(factors) == 1 else " ".join(f"×{factor}" for factor in factors)


def _order(ruleset: Ruleset) -> str:
    return gettext("top to bottom") if ruleset.order == "fixed" else gettext("free to choose")


def _rolls(ruleset: Ruleset) -> str:
    text = gettext("%(n)d and saved ones") if ruleset.banked_rolls else "%(n)d"
    return text % {"n": ruleset.rolls_per_turn}


def _bonus(ruleset: Ruleset) -> str:
    rule = ruleset.upper_bonus
    if rule is None:
        return pgettext("rule", "none")
    return gettext("+%(points)d from %(threshold)d on") % {
        "points": rule.points,
        "threshold": rule.threshold,
    }


def _extra(ruleset: Ruleset) -> str:
    rule = ruleset.extra_bonus
    if rule is None:
        return pgettext("extra bonus", "none")
    only = gettext("+%(n)d, only in its own upper box")
    text = only if rule.where == "matching_upper_only" else "+%(n)d"
    return text % {"n": rule.points}


def _joker(ruleset: Ruleset) -> str:
    rule = ruleset.joker
    if rule is None:
        return pgettext("rule", "none")
    if rule.mode == "free":
        return gettext("free to choose")
    if rule.needs_box == "full_points":
        return gettext("forced, from %(n)d in the box on") % {"n": ruleset.yatzy_points}
    return gettext("forced, as soon as the box is filled")
