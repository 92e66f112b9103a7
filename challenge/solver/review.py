"""A finished game against the best play that cannot see ahead.

Two books are kept. Each decision (a reroll or an entry, not the first roll of a turn, which
decides nothing) may give points away: the value of the best action less that of the one
taken. Each roll has its luck: the value with the new dice less the value expected before.
They balance: optimal mean + luck - given away = total.
"""

from __future__ import annotations

from dataclasses import dataclass

from challenge.errors import NotFinished
from challenge.game import game as rules
from challenge.game.dice import Dice
from challenge.game.game import Blocks, Game
from challenge.game.log import Action, Roll, decode
from challenge.solver.table import Table
from challenge.solver.turn import Turn


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done at a ply, what was best, and the expected totals with either."""

    ply: int
    played: Action
    best: Action
    value_played: float
    value_best: float

    @property
    def given_away(self) -> float:
        """Points the action cost on average; 0 for one as good as the best."""
        return max(0.0, self.value_best - self.value_played)


@dataclass(frozen=True, slots=True)
class Luck:
    """How many points better the dice of a roll were than expected, at its ply."""

    ply: int
    luck: float


@dataclass(frozen=True, slots=True)
class Review:
    """All decisions and rolls of a game in order, in points."""

    optimal_mean: float
    total: int
    decisions: tuple[Decision, ...]
    rolls: tuple[Luck, ...]

    @property
    def luck(self) -> float:
        """Of all rolls together."""
        return sum(roll.luck for roll in self.rolls)

    @property
    def given_away(self) -> float:
        """By all decisions together."""
        return sum(decision.given_away for decision in self.decisions)

    @property
    def skill(self) -> float:
        """The share of the optimal mean not given away, not below 0."""
        return max(0.0, 1.0 - self.given_away / self.optimal_mean)


def review(table: Table, stream: Blocks, log: bytes) -> Review:
    """The review of the game of this log.

    Raises:
        BadLog: the log is not a game of the table's sheet on this stream.
        NotFinished: boxes are still open.
    """
    ruleset = table.model.ruleset
    if not rules.replay(ruleset, stream, log).finished:
        raise NotFinished
    game, turn = rules.start(ruleset), Turn(table, rules.start(ruleset).card)
    decisions: list[Decision] = []
    rolls: list[Luck] = []
    for ply, byte in enumerate(log):
        action = decode(byte)
        expected = turn.value
        if game.dice is not None:
            decisions.append(_decision(turn, game.dice, game, action))
            expected = decisions[-1].value_played
        game = rules.apply(game, stream, action)
        if isinstance(action, Roll) and game.dice is not None:
            rolls.append(Luck(ply, turn.rolled(game.dice, game.used) - expected))
        elif not game.finished:
            turn = Turn(table, game.card)
    return Review(table.mean, game.total, tuple(decisions), tuple(rolls))


def _decision(turn: Turn, dice: Dice, game: Game, action: Action) -> Decision:
    values = dict(turn.actions(dice, game.used))
    best, value_best = turn.best(dice, game.used)
    return Decision(game.ply, action, best, values[action], max(value_best, values[action]))
