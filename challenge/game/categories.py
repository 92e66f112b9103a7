"""The scoring atoms: what the dice of a box must show and what they give.

Source: RULES.md section 1, table of scoring atoms. A pattern is data with one
method, ``points(dice) -> int``, 0 where its condition fails; the order of the
dice never matters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import Protocol

from challenge.game.dice import FACES, Dice, all_equal, counts


class Pattern(Protocol):
    """What a throw gives in a box, by itself."""

    def points(self, dice: Dice) -> int:
        """Points of the throw, 0 where the condition fails."""
        ...


@dataclass(frozen=True, slots=True)
class Face:
    """``face × count(face)``; never fails, but may be 0."""

    face: int

    def points(self, dice: Dice) -> int:
        """Sum of the dice showing the face."""
        return self.face * dice.count(self.face)


@dataclass(frozen=True, slots=True)
class Sum:
    """All dice added up, whatever they show."""

    def points(self, dice: Dice) -> int:
        """Sum of all dice."""
        return sum(dice)


@dataclass(frozen=True, slots=True)
class AllEqual:
    """One face on every die."""

    fixed: int

    def points(self, dice: Dice) -> int:
        """The fixed points or 0."""
        return self.fixed if all_equal(dice) else 0


@dataclass(frozen=True, slots=True)
class KindAll:
    """Some face ``n`` times or more: the sum of all dice."""

    n: int

    def points(self, dice: Dice) -> int:
        """Sum of all dice or 0."""
        return sum(dice) if max(counts(dice)) >= self.n else 0


@dataclass(frozen=True, slots=True)
class KindOwn:
    """Some face ``n`` times or more: ``n`` times the highest such face."""

    n: int

    def points(self, dice: Dice) -> int:
        """Sum of the ``n`` dice alone or 0."""
        return self.n * max(_faces_with(dice, self.n), default=0)


@dataclass(frozen=True, slots=True)
class KindFixed:
    """Some face ``n`` times or more: fixed points."""

    n: int
    fixed: int

    def points(self, dice: Dice) -> int:
        """The fixed points or 0."""
        return self.fixed if max(counts(dice)) >= self.n else 0


@dataclass(frozen=True, slots=True)
class PairsOwn:
    """``n`` different faces at least twice each: twice the sum of the ``n`` highest."""

    n: int

    def points(self, dice: Dice) -> int:
        """Sum of the paired dice alone or 0; four equal dice are one pair."""
        paired = _faces_with(dice, 2)
        return 2 * sum(sorted(paired)[-self.n :]) if len(paired) >= self.n else 0


@dataclass(frozen=True, slots=True)
class PairsAll:
    """``n`` different faces at least twice each: the sum of all dice."""

    n: int

    def points(self, dice: Dice) -> int:
        """Sum of all dice or 0."""
        return sum(dice) if len(_faces_with(dice, 2)) >= self.n else 0


@dataclass(frozen=True, slots=True)
class FullFixed:
    """Exactly three of one face and two of another: fixed points (five equal: no)."""

    fixed: int

    def points(self, dice: Dice) -> int:
        """The fixed points or 0."""
        return self.fixed if sorted(c for c in counts(dice) if c) == [2, 3] else 0


@dataclass(frozen=True, slots=True)
class Groups:
    """``a`` of one face and ``b`` of another, at least: ``a·f + b·g`` at its best."""

    a: int
    b: int

    def points(self, dice: Dice) -> int:
        """The best sum over two different faces or 0 (all dice equal: 0)."""
        found = counts(dice)
        return max(
            (
                self.a * f + self.b * g
                for f, g in permutations(FACES, 2)
                if found[f] >= self.a and found[g] >= self.b
            ),
            default=0,
        )


@dataclass(frozen=True, slots=True)
class Contains:
    """Every one of the faces occurs: fixed points."""

    faces: tuple[int, ...]
    fixed: int

    def points(self, dice: Dice) -> int:
        """The fixed points or 0."""
        return self.fixed if set(self.faces) <= set(dice) else 0


@dataclass(frozen=True, slots=True)
class Run:
    """Some ``n`` consecutive faces all occur: fixed points (6 and 1 are no neighbours)."""

    n: int
    fixed: int

    def points(self, dice: Dice) -> int:
        """The fixed points or 0."""
        longest = length = 1
        for low, high in pairwise(sorted(set(dice))):
            length = length + 1 if high == low + 1 else 1
            longest = max(longest, length)
        return self.fixed if longest >= self.n else 0


def _faces_with(dice: Dice, least: int) -> list[int]:
    found = counts(dice)
    return [face for face in FACES if found[face] >= least]


def joker_points(pattern: Pattern) -> Callable[[Dice], int]:
    """What an all-equal throw gives in a lower box when it counts as a joker.

    Full house and straights give their fixed points, every other box its natural
    value (RULES.md section 3, step 2 of the forced ladder).
    """
    if isinstance(pattern, FullFixed | Run):
        fixed = pattern.fixed
        return lambda _dice: fixed
    return pattern.points
