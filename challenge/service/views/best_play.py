"""What exact play says about a board, for those who may know."""

from __future__ import annotations

from challenge.service.views.base import View


class HindsightView(View):
    """The highest total any game on a board's dice reaches; ``log`` once it is closed."""

    total: int
    log: str | None


class BotView(View):
    """A computer player's game on a board."""

    strength: str
    name: str
    score: int
    log: str


class BotsView(View):
    """The computer players of a board, best first."""

    bots: list[BotView]
