"""Dice on the table.

A throw is a tuple of faces 1–6 in stream position; the order is a position's
identity for a whole turn and never changes. Scoring looks at the sorted throw.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

Dice = tuple[int, ...]

FACES = (1, 2, 3, 4, 5, 6)


def counts(dice: Dice) -> tuple[int, ...]:
    """How often each face lies there: seven numbers, index = face (index 0 is always 0).

    >>> counts((3, 1, 6, 6, 2))
    (0, 1, 1, 1, 0, 0, 2)
    """
    found = [0] * 7
    for face in dice:
        found[face] += 1
    return tuple(found)


def all_equal(dice: Dice) -> bool:
    """True when one face shows on every die.

    >>> all_equal((4, 4, 4, 4, 4))
    True
    """
    return dice.count(dice[0]) == len(dice)


def throws(number: int) -> tuple[Dice, ...]:
    """Every throw of ``number`` dice up to order, sorted: 252 of five dice, 462 of six."""
    return tuple(combinations_with_replacement(FACES, number))


def held_positions(mask: int) -> list[int]:
    """The positions of a hold mask (bit i = position i), ascending.

    >>> held_positions(0b01100)
    [2, 3]
    """
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def hold_mask(positions: list[int]) -> int:
    """The mask of a list of positions; the inverse of :func:`held_positions`."""
    return sum(1 << i for i in set(positions))
