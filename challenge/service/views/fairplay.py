"""The operator's report about a board (``challenge fairplay``)."""

from __future__ import annotations

from challenge.daily import evidence as weights
from challenge.daily.evidence import Evidence
from challenge.service.views.base import View


class WeighedView(View):
    """A player's game as weighed, and beside it the player's games of the week up to that day.

    ``odds`` are powers of ten: 3.0 says that the choices fit a player who knew the dice 1,000
    times better than one who did not. ``gained`` is in points, ``deviations`` in standard
    deviations. ``notable`` and ``clear`` go by the larger odds of game and week; ``apart``
    says that the game is listed apart where that is set.
    """

    player: str
    name: str
    score: int
    choices: int
    odds: float
    gained: float
    deviations: float
    week_games: int
    week_odds: float
    week_deviations: float
    notable: bool
    clear: bool
    apart: bool


class FairPlayView(View):
    """All weighed games of a board, the highest odds first; ``finished`` counts all games."""

    date: str
    ruleset: str
    finished: int
    games: list[WeighedView]


class EvidenceView(View):
    """What the choices of one game say; the fields are those of :class:`WeighedView`."""

    choices: int
    odds: float
    gained: float
    deviations: float


def evidence_view(found: Evidence | None) -> EvidenceView | None:
    """Evidence as an answer."""
    if found is None:
        return None
    odds, deviations = weights.odds(found), weights.deviations(found)
    return EvidenceView(found.choices, odds, found.gained, deviations)
