"""What the coach says before a decision: what every choice is worth."""

from __future__ import annotations

from challenge.service.views.base import View


class HoldView(View):
    """Dice to keep, ascending, and the expected total of the game if they are kept."""

    dice: list[int]
    value: float
    lost: float


class EntryValueView(View):
    """A box, and the expected total of the game if the dice go there."""

    box: str
    value: float
    lost: float


class AdviceView(View):
    """Every choice with its expected total, the best first; ``lost`` is what it gives away.

    ``best`` is the expected total of the best choice. Holds of the same faces are one choice.
    """

    best: float
    holds: list[HoldView]
    boxes: list[EntryValueView]
