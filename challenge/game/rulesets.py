"""Every sheet as data, in display order, and one finder.

Source: RULES.md section 2, one block a sheet. The ``values`` of each category and
each ``max_score`` are data; the tests recompute both.
"""

from __future__ import annotations

from dataclasses import replace

from challenge.errors import UnknownRuleset
from challenge.game.categories import (
    AllEqual,
    Contains,
    Face,
    FullFixed,
    Groups,
    KindAll,
    KindFixed,
    KindOwn,
    PairsAll,
    PairsOwn,
    Pattern,
    Run,
    Sum,
)
from challenge.game.ruleset import Category, ExtraBonus, Joker, Ruleset, UpperBonus

FIVE_DICE = (0, *range(5, 31))
HOUSE = (0, 7, 8, 9, *range(11, 25), 26, 27, 28)
PAIRS = (0, *range(6, 23, 2))


def _multiples(of: int, most: int) -> tuple[int, ...]:
    return tuple(of * n for n in range(most + 1))


def _upper(dice: int) -> tuple[Category, ...]:
    names = ("Ones", "Twos", "Threes", "Fours", "Fives", "Sixes")
    return tuple(
        Category(name.lower(), "upper", name, Face(face), _multiples(face, dice))
        for face, name in enumerate(names, start=1)
    )


def _lower(
    id: str, name: str, pattern: Pattern, *values: int, served: int | None = None, needs: str = ""
) -> Category:
    return Category(id, "lower", name, pattern, values, served, needs or None)


_YACHT = (
    *_upper(5),
    _lower("three_kind", "Three of a kind", KindAll(3), *FIVE_DICE),
    _lower("four_kind", "Four of a kind", KindAll(4), *FIVE_DICE),
    _lower("full_house", "Full house", FullFixed(25), 0, 25),
    _lower("small_straight", "Small straight", Run(4, 30), 0, 30),
    _lower("large_straight", "Large straight", Run(5, 40), 0, 40),
    _lower("yatzy", "Five of a kind", AllEqual(50), 0, 50),
    _lower("chance", "Chance", Sum(), *FIVE_DICE),
)

_YACHT_12 = (
    *_upper(5),
    _lower("full_house", "Full house", Groups(3, 2), *HOUSE),
    _lower("four_kind", "Four of a kind", KindOwn(4), *_multiples(4, 6)),
    _lower("small_straight", "Little straight", Contains((1, 2, 3, 4, 5), 30), 0, 30),
    _lower("large_straight", "Big straight", Contains((2, 3, 4, 5, 6), 30), 0, 30),
    _lower("chance", "Choice", Sum(), *FIVE_DICE),
    _lower("yatzy", "Yacht", AllEqual(50), 0, 50),
)

_STRAIGHTS_15_20 = (
    _lower("small_straight", "Small straight", Contains((1, 2, 3, 4, 5), 15), 0, 15),
    _lower("large_straight", "Large straight", Contains((2, 3, 4, 5, 6), 20), 0, 20),
)

_NORDIC_END = (
    *_STRAIGHTS_15_20,
    _lower("full_house", "Full house", Groups(3, 2), *HOUSE),
    _lower("chance", "Chance", Sum(), *FIVE_DICE),
    _lower("yatzy", "Yatzy (five of a kind)", AllEqual(50), 0, 50),
)

_NORDIC = (
    *_upper(5),
    _lower("one_pair", "One pair", PairsOwn(1), *_multiples(2, 6)),
    _lower("two_pairs", "Two pairs", PairsOwn(2), *PAIRS),
    _lower("three_kind", "Three of a kind", KindOwn(3), *_multiples(3, 6)),
    _lower("four_kind", "Four of a kind", KindOwn(4), *_multiples(4, 6)),
    *_NORDIC_END,
)

_NORDIC_SIDE = (
    *_upper(5),
    _lower("one_pair", "One pair", PairsAll(1), *FIVE_DICE),
    _lower("two_pairs", "Two pairs", PairsAll(2), 0, *range(7, 29)),
    _lower("three_kind", "Three of a kind", KindAll(3), *FIVE_DICE),
    _lower("four_kind", "Four of a kind", KindAll(4), *FIVE_DICE),
    *_NORDIC_END,
)

_MAXI = (
    *_upper(6),
    _lower("one_pair", "One pair", PairsOwn(1), *_multiples(2, 6)),
    _lower("two_pairs", "Two pairs", PairsOwn(2), *PAIRS),
    _lower("three_pairs", "Three pairs", PairsOwn(3), 0, *range(12, 31, 2)),
    _lower("three_kind", "Three of a kind", KindOwn(3), *_multiples(3, 6)),
    _lower("four_kind", "Four of a kind", KindOwn(4), *_multiples(4, 6)),
    _lower("five_kind", "Five of a kind", KindOwn(5), *_multiples(5, 6)),
    *_STRAIGHTS_15_20,
    _lower("full_straight", "Full straight", Contains((1, 2, 3, 4, 5, 6), 21), 0, 21),
    _lower("full_house", "Full house (3+2)", Groups(3, 2), *HOUSE),
    _lower("villa", "Villa (3+3)", Groups(3, 3), 0, *range(9, 34, 3)),
    _lower("tower", "Tower (4+2)", Groups(4, 2), 0, *range(8, 35, 2)),
    _lower("chance", "Chance", Sum(), 0, *range(6, 37)),
    _lower("yatzy", "Maxi Yatzy (six of a kind)", AllEqual(100), 0, 100),
)

_FRENCH = tuple(replace(c, name="Yatzy (five of a kind)") if c.id == "yatzy" else c for c in _YACHT)

_GENERALA = (
    *_upper(5),
    _lower("straight", "Straight (escalera)", Run(5, 20), 0, 20, 25, served=25),
    _lower("full_house", "Full", FullFixed(30), 0, 30, 35, served=35),
    _lower("four_kind", "Poker", KindFixed(4, 40), 0, 40, 45, served=45),
    _lower("yatzy", "Generala", AllEqual(50), 0, 50),
    _lower("double", "Double generala", AllEqual(100), 0, 100, needs="yatzy"),
)

_yacht = Ruleset(
    id="yacht",
    name="Yacht dice (13 boxes)",
    short="Yacht",
    family="yacht",
    names="yacht",
    categories=_YACHT,
    max_score=1575,
    upper_bonus=UpperBonus(63, 35),
    extra_bonus=ExtraBonus(100),
    joker=Joker("forced"),
)

_yatzy = Ruleset(
    id="yatzy",
    name="Nordic sheet (Yatzy)",
    short="Yatzy",
    family="nordic",
    names="yatzy",
    categories=_NORDIC,
    max_score=374,
    upper_bonus=UpperBonus(63, 50),
)

_maxi = Ruleset(
    id="maxi-yatzy",
    name="Maxi sheet, six dice",
    short="Maxi Yatzy",
    family="maxi",
    names="maxi-yatzy",
    categories=_MAXI,
    max_score=649,
    dice=6,
    upper_bonus=UpperBonus(84, 100),
)

_yams = replace(
    _yacht,
    id="yams",
    name="French sheet",
    short="French sheet",
    family="french",
    names="yams",
    categories=_FRENCH,
    max_score=375,
    extra_bonus=None,
    joker=None,
    _cache={},
)


def _like(base: Ruleset, id: str, name: str, short: str, **changes: object) -> Ruleset:
    changed = {"id": id, "name": name, "short": short, "_cache": {}, **changes}
    return replace(base, **changed)  # type: ignore[arg-type]


def _nordic(id: str, name: str, short: str, max_score: int, *switches: str) -> Ruleset:
    """A nordic sheet with its switches, which are independent of each other (RULES.md 2.2)."""
    points = 25 if "b25" in switches else 50
    return _like(
        _yatzy,
        id,
        name,
        short,
        max_score=max_score,
        categories=_NORDIC_SIDE if "side" in switches else _NORDIC,
        order="fixed" if "order" in switches else "free",
        upper_bonus=UpperBonus(42 if "order" in switches else 63, points),
    )


_FREE_JOKER = Joker("free", needs_prior=True)

RULESETS: tuple[Ruleset, ...] = (
    _yacht,
    _like(
        _yacht,
        "yacht-no-joker",
        "Yacht, no joker rule",
        "Yacht without joker",
        joker=None,
        max_score=1480,
    ),
    _like(
        _yacht,
        "yacht-no-bonus",
        "Yacht, no +100",
        "Yacht without bonus",
        extra_bonus=None,
        max_score=375,
    ),
    _like(
        _yacht,
        "yacht-plain",
        "Yacht, plain",
        "Plain Yacht",
        joker=None,
        extra_bonus=None,
        max_score=375,
    ),
    Ruleset(
        id="yacht-12",
        name="Old Yacht (12 boxes)",
        short="Old Yacht",
        family="yacht",
        names="yacht-12",
        categories=_YACHT_12,
        max_score=297,
    ),
    _like(
        _yacht,
        "yacht-triple",
        "Triple sheet (x1 x2 x3)",
        "Triple Yacht",
        columns=(1, 2, 3),
        max_score=9450,
    ),
    _yatzy,
    _nordic("yatzy-side", "Nordic sheet, side dice count", "Yatzy, side dice", 416, "side"),
    _nordic("yatzy-b25", "Nordic sheet, bonus 25", "Yatzy, bonus 25", 349, "b25"),
    _nordic(
        "yatzy-b25-side",
        "Nordic sheet, bonus 25, side dice count",
        "Yatzy, bonus 25, side dice",
        391,
        "b25",
        "side",
    ),
    _nordic("yatzy-order", "Nordic sheet, in order", "Yatzy in order", 374, "order"),
    _nordic(
        "yatzy-order-side",
        "Nordic sheet, in order, side dice count",
        "Yatzy in order, side dice",
        416,
        "order",
        "side",
    ),
    _nordic(
        "yatzy-order-b25",
        "Nordic sheet, in order, bonus 25",
        "Yatzy in order, bonus 25",
        349,
        "order",
        "b25",
    ),
    _nordic(
        "yatzy-order-b25-side",
        "Nordic sheet, in order, bonus 25, side dice count",
        "Yatzy in order, bonus 25, side dice",
        391,
        "order",
        "b25",
        "side",
    ),
    _like(
        _yacht,
        "german-block",
        "German sheet with extra 50s",
        "German block",
        family="german",
        extra_bonus=ExtraBonus(50, where="matching_upper_only"),
        max_score=675,
    ),
    _maxi,
    _like(
        _maxi,
        "maxi-yatzy-saved",
        "Maxi sheet, saved rolls",
        "Maxi Yatzy, saved rolls",
        banked_rolls=True,
    ),
    _like(
        _maxi,
        "maxi-yatzy-order",
        "Maxi sheet, in order",
        "Maxi Yatzy in order",
        order="fixed",
        upper_bonus=UpperBonus(63, 100),
    ),
    _yams,
    _like(
        _yams,
        "yams-premium",
        "French sheet, premium 100",
        "French sheet, premium",
        extra_bonus=ExtraBonus(100),
        max_score=1480,
    ),
    _like(_yams, "yams-joker", "French sheet, joker", "French sheet, joker", joker=_FREE_JOKER),
    _like(
        _yams,
        "yams-joker-premium",
        "French sheet, joker, premium 100",
        "French sheet, joker and premium",
        joker=_FREE_JOKER,
        extra_bonus=ExtraBonus(100),
        max_score=1575,
    ),
    _like(
        _yacht,
        "yatzy-13",
        "13-box sheet, +50 per further Yatzy",
        "Yatzy 13",
        family="click13",
        names="yatzy-13",
        categories=_FRENCH,
        extra_bonus=ExtraBonus(50),
        joker=Joker("forced", needs_box="full_points"),
        max_score=975,
    ),
    Ruleset(
        id="generala",
        name="Generala",
        short="Generala",
        family="generala",
        names="generala",
        categories=_GENERALA,
        max_score=360,
    ),
)

DEFAULT = "yacht"

# Sheets as they were before a change, until the last board opened under them is closed.
RETIRED: tuple[Ruleset, ...] = ()

_BY_ID = {ruleset.id: ruleset for ruleset in RULESETS}
_BY_FINGERPRINT = {ruleset.fingerprint: ruleset for ruleset in (*RETIRED, *RULESETS)}


def find(id: str) -> Ruleset:
    """The sheet of this id as it is offered now.

    Raises:
        UnknownRuleset: no sheet has it.
    """
    ruleset = _BY_ID.get(id)
    if ruleset is None:
        raise UnknownRuleset(id)
    return ruleset


def find_edition(fingerprint: str) -> Ruleset | None:
    """The sheet a board was opened under, current or retired; None if the code lost it."""
    return _BY_FINGERPRINT.get(fingerprint)
