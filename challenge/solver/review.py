"""A finished game held against the best play that could not see ahead. numpy alone.

Whatever happens in a game moves the value of the whole game (what is on the sheet, and the
best blind play from there on, in points): a roll moves it up or down, that is luck; a decision
can only leave it or lower it, that is what was given away. It begins at the optimal mean and
ends at the total, so the books balance: mean + luck − given away = total.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from challenge.errors import NotFinished
from challenge.game import game as rules
from challenge.game.dice import Dice
from challenge.game.game import Blocks, Game
from challenge.game.log import Action, Roll, decode
from challenge.solver.skill import Skill
from challenge.solver.table import Table
from challenge.solver.turn import TIE, Turn


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done at ``ply`` with ``dice`` on the table after ``used`` rolls of the turn.

    ``best`` is what was played wherever nothing was worth more.
    """

    ply: int
    dice: Dice
    used: int
    played: Action
    best: Action
    value_played: float
    value_best: float

    @property
    def given_away(self) -> float:
        """Points of expectation lost, 0 or more."""
        return self.value_best - self.value_played


@dataclass(frozen=True, slots=True)
class Luck:
    """What the roll at ``ply`` was worth more (or less) than expected before it, in points."""

    ply: int
    luck: float


@dataclass(frozen=True, slots=True)
class Review:
    """A whole game: every decision and every roll in their order."""

    optimal_mean: float
    total: int
    decisions: list[Decision] = field(default_factory=list)
    rolls: list[Luck] = field(default_factory=list)

    @property
    def skill(self) -> Skill:
        """Mean, luck and what was given away, added up."""
        luck = sum(roll.luck for roll in self.rolls)
        given_away = sum(decision.given_away for decision in self.decisions)
        return Skill(self.optimal_mean, luck, given_away)


def review(table: Table, stream: Blocks, log: bytes) -> Review:
    """The review of a finished game of the table's sheet.

    Raises:
        NotFinished: boxes are open.
        BadLog: the log is not a game of this sheet on this stream.
    """
    sheet = table.model.ruleset
    if not rules.replay(sheet, stream, log).finished:
        raise NotFinished
    game = rules.start(sheet)
    found = Review(table.mean, 0)
    turn, value = Turn(table, game.card), table.mean
    for byte in log:
        action = decode(byte)
        if game.dice is not None:
            found.decisions.append(_decide(turn, game, game.dice, action))
            value = found.decisions[-1].value_played
        game = rules.apply(game, stream, action)
        if game.dice is not None:
            lies = turn.rolled(game.dice, game.used)
            found.rolls.append(Luck(game.ply - 1, lies - value))
        elif not game.finished:
            turn = Turn(table, game.card)
    return Review(found.optimal_mean, game.total, found.decisions, found.rolls)


def _decide(turn: Turn, game: Game, dice: Dice, played: Action) -> Decision:
    if isinstance(played, Roll):
        value = turn.holds(dice, game.used)[played.hold]
    else:
        value = turn.entries(dice, game.used)[played.box]
    most = turn.rolled(dice, game.used)
    if value >= most - TIE:
        return Decision(game.ply, dice, game.used, played, played, value, value)
    best, most = turn.best(dice, game.used)
    return Decision(game.ply, dice, game.used, played, best, value, most)
