"""A review laid out round by round, as the page tells it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from challenge.game import game as rules
from challenge.game import scorecard
from challenge.game.dice import Dice
from challenge.game.game import Game
from challenge.game.log import Action, Entry, decode
from challenge.service.reviews import Reviewed

if TYPE_CHECKING:
    from challenge.solver.review import Decision


@dataclass(frozen=True, slots=True)
class Move:
    """An action: the dice that stay, ascending, or the box and the points that go into it."""

    kept: Dice
    mask: int
    box: int | None
    points: int

    @property
    def rolls(self) -> bool:
        """Whether dice are rolled."""
        return self.box is None


@dataclass(frozen=True, slots=True)
class Step:
    """One roll and what was done with it: ``roll`` counts from 1, ``before`` is the value
    expected before it, ``lies`` with its dice on the table, ``after`` after the decision.

    ``best`` is None where nothing would have been worth more; ``cost`` is then 0.
    """

    round: int
    roll: int
    dice: Dice
    before: float
    lies: float
    after: float
    played: Move
    best: Move | None
    cost: float

    @property
    def luck(self) -> float:
        """What the roll brought beyond expectation, in points."""
        return self.lies - self.before


@dataclass(frozen=True, slots=True)
class Round:
    """A turn: the box it ended in, what went into it, and its steps."""

    number: int
    box: int
    points: int
    steps: list[Step]

    @property
    def luck(self) -> float:
        """What its rolls brought beyond expectation, in points."""
        return sum(step.luck for step in self.steps)

    @property
    def cost(self) -> float:
        """What its decisions gave away, in points."""
        return sum(step.cost for step in self.steps)


def rounds_of(reviewed: Reviewed) -> list[Round]:
    """The rounds of a reviewed game."""
    rounds: list[Round] = []
    steps: list[Step] = []
    value = reviewed.review.optimal_mean
    for state, decision in _decided(reviewed):
        steps.append(_step(state, decision, value, len(rounds) + 1))
        value = decision.value_played
        if isinstance(decision.played, Entry):
            made = steps[-1].played
            rounds.append(Round(len(rounds) + 1, decision.played.box, made.points, steps))
            steps = []
    return rounds


def costliest(rounds: list[Round], most: int, least: float) -> list[Step]:
    """The ``most`` decisions that gave away most, of those that cost at least ``least``."""
    costly = [step for each in rounds for step in each.steps if step.cost >= least]
    return sorted(costly, key=lambda step: -step.cost)[:most]


def _decided(reviewed: Reviewed) -> list[tuple[Game, Decision]]:
    """Each decision with the game as it stood before it."""
    state, states = rules.start(reviewed.board.ruleset), {}
    for byte in reviewed.log:
        states[state.ply] = state
        state = rules.apply(state, reviewed.board.stream, decode(byte))
    return [(states[decision.ply], decision) for decision in reviewed.review.decisions]


def _step(state: Game, decision: Decision, before: float, number: int) -> Step:
    same = decision.best == decision.played
    return Step(
        round=number,
        roll=decision.used,
        dice=decision.dice,
        before=before,
        lies=decision.value_best,
        after=decision.value_played,
        played=_move(state, decision.dice, decision.played),
        best=None if same else _move(state, decision.dice, decision.best),
        cost=decision.given_away,
    )


def _move(state: Game, dice: Dice, action: Action) -> Move:
    if isinstance(action, Entry):
        placed = scorecard.placement(state.card, dice, state.used == 1)
        return Move((), 0, action.box, scorecard.value_in(state.card, action.box, placed))
    kept = sorted(face for i, face in enumerate(dice) if action.hold >> i & 1)
    return Move(tuple(kept), action.hold, None, 0)
