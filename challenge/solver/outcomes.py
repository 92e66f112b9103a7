"""Dice without positions: every keep, every throw, and how likely a throw is.

A keep is a multiset of faces, sorted; a full one is a throw. With ``n`` dice there are
C(n + 6, 6) keeps: 462 for five dice, 924 for six.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from math import factorial, prod
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from challenge.game.dice import FACES, Dice, throws

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float64]


class Steps(NamedTuple):
    """The arrays a solver walks: one die more, one die less.

    ``more[k, f]`` is the keep ``k`` with one die of face ``f + 1`` added (keeps that are
    not full). ``fewer[k]`` lists the different keeps with one die less, ``fewer_count[k]``
    of them, the last one repeated up to six. Keep 0 is empty; keeps from ``first_throw`` on
    are full, in the order of :func:`challenge.game.dice.throws`. ``chance[t]`` is the
    probability of throw ``t``.
    """

    more: Ints
    fewer: Ints
    fewer_count: Ints
    chance: Floats
    first_throw: int


@dataclass(frozen=True, eq=False)
class Outcomes:
    """All keeps of ``dice`` dice: ``keeps`` ascending by size, ``index`` back from a keep."""

    dice: int
    keeps: tuple[Dice, ...]
    index: dict[Dice, int]
    steps: Steps

    @property
    def throws(self) -> tuple[Dice, ...]:
        """The full keeps."""
        return self.keeps[self.steps.first_throw :]

    @cached_property
    def sizes(self) -> tuple[slice, ...]:
        """Number of dice kept -> where those keeps stand."""
        lengths = [len(keep) for keep in self.keeps]
        starts = [lengths.index(size) for size in range(self.dice + 1)]
        return tuple(map(slice, starts, [*starts[1:], len(lengths)]))

    def throw_of(self, dice: Dice) -> int:
        """The number of a throw in any order, 0 to 251 with five dice."""
        return self.index[tuple(sorted(dice))] - self.steps.first_throw


@cache
def outcomes(dice: int) -> Outcomes:
    """The keeps of this many dice, made once."""
    keeps = tuple(keep for size in range(dice + 1) for keep in throws(size))
    index = {keep: i for i, keep in enumerate(keeps)}
    first_throw = len(keeps) - len(throws(dice))
    more = [[index[_with(keep, face)] for face in FACES] for keep in keeps[:first_throw]]
    fewer = [sorted({index[_without(keep, face)] for face in keep}) for keep in keeps]
    chance = [_chance(throw) for throw in keeps[first_throw:]]
    steps = Steps(
        np.array(more, np.int32),
        np.array([(row + row[-1:] * 6 or [0] * 6)[:6] for row in fewer], np.int32),
        np.array([len(row) for row in fewer], np.int32),
        np.array(chance),
        first_throw,
    )
    return Outcomes(dice, keeps, index, steps)


def _with(keep: Dice, face: int) -> Dice:
    return tuple(sorted((*keep, face)))


def _without(keep: Dice, face: int) -> Dice:
    at = keep.index(face)
    return keep[:at] + keep[at + 1 :]


def _chance(throw: Dice) -> float:
    """Multinomial: the orders of a throw over all rolls of its dice."""
    repeats = prod(factorial(times) for times in Counter(throw).values())
    return factorial(len(throw)) / repeats / float(len(FACES) ** len(throw))
