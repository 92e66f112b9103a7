"""Telling somebody who saw the dice beforehand from somebody lucky. Pure; numpy.

**The question.** A choice is made with some dice on the table: hold these and roll, or enter.
What the next block of the stream shows decides what the choice brings. Whoever cannot see
ahead chooses without regard to that block. So hold the choice against the others that could
have been made *on the very same block*: a scout's choices fit it better than they should,
game after game; luck makes the good choice and all the others better alike.

**One choice.** V(a) is the blind value of a choice a, from the table. G(a, b) is its value once
the next block b lies there: the value of the dice it leads to, or, for an entry, of the first
roll of the next turn. The mean of G(a, b) over all blocks is V(a). Only choices within
:data:`PLAUSIBLE` points of the best blind one, and the one made, are looked at.

**Points gained** (the plain measure). Blind, a choice is made about as often as
w(a) ∝ exp(V(a) / :data:`BLIND`). The choice c made gained

    x(b) = G(c, b) − Σ w(a) G(a, b),  minus its mean over all blocks.

Given c and everything seen before, b is uniform for whoever does not know it. So each x has
mean 0 and a variance that can be added up, *whatever* the player's way of playing; the sums
over a game, or a week, are a martingale, and sum ÷ √(sum of the variances) is about normal
for every honest player: :func:`challenge.daily.evidence.deviations`.

**Odds** (the sharp measure). A scout who knows b, and does not care for differences much below
τ points, makes a choice with probability P(a | b) ∝ exp(G(a, b) / τ). With P̄(a) its mean over
all blocks, P(c | b) / P̄(c) says how much better the choice fits the block that came than a
block that could have come. Given c its mean over b is 1 by construction, again whatever the
player's way of playing. A scout may look at only a share q of the choices: so may the factor,
1 − q + q P(c | b) / P̄(c), whose mean is 1 too. The product of the factors over a game or a week
is therefore a non-negative martingale that starts at 1, and so is the average of the products
of several scouts (``SCOUTS`` of :mod:`challenge.daily.evidence`). By Ville's inequality it ever
reaches N with a probability of at most 1/N for anybody who does not know the dice: odds of 1,000
to 1 come to one honest player in a thousand at the very most. (Ville 1939, Wald 1945; today
called e-values.) It is sharper than the plain measure because it asks how *often* a choice fits,
not by how much: a scout is seen in many small things, luck in a few large ones. The large ones
also make the tails of the plain measure heavier than a normal distribution's.

**All blocks** are, of six dice, a sixth of them: five dice run through everything, the last makes
the sum a multiple of six. Any five are exactly uniform in it, and every hold that keeps a die
throws at most five.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from challenge.daily.evidence import SCOUTS, Evidence, together
from challenge.errors import NotFinished
from challenge.game import game as rules
from challenge.game.dice import Dice, held_positions
from challenge.game.game import Blocks, Game
from challenge.game.log import Action, Roll, decode
from challenge.game.scorecard import Scorecard
from challenge.solver.outcomes import Floats, Ints, outcomes
from challenge.solver.table import Table
from challenge.solver.turn import Turn

PLAUSIBLE = 10.0  # points below the best blind choice
BLIND = 2.0  # points: how much an honest player cares
FREE_DICE = 5  # that run through everything


def evidence(table: Table, stream: Blocks, log: bytes) -> Evidence:
    """What the choices of a finished game say.

    Raises:
        NotFinished: boxes are open.
        BadLog: the log is not a game of the table's sheet on this stream.
    """
    sheet = table.model.ruleset
    if not rules.replay(sheet, stream, log).finished:
        raise NotFinished
    return together(_choices(table, stream, log))


def _choices(table: Table, stream: Blocks, log: bytes) -> Iterator[Evidence]:
    """The evidence of each choice that had an alternative and a block after it."""
    sight = _Sight(table)
    game = rules.start(table.model.ruleset)
    for byte in log:
        action = decode(byte)
        if game.dice is not None:
            seen = sight.values(game, game.dice, action, stream.block(game.rolls, len(game.dice)))
            if seen is not None:
                yield _weigh(*seen)
        game = rules.apply(game, stream, action)


def _weigh(blind: Floats, values: Floats) -> Evidence:
    """The first row is the choice made; the last column the block that came, the others all."""
    plausible = np.exp((blind - blind.max()) / BLIND)
    against = values[0] - plausible @ values / plausible.sum()
    gained = float(against[-1] - against[:-1].mean())
    return Evidence(1, gained, float(against[:-1].var()), tuple(_logs(values)))


def _logs(values: Floats) -> Iterator[float]:
    behind = (values - values.max(axis=0)).astype(np.float32)  # exact enough, and half the time
    for scout in SCOUTS:
        fits = np.exp(behind / np.float32(scout.tau))
        chance = (fits[0] / fits.sum(axis=0)).astype(np.float64)
        # With the block that came among the others the mean vanishes only where all are 0.
        fit = chance[-1] / max(chance.mean(), np.finfo(np.float64).tiny)
        yield float(np.log(1 - scout.share + scout.share * fit))


class _Sight:
    """Values of choices with the next block on the table, for one sheet."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._grid = _grid(table.model.dice.dice)
        self._turns: dict[Scorecard, Turn] = {}

    def values(
        self, game: Game, dice: Dice, made: Action, block: Dice
    ) -> tuple[Floats, Floats] | None:
        """Blind values, and (choices × blocks) those with each block; None without a choice.

        The choice made comes first, the block that came last.
        """
        turn = self._turn(game.card)
        worth = dict(turn.actions(dice, game.used))
        least = max(worth.values()) - PLAUSIBLE
        others = [each for each, value in worth.items() if value >= least and each != made]
        if not others or (not game.rolls_left and game.card.open.bit_count() == 1):
            return None
        choices = [made, *others]
        free = self._grid.with_block(block)
        values = np.array([self._seen(turn, game, dice, each, free) for each in choices])
        return np.array([worth[each] for each in choices]), values

    def _seen(self, turn: Turn, game: Game, dice: Dice, choice: Action, free: Ints) -> Floats:
        """The value of a choice with each block; ``free`` as of :class:`_Grid`."""
        if isinstance(choice, Roll):
            held = sum(self._grid.weight[dice[i] - 1] for i in held_positions(choice.hold))
            seen: Floats = turn.rolls(game.used + 1)[self._grid.throw[held + free[choice.hold]]]
            return seen
        after = rules.score(game, choice.box)
        if after.finished:
            return np.full(free.shape[1], float(after.total))
        next_turn: Floats = self._turn(after.card).rolls(1)[self._grid.throw[free[0]]]
        return next_turn

    def _turn(self, card: Scorecard) -> Turn:
        if card not in self._turns:
            self._turns[card] = Turn(self._table, card)
        return self._turns[card]


class _Grid(NamedTuple):
    """The blocks of a number of dice, and a code that adds up: a power of ``base`` for each face.

    ``free[hold, block]`` is the code of the dice a hold does not keep, ``throw[code]`` the
    number of a throw.
    """

    weight: Sequence[int]
    free: Ints
    throw: Ints

    def with_block(self, block: Dice) -> Ints:
        """``free`` with one block more, the last."""
        return np.append(self.free, _free(np.array([block]) - 1, self.weight), axis=1)


@cache
def _grid(dice: int) -> _Grid:
    weight = [(dice + 1) ** face for face in range(6)]
    known = outcomes(dice)
    throw = np.full((dice + 1) ** 6, -1, np.int32)
    for number, faces in enumerate(known.throws):
        throw[sum(weight[face - 1] for face in faces)] = number
    return _Grid(weight, _free(_blocks(dice), weight), throw)


def _blocks(dice: int) -> Ints:
    """Faces from 0; see "All blocks" above."""
    run = min(dice, FREE_DICE)
    blocks = np.indices((6,) * run, np.int32).reshape(run, -1).T
    last = -blocks.sum(axis=1, keepdims=True) % 6
    whole: Ints = np.append(blocks, last, axis=1)[:, :dice]
    return whole


def _free(blocks: Ints, weight: Sequence[int]) -> Ints:
    """For each hold and each block (faces from 0) the code of the dice not held."""
    codes = np.array(weight, np.int32)[blocks]
    dice = blocks.shape[1]
    loose = [[not hold >> i & 1 for i in range(dice)] for hold in range(1 << dice)]
    return (np.array(loose, np.int32) @ codes.T).astype(np.int32)
