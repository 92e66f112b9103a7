"""Computer players in three strengths, each blind to the dice still to come.

All play a turn for the best by their own idea of what a sheet is worth, so the same dice
always get the same answer:

- the *greedy* one thinks a sheet is worth the points on it;
- the *planner* adds what each open box would bring if a turn were played for it alone, and
  counts upper points by their share of the bonus too;
- the *optimal* one looks it up in the exact table. Where a sheet has none, the planner is the
  strongest there is.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache, lru_cache

import numpy as np

from challenge.game import game as rules
from challenge.game.game import Blocks, Game
from challenge.game.log import Action, Roll
from challenge.game.ruleset import Ruleset
from challenge.game.scorecard import Scorecard, placement, value_in
from challenge.game.stream import Stream
from challenge.solver.outcomes import Floats, outcomes
from challenge.solver.table import Table
from challenge.solver.turn import Options, Turn

Player = Callable[[Game], Action]
"""Decides what to do next in an unfinished game, from its state alone."""

SAVED_ROLL = 4.0  # what the planner takes a roll saved for later to be worth, in points


def play(ruleset: Ruleset, stream: Blocks, player: Player) -> Game:
    """The finished game of a player on a stream."""
    game = rules.start(ruleset)
    while not game.finished:
        game = rules.apply(game, stream, player(game))
    return game


def simulate(
    ruleset: Ruleset,
    player: Player,
    games: int,
    seed: str = "",
    progress: Callable[[int, int], None] = lambda _done, _games: None,
) -> Floats:
    """The totals of so many games, each on a stream of its own made from ``seed`` and number.

    ``progress(done, games)`` is called after each.
    """
    totals = np.zeros(games)
    for number in range(games):
        stream = Stream(hashlib.sha256(f"{seed}/{number}".encode()).digest())
        totals[number] = play(ruleset, stream, player).total
        progress(number + 1, games)
    return totals


def greedy() -> Player:
    """Plays each turn for its points."""
    return _player(lambda card, rolls: _by_worth(card, rolls, planned=False))


def planner() -> Player:
    """Plays each turn for its points and for what stays open."""
    return _player(lambda card, rolls: _by_worth(card, rolls, planned=True))


def optimal(table: Table) -> Player:
    """Plays for the highest expected total."""
    return _player(lambda card, _rolls: Turn(table, card))


def _player(values: Callable[[Scorecard, int], Options]) -> Player:
    remembered = lru_cache(maxsize=256)(values)

    def decide(game: Game) -> Action:
        if game.dice is None:
            return Roll(0)
        options = remembered(game.card, game.used + game.rolls_left)
        return options.best(game.dice, game.used)[0]

    return decide


def _by_worth(card: Scorecard, rolls: int, *, planned: bool) -> Options:
    """A turn of so many rolls, each entry at its points and, for the planner, its price."""
    served, late = _entered(card, True, planned), _entered(card, False, planned)
    saved = SAVED_ROLL if planned and card.ruleset.banked_rolls else 0.0
    tables = [served, *[late] * (rolls - 1)]
    left = range(rolls - 1, -1, -1)
    return Options(
        outcomes(card.ruleset.dice),
        [table + saved * unused for table, unused in zip(tables, left, strict=True)],
    )


def _entered(card: Scorecard, served: bool, planned: bool) -> Floats:
    """What each throw (row) is worth in each box (column), -inf where it is barred."""
    ruleset = card.ruleset
    dice = outcomes(ruleset.dice)
    table = np.full((len(dice.throws), len(card.scores)), -np.inf)
    price = _prices(ruleset) if planned else None
    for row, throw in zip(table, dice.throws, strict=True):
        placed = placement(card, throw, served)
        for box, of in enumerate(ruleset.boxes):
            if placed.legal >> box & 1:
                points = value_in(card, box, placed)
                extra = placed.extra * (placed.extra_boxes >> box & 1)
                row[box] = ruleset.columns[of.column] * (points + extra)
                if price is not None:
                    row[box] += price[box][0] * points - price[box][1]
    return table


@cache
def _prices(ruleset: Ruleset) -> list[tuple[float, float]]:
    """Per box what a point in it is worth beside itself, and what filling it costs: the value
    of a turn played for this box alone.
    """
    bonus = ruleset.upper_bonus
    share = bonus.points / bonus.threshold if bonus else 0.0
    found = []
    for box, of in enumerate(ruleset.boxes):
        factor = ruleset.columns[of.column]
        more = factor * share if of.category.section == "upper" else 0.0
        found.append((more, (factor + more) * _alone(ruleset, box)))
    return found


@cache
def _alone(ruleset: Ruleset, box: int) -> float:
    """The mean points of a turn played for one box, by natural values."""
    dice = outcomes(ruleset.dice)
    served, late = (
        np.array([[ruleset.values_of(throw, when)[box]] for throw in dice.throws], np.float64)
        for when in (True, False)
    )
    options = Options(dice, [served, *[late] * (ruleset.rolls_per_turn - 1)])
    return options.value
