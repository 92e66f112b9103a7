"""Questions people ask about a sheet; the engine gives the answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from challenge.game import scorecard
from challenge.game.dice import Dice
from challenge.game.ruleset import Ruleset
from challenge.game.scorecard import column_totals
from challenge.web.i18n import gettext, ngettext
from challenge.web.pages.rules import examples
from challenge.web.pages.rules.examples import Example, Offer
from challenge.web.pages.rules.pattern_words import named

_HIGH = (2, 3, 4, 5, 6)


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answer; ``category`` is the line the throw is entered in."""

    text: str
    answer: str
    category: str
    example: Example


def of(ruleset: Ruleset) -> list[Question]:
    """The questions that make sense for a sheet."""
    lines = {category.id for category in ruleset.categories}
    asked = [each for each in (*_throws(ruleset), *_six(ruleset)) if each[1] in lines]
    found = [_answered(ruleset, *each) for each in asked]
    return [*found, *_further(ruleset)]


# -- what a throw gives on an empty sheet -------------------------------------------------


def _throws(ruleset: Ruleset) -> Iterator[tuple[str, str, Dice]]:
    def fit(dice: Dice, sixth: int) -> Dice:
        return dice if ruleset.dice == len(dice) else (*dice, sixth)

    lines = {category.id for category in ruleset.categories}
    straight = "straight" if "straight" in lines else "small_straight"
    equal, four = examples.equal(ruleset), gettext("Are four in a row enough for “%(box)s”?")
    for line in ("full_house", "villa", "tower"):
        yield gettext("Do equal dice alone count as “%(box)s”?"), line, equal
    yield four, "small_straight", fit((1, 2, 3, 4, 4), 4)
    yield gettext("Does 2-3-4-5-6 count as “%(box)s” too?"), "small_straight", fit(_HIGH, 6)
    yield gettext("Are 6 and 1 neighbours in a straight?"), straight, fit((1, 2, 3, 5, 6), 6)
    yield gettext("Are four equal dice two pairs?"), "two_pairs", fit((2, 4, 4, 4, 4), 6)
    yield gettext("Do the other dice count in “%(box)s”?"), "three_kind", fit((2, 4, 4, 4, 5), 6)


def _six(ruleset: Ruleset) -> Iterator[tuple[str, str, Dice]]:
    if ruleset.dice == 6:
        text = gettext("Do four equal dice and a pair count as “%(box)s”?")
        for line in ("full_house", "two_pairs", "three_pairs"):
            yield text, line, (2, 2, 5, 5, 5, 5)
        text = gettext("Do three and three equal dice count as “%(box)s”?")
        for line in ("full_house", "two_pairs"):
            yield text, line, (2, 2, 2, 5, 5, 5)
        text = gettext("Does 1-2-3-4-5-6 count as “%(box)s” too?")
        yield text, "large_straight", (1, 2, 3, 4, 5, 6)


def _answered(ruleset: Ruleset, text: str, category: str, dice: Dice) -> Question:
    example = examples.place_in(ruleset, category, dice)
    points = example.points_in(category)
    fits = points == sum(dice) if category == "three_kind" else points > 0
    answer = _said(fits, points)
    if ruleset.joker is not None and category == "full_house" and not fits:
        joker = examples.ladder(ruleset)[1].points_in(category)
        answer += " " + gettext("As a joker: %(n)d.") % {"n": joker}
    return Question(text % {"box": named(ruleset, category)}, answer, category, example)


def _said(fits: bool, points: int) -> str:
    if fits:
        return ngettext("Yes: %(n)d point.", "Yes: %(n)d points.", points) % {"n": points}
    return ngettext("No: %(n)d point.", "No: %(n)d points.", points) % {"n": points}


# -- what comes after the first all-equal throw -------------------------------------------


def _further(ruleset: Ruleset) -> Iterator[Question]:
    if ruleset.joker is None and ruleset.extra_bonus is None:
        return
    dice, own = examples.equal(ruleset), ruleset.categories[examples.FACE - 1].id
    first = examples.place(ruleset, dice, {})
    text = gettext("Must the first throw of equal dice go to “%(box)s”?")
    free = len(first.offers) == len(ruleset.categories)
    yield _plain(ruleset, text, not free, own, first)
    if ruleset.extra_bonus is not None:
        yield from _extras(ruleset, dice, own)


def _extras(ruleset: Ruleset, dice: Dice, own: str) -> Iterator[Question]:
    struck = examples.place(ruleset, dice, examples.struck_yatzy(ruleset))
    text = gettext("Is there an extra after a 0 in “%(box)s”?")
    yield _plain(ruleset, text, _offer(struck, own).extra > 0, own, struck)
    full = examples.place(ruleset, dice, examples.full_yatzy(ruleset))
    if ruleset.upper_bonus is not None:
        text = gettext("Do the extra points count for the upper bonus?")
        yield _plain(ruleset, text, _counts_above(ruleset, own), own, full)
    nothing = [offer for offer in full.offers if offer.points == 0]
    if nothing:
        text = gettext("Is the extra paid where the box itself gives 0?")
        yield _plain(ruleset, text, nothing[0].extra > 0, nothing[0].category.id, full)


def _counts_above(ruleset: Ruleset, own: str) -> bool:
    box = next(box.id for box in ruleset.boxes if box.category.id == own)
    entered, extra = (scorecard.filled(ruleset, {box: 0}, {0: n}) for n in (0, 1))
    return column_totals(extra)[0].upper > column_totals(entered)[0].upper


def _plain(ruleset: Ruleset, text: str, yes: bool, category: str, example: Example) -> Question:
    answer = gettext("Yes.") if yes else gettext("No.")
    return Question(text % {"box": named(ruleset, "yatzy")}, answer, category, example)


def _offer(example: Example, category: str) -> Offer:
    return next(offer for offer in example.offers if offer.category.id == category)
