"""Reviews of finished games (API.md "Insight")."""

from __future__ import annotations

from challenge.game.dice import held_positions
from challenge.game.log import Action, Roll
from challenge.game.ruleset import Ruleset
from challenge.service.views.base import View
from challenge.solver.skill import Skill


class HoldView(View):
    """Positions of the dice that stay."""

    hold: list[int]


class InView(View):
    """The box an entry goes into."""

    box: str


class RolledView(View):
    """Rolling the dice that are not held."""

    roll: HoldView


class ScoredView(View):
    """Entering the dice."""

    score: InView


class DecisionView(View):
    """What was done with the dice on the table, what was best, and what both are worth.

    Values are expected totals of the whole game, in points.
    """

    ply: int
    played: RolledView | ScoredView
    best: RolledView | ScoredView
    value_played: float
    value_best: float
    given_away: float


class LuckView(View):
    """What a roll was worth more than expected before it, in points."""

    ply: int
    luck: float


class ReviewView(View):
    """A finished game: ``optimal_mean + luck − given_away = total``; ``skill`` is 0 … 1."""

    optimal_mean: float
    luck: float
    given_away: float
    skill: float
    total: int
    decisions: list[DecisionView]
    rolls: list[LuckView]


class SkillView(View):
    """What the review of a game came to."""

    optimal_mean: float
    luck: float
    given_away: float
    skill: float


class StrengthsView(View):
    """Averages over the games of a player that have been reviewed, of the last so many.

    ``played`` of them there are, ``reviewed`` of those are in the averages.
    """

    played: int
    reviewed: int
    skill: float
    luck: float
    given_away: float


def action_view(action: Action, ruleset: Ruleset) -> RolledView | ScoredView:
    """An action as an answer."""
    if isinstance(action, Roll):
        return RolledView(HoldView(held_positions(action.hold)))
    return ScoredView(InView(ruleset.boxes[action.box].id))


def skill_view(skill: Skill | None) -> SkillView | None:
    """What a review came to as an answer."""
    return skill and SkillView(*skill, skill=skill.share)
