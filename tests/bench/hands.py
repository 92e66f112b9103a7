"""How the players of the benchmarks decide: simple, quick, and near what people do.

They roll on nine times out of ten while they may, which makes 48 actions of a game of 13 boxes,
and keep what lies there most often.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

AGAIN = 0.9  # chance to roll on while rolls are left
ROUNDS = 13
ACTIONS = ROUNDS * (1 + 1 + AGAIN + AGAIN**2)
"""Actions of a game of 13 boxes and three rolls a turn, on average."""


def roll_again(rnd: random.Random) -> bool:
    """Whether to roll on."""
    return rnd.random() < AGAIN


def held(dice: Sequence[int]) -> list[int]:
    """Positions of the face that lies there most often; never all of them."""
    most = max(set(dice), key=lambda face: (dice.count(face), face))
    found = [at for at, face in enumerate(dice) if face == most]
    return found if len(found) < len(dice) else found[1:]


def hold_of_most(dice: Sequence[int]) -> int:
    """The same as a mask."""
    return sum(1 << at for at in held(dice))
