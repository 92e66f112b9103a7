"""Examples for the rules of a sheet: which dice to draw, scored by the engine itself.

Nothing here knows a sheet by its name: a throw is picked because of what the boxes of the
sheet make of it, a joker is shown on a sheet filled for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from challenge.game import scorecard
from challenge.game.categories import Face, Sum
from challenge.game.dice import Dice, throws
from challenge.game.ruleset import Category, Ruleset
from challenge.game.scorecard import Scorecard

FACE = 4  # of the all-equal throws drawn for joker and extra bonus
EACH = 3  # how often the face of an upper box lies in its example


@dataclass(frozen=True, slots=True)
class Offer:
    """A box a throw may go to: what is written there, and the extra bonus on top."""

    category: Category
    points: int
    extra: int


@dataclass(frozen=True, slots=True)
class Example:
    """A throw on a sheet filled with ``scores``, and every line it may go to."""

    dice: Dice
    scores: Mapping[str, int]
    offers: tuple[Offer, ...]

    def points_in(self, category: str) -> int:
        """What the throw gives in a line of this id."""
        return next(o.points for o in self.offers if o.category.id == category)


def place(ruleset: Ruleset, dice: Dice, scores: Mapping[str, int]) -> Example:
    """Where the dice may go in the second roll of a turn, one offer a line of the sheet.

    A sheet with an all-equal box filled is taken to have one all-equal entry behind it.
    """
    card = _card(ruleset, scores)
    placed = scorecard.placement(card, dice, False)
    offers: dict[str, Offer] = {}
    for i, box in enumerate(ruleset.boxes):
        if placed.legal >> i & 1:
            extra = placed.extra if placed.extra_boxes >> i & 1 else 0
            points = scorecard.value_in(card, i, placed)
            offers.setdefault(box.category.id, Offer(box.category, points, extra))
    return Example(dice, dict(scores), tuple(offers.values()))


def of_box(ruleset: Ruleset, category: Category) -> Example:
    """The most telling throw for a line: it fits there and in as few other lines as can be."""
    index = ruleset.categories.index(category)
    return place_in(ruleset, category.id, _typical(ruleset, index))


def place_in(ruleset: Ruleset, category: str, dice: Dice) -> Example:
    """The dice on a sheet on which this line is open and counts, all else being blank."""
    return place(ruleset, dice, _before(ruleset, _position(ruleset, category)))


def full_yatzy(ruleset: Ruleset) -> dict[str, int]:
    """The all-equal boxes of all columns, full."""
    return _all(ruleset, ruleset.yatzy_boxes, ruleset.yatzy_points)


def struck_yatzy(ruleset: Ruleset) -> dict[str, int]:
    """The all-equal boxes of all columns, struck."""
    return _all(ruleset, ruleset.yatzy_boxes, 0)


def ladder(ruleset: Ruleset) -> list[Example]:
    """An all-equal throw on each step of the joker rule: own upper box open, filled, all full."""
    full = full_yatzy(ruleset)
    own = full | _all(ruleset, ruleset.matching_boxes[FACE], EACH * FACE)
    rest = _all(ruleset, ruleset.lower_boxes & ~ruleset.yatzy_boxes, 0)
    return [place(ruleset, equal(ruleset), scores) for scores in (full, own, own | rest)]


def equal(ruleset: Ruleset) -> Dice:
    """The all-equal throw of the examples."""
    return (FACE,) * ruleset.dice


def _card(ruleset: Ruleset, scores: Mapping[str, int]) -> Scorecard:
    met = any(ruleset.boxes[ruleset.index[box]].category.id == "yatzy" for box in scores)
    return scorecard.filled(ruleset, scores, fives=int(met))


def _all(ruleset: Ruleset, mask: int, points: int) -> dict[str, int]:
    return {box.id: points for i, box in enumerate(ruleset.boxes) if mask >> i & 1}


def _position(ruleset: Ruleset, category: str) -> int:
    return [each.id for each in ruleset.categories].index(category)


def _before(ruleset: Ruleset, index: int) -> dict[str, int]:
    """What must stand on the sheet for a line to be open and count."""
    if ruleset.order == "fixed":
        return {box.id: 0 for box in ruleset.boxes[:index]}
    needed = ruleset.needed[index]
    if needed is None:
        return {}
    box = ruleset.boxes[needed]
    return {box.id: box.category.values[-1]}


@cache
def _typical(ruleset: Ruleset, index: int) -> Dice:
    fitting = [throw for throw in throws(ruleset.dice) if _fits(ruleset, index, throw)]
    fewest = min(_others(ruleset, index, throw) for throw in fitting)
    clear = [throw for throw in fitting if _others(ruleset, index, throw) == fewest]
    clear.sort(key=lambda throw: (ruleset.values_of(throw, False)[index], throw))
    return clear[len(clear) // 2]


def _fits(ruleset: Ruleset, index: int, throw: Dice) -> bool:
    pattern = ruleset.categories[index].pattern
    if isinstance(pattern, Face):
        return throw.count(pattern.face) == EACH
    return ruleset.values_of(throw, False)[index] > 0


def _others(ruleset: Ruleset, index: int, throw: Dice) -> int:
    """How many other combinations the throw makes as well."""
    values = ruleset.values_of(throw, False)
    return sum(
        values[i] > 0
        for i, category in enumerate(ruleset.categories)
        if i != index and not isinstance(category.pattern, Face | Sum)
    )
