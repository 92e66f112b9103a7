"""A sheet as data: frozen types, no rule of any one sheet.

The rules that read these data stand in :mod:`challenge.game.scorecard`, the
sheets themselves in :mod:`challenge.game.rulesets`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Literal

from challenge.game.categories import Face, Pattern, joker_points
from challenge.game.dice import Dice, throws

Section = Literal["upper", "lower"]


@dataclass(frozen=True, slots=True)
class Category:
    """One line of a sheet.

    ``values`` are the scores it can hold, ascending. ``served`` replaces the points
    of the pattern when made with the first roll of the turn; ``needs`` names a
    category that must hold more than 0 before this one scores.
    """

    id: str
    section: Section
    name: str
    pattern: Pattern
    values: tuple[int, ...]
    served: int | None = None
    needs: str | None = None


@dataclass(frozen=True, slots=True)
class Box:
    """One line of one column; ``id`` is ``"ones"``, or ``"2:ones"`` on a sheet of columns."""

    id: str
    category: Category
    column: int


@dataclass(frozen=True, slots=True)
class UpperBonus:
    """``points`` once the upper boxes of a column hold ``threshold`` or more."""

    threshold: int
    points: int


@dataclass(frozen=True, slots=True)
class ExtraBonus:
    """Points beside the boxes for a further all-equal throw while every all-equal box is full."""

    points: int
    needs: Literal["yatzy_box_full_points"] = "yatzy_box_full_points"
    where: Literal["any", "matching_upper_only"] = "any"


@dataclass(frozen=True, slots=True)
class Joker:
    """Placement of an all-equal throw once the all-equal box is taken (RULES.md section 3)."""

    mode: Literal["forced", "free"]
    needs_box: Literal["filled", "full_points"] = "filled"
    needs_prior: bool = False


@dataclass(frozen=True, eq=False)  # a sheet is itself: hashing all of it would cost
class Ruleset:
    """A sheet. ``columns`` are the factors of its columns, ``(1,)`` for most.

    ``names`` is the message context under which the catalogues keep the labels of
    its boxes, since one English label has several German ones.
    """

    id: str
    name: str
    short: str
    family: str
    names: str
    categories: tuple[Category, ...]
    max_score: int
    dice: int = 5
    rolls_per_turn: int = 3
    columns: tuple[int, ...] = (1,)
    order: Literal["free", "fixed"] = "free"
    banked_rolls: bool = False
    upper_bonus: UpperBonus | None = None
    extra_bonus: ExtraBonus | None = None
    joker: Joker | None = None
    _cache: dict[tuple[Dice, bool], tuple[int, ...]] = field(
        default_factory=dict, repr=False, compare=False, hash=False
    )

    @cached_property
    def boxes(self) -> tuple[Box, ...]:
        """All boxes, column after column; an index into this is what the log stores."""
        many = len(self.columns) > 1
        return tuple(
            Box(f"{column + 1}:{category.id}" if many else category.id, category, column)
            for column in range(len(self.columns))
            for category in self.categories
        )

    @cached_property
    def index(self) -> dict[str, int]:
        """Box id -> position in :attr:`boxes`."""
        return {box.id: i for i, box in enumerate(self.boxes)}

    @property
    def rounds(self) -> int:
        """Turns of a game: one a box."""
        return len(self.boxes)

    @cached_property
    def all_boxes(self) -> int:
        """Bit mask of every box."""
        return (1 << len(self.boxes)) - 1

    @cached_property
    def lower_boxes(self) -> int:
        """Bit mask of the lower boxes of all columns."""
        return self._mask(lambda box: box.category.section == "lower")

    @cached_property
    def yatzy_boxes(self) -> int:
        """Bit mask of the all-equal boxes of all columns."""
        return self._mask(lambda box: box.category.id == "yatzy")

    @cached_property
    def yatzy_points(self) -> int:
        """What a full all-equal box holds."""
        return next(c.values[-1] for c in self.categories if c.id == "yatzy")

    @cached_property
    def matching_boxes(self) -> tuple[int, ...]:
        """Face -> bit mask of its upper boxes in all columns (index 0 unused)."""
        return tuple(self._mask(partial(_is_of_face, face)) for face in range(7))

    @cached_property
    def needed(self) -> tuple[int | None, ...]:
        """Box index -> index of the box it depends on in the same column, or None."""
        width = len(self.categories)
        position = {c.id: i for i, c in enumerate(self.categories)}
        return tuple(
            None
            if box.category.needs is None
            else box.column * width + position[box.category.needs]
            for box in self.boxes
        )

    @cached_property
    def column_slices(self) -> tuple[tuple[slice, slice], ...]:
        """Per column the slice of all its boxes and the slice of its upper boxes."""
        width = len(self.categories)
        uppers = sum(c.section == "upper" for c in self.categories)
        return tuple(
            (slice(start, start + width), slice(start, start + uppers))
            for start in range(0, width * len(self.columns), width)
        )

    @cached_property
    def joker_values(self) -> tuple[tuple[int, ...], ...]:
        """Face -> what an all-equal throw of it gives in each box as a joker (index 0 unused)."""
        throw_of = [(face,) * self.dice for face in range(7)]
        return tuple(
            tuple(joker_points(box.category.pattern)(throw) for box in self.boxes)
            for throw in throw_of
        )

    def values_of(self, dice: Dice, served: bool) -> tuple[int, ...]:
        """What a throw gives in each box by nature, in the order of :attr:`boxes`.

        ``served`` says the throw is the first roll of its turn. ``needs`` is not
        looked at: it depends on the sheet as filled.
        """
        key = (tuple(sorted(dice)), served)
        found = self._cache.get(key)
        if found is None:
            one = tuple(_natural(category, key[0], served) for category in self.categories)
            found = self._cache[key] = one * len(self.columns)
        return found

    def reachable_values(self, category: Category) -> tuple[int, ...]:
        """Every value some throw gives in a category, jokers included, plus 0: its legal values."""
        found = {0}
        for throw in throws(self.dice):
            found |= {_natural(category, throw, served) for served in (False, True)}
        if self.joker is not None and category.section == "lower":
            found |= {joker_points(category.pattern)((face,) * self.dice) for face in range(1, 7)}
        return tuple(sorted(found))

    @cached_property
    def fingerprint(self) -> str:
        """Hex SHA-256 of all that decides a game; names do not count."""
        parts = [self.id, self.dice, self.rolls_per_turn, self.columns, self.order]
        parts += [self.banked_rolls, self.upper_bonus, self.extra_bonus, self.joker]
        parts += [(c.id, c.section, c.pattern, c.served, c.needs) for c in self.categories]
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def _mask(self, wanted: Callable[[Box], bool]) -> int:
        return sum(1 << i for i, box in enumerate(self.boxes) if wanted(box))


def _is_of_face(face: int, box: Box) -> bool:
    return box.category.pattern == Face(face)


def _natural(category: Category, dice: Dice, served: bool) -> int:
    points = category.pattern.points(dice)
    return category.served if points and served and category.served is not None else points
