"""Small sheets, one for each kind of rule, as data like the real ones."""

from __future__ import annotations

from challenge.game.categories import (
    AllEqual,
    Contains,
    Face,
    Groups,
    KindAll,
    KindFixed,
    PairsAll,
    PairsOwn,
    Run,
    Sum,
)
from challenge.game.ruleset import Category, ExtraBonus, Joker, Ruleset, UpperBonus


def _upper(*faces):
    return [Category(f"upper{face}", "upper", "", Face(face), ()) for face in faces]


def _lower(**patterns):
    return [Category(id, "lower", "", pattern, ()) for id, pattern in patterns.items()]


YATZY = Category("yatzy", "lower", "", AllEqual(50), (0, 50))
RUN = _lower(straight=Run(3, 30))
HOUSE = _lower(house=Groups(2, 1))


def sheet(id, categories, **data):
    """A sheet of these boxes; three dice unless said."""
    data = {"dice": 3, **data}
    return Ruleset(id, id, id, "small", "small", tuple(categories), 0, **data)


SMALL = [
    sheet("five dice", [YATZY, *_lower(house=Groups(3, 2))], dice=5),
    sheet("six dice", [*_upper(6), *_lower(villa=Groups(3, 3))], dice=6),
    sheet("upper bonus", _upper(1, 4, 6), upper_bonus=UpperBonus(18, 35)),
    sheet(
        "forced joker",
        [*_upper(5, 6), YATZY, *RUN],
        joker=Joker("forced"),
        extra_bonus=ExtraBonus(100),
        upper_bonus=UpperBonus(22, 35),
    ),
    sheet("forced joker alone", [*_upper(2, 3), YATZY, *RUN], joker=Joker("forced")),
    sheet("extra alone", [*_upper(6), YATZY, *RUN, *HOUSE], extra_bonus=ExtraBonus(50)),
    sheet(
        "extra on matching",
        [*_upper(1, 6), YATZY, *HOUSE],
        joker=Joker("forced"),
        extra_bonus=ExtraBonus(50, where="matching_upper_only"),
    ),
    sheet("free joker", [*_upper(6), YATZY, *RUN], joker=Joker("free", needs_prior=True)),
    sheet(
        "free joker, extra",
        [*_upper(5), YATZY, *RUN, *_lower(pair=PairsOwn(1))],
        joker=Joker("free", needs_prior=True),
        extra_bonus=ExtraBonus(100),
    ),
    sheet(
        "joker of a full box",
        [*_upper(4, 6), YATZY, *RUN],
        joker=Joker("forced", needs_box="full_points"),
        extra_bonus=ExtraBonus(50),
    ),
    sheet(
        "in order",
        [*_upper(2, 6), *_lower(straight=Contains((1, 2, 3), 15)), YATZY],
        order="fixed",
        upper_bonus=UpperBonus(14, 50),
    ),
    sheet("side dice", _lower(pair=PairsAll(1), three=KindAll(3), chance=Sum())),
    sheet(
        "served and double",
        [
            Category("poker", "lower", "", KindFixed(2, 40), (0, 40, 45), served=45),
            YATZY,
            Category("double", "lower", "", AllEqual(100), (0, 100), needs="yatzy"),
        ],
    ),
    sheet("two rolls", [*_upper(3), YATZY, *RUN], rolls_per_turn=2),
    sheet(
        "one roll, served",
        [Category("straight", "lower", "", Run(3, 20), (0, 20, 25), served=25), YATZY],
        rolls_per_turn=1,
    ),
]
