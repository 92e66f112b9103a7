"""A sheet as filled: which boxes are legal, what they would score, what it all adds up to.

Source: RULES.md sections 1–3. Every rule is read from the data of the sheet.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from challenge.game.dice import Dice
from challenge.game.ruleset import Ruleset


class Placement(NamedTuple):
    """Where a throw may go: a reason code (RULES.md section 3), a box mask, how it counts.

    ``values`` are the points per box, ``extra`` what comes on top wherever the mask
    ``extra_boxes`` allows it.
    """

    reason: str
    legal: int
    values: tuple[int, ...]
    extra: int = 0
    extra_boxes: int = 0


class ColumnTotal(NamedTuple):
    """The sums of one column, not multiplied by its factor."""

    boxes: int
    upper: int
    bonus: int
    extras: int


class Scorecard(NamedTuple):
    """An immutable sheet: ``scores`` per box (None = open), ``extras`` (a count) per column.

    ``open`` is the bit mask of open boxes, ``fives`` the number of turns entered with
    all dice equal.
    """

    ruleset: Ruleset
    scores: tuple[int | None, ...]
    extras: tuple[int, ...]
    fives: int
    open: int


def blank(ruleset: Ruleset) -> Scorecard:
    """The sheet before the first entry."""
    return Scorecard(
        ruleset, (None,) * len(ruleset.boxes), (0,) * len(ruleset.columns), 0, ruleset.all_boxes
    )


def filled(
    ruleset: Ruleset,
    scores: Mapping[str, int],
    extras: Mapping[int, int] = MappingProxyType({}),
    fives: int = 0,
) -> Scorecard:
    """A sheet with these boxes filled (by id) and this many extra bonuses per column index."""
    values = tuple(scores.get(box.id) for box in ruleset.boxes)
    taken = sum(1 << i for i, value in enumerate(values) if value is not None)
    counts = tuple(extras.get(column, 0) for column in range(len(ruleset.columns)))
    return Scorecard(ruleset, values, counts, fives, ruleset.all_boxes & ~taken)


def placement(card: Scorecard, dice: Dice, served: bool) -> Placement:
    """Where the dice may go and what they give there.

    ``served`` says that the dice are the first roll of their turn.
    """
    ruleset = card.ruleset
    values = ruleset.values_of(dice, served)
    if ruleset.order == "fixed":
        return Placement("next_only", card.open & -card.open, values)
    if dice.count(dice[0]) != ruleset.dice:
        return Placement("choose", card.open, values)
    return _with_extra(card, dice[0], _place_all_equal(card, dice[0], values))


def _place_all_equal(card: Scorecard, face: int, values: tuple[int, ...]) -> Placement:
    """The forced ladder and the free joker of RULES.md section 3."""
    ruleset = card.ruleset
    joker = ruleset.joker
    if joker is None or not _box_state(card, joker.needs_box):
        return Placement("choose", card.open, values)
    matching = card.open & ruleset.matching_boxes[face]
    if joker.mode == "free":
        if matching or (joker.needs_prior and not card.fives):
            return Placement("choose", card.open, values)
        return Placement("joker_offer", card.open, ruleset.joker_values[face])
    if matching:
        return Placement("must_matching", matching, values)
    lower = card.open & ruleset.lower_boxes
    if lower:
        return Placement("joker_lower", lower, ruleset.joker_values[face])
    return Placement("zero_upper", card.open, values)


def _with_extra(card: Scorecard, face: int, placed: Placement) -> Placement:
    bonus = card.ruleset.extra_bonus
    if bonus is None or not _box_state(card, "full_points"):
        return placed
    boxes = placed.legal
    if bonus.where == "matching_upper_only":
        boxes &= card.ruleset.matching_boxes[face]
    reason = "extra_points" if boxes and placed.reason == "choose" else placed.reason
    return placed._replace(reason=reason, extra=bonus.points if boxes else 0, extra_boxes=boxes)


def _box_state(card: Scorecard, wanted: str) -> bool:
    """Whether the all-equal boxes of all columns are ``filled`` or hold their ``full_points``."""
    ruleset = card.ruleset
    if card.open & ruleset.yatzy_boxes:
        return False
    return wanted == "filled" or all(
        card.scores[i] == ruleset.yatzy_points
        for i in range(len(card.scores))
        if ruleset.yatzy_boxes >> i & 1
    )


def value_in(card: Scorecard, box: int, placed: Placement) -> int:
    """What scoring into an open box writes there, extra bonus apart."""
    needed = card.ruleset.needed[box]
    return placed.values[box] if needed is None or card.scores[needed] else 0


def enter(card: Scorecard, box: int, dice: Dice, placed: Placement) -> Scorecard:
    """The sheet with the dice entered as ``placed``; the box must be legal in it."""
    scores = (*card.scores[:box], value_in(card, box, placed), *card.scores[box + 1 :])
    extras = card.extras
    if placed.extra_boxes >> box & 1:
        column = card.ruleset.boxes[box].column
        extras = tuple(n + (i == column) for i, n in enumerate(extras))
    fives = card.fives + (dice.count(dice[0]) == card.ruleset.dice)
    return Scorecard(card.ruleset, scores, extras, fives, card.open & ~(1 << box))


def column_totals(card: Scorecard) -> tuple[ColumnTotal, ...]:
    """The sums of each column; the bonus counts as soon as its threshold is reached."""
    ruleset = card.ruleset
    bonus = ruleset.upper_bonus
    extra = ruleset.extra_bonus.points if ruleset.extra_bonus else 0
    totals = []
    for (whole, uppers), extras in zip(ruleset.column_slices, card.extras, strict=True):
        upper = sum(filter(None, card.scores[uppers]))
        reached = bonus is not None and upper >= bonus.threshold
        totals.append(
            ColumnTotal(
                sum(filter(None, card.scores[whole])),
                upper,
                bonus.points if bonus is not None and reached else 0,
                extras * extra,
            )
        )
    return tuple(totals)


def weigh(ruleset: Ruleset, columns: tuple[ColumnTotal, ...]) -> int:
    """Σ over columns of factor × (boxes + upper bonus + extras)."""
    return sum(
        factor * (column.boxes + column.bonus + column.extras)
        for factor, column in zip(ruleset.columns, columns, strict=True)
    )


def total(card: Scorecard) -> int:
    """The score of a sheet as it stands."""
    return weigh(card.ruleset, column_totals(card))
