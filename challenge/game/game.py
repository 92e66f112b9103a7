"""A game: its state, what is legal in it, and how an action changes it.

A state is immutable; :func:`apply` gives the next one and :func:`replay` folds a
whole log. There is no other definition of a game.
"""

from __future__ import annotations

from operator import itemgetter
from typing import NamedTuple, Protocol

from challenge.errors import BadInput, BadLog, IllegalAction
from challenge.game import scorecard
from challenge.game.dice import Dice
from challenge.game.log import ROLL, Action, Entry, decode
from challenge.game.ruleset import Ruleset
from challenge.game.scorecard import Placement, Scorecard


class Blocks(Protocol):
    """Where dice come from: roll ``k`` of a game with ``n`` dice reads ``block(k, n)``."""

    def block(self, k: int, n: int) -> Dice:
        """The ``n`` values of roll ``k``."""
        ...


class Game(NamedTuple):
    """The state after ``log``.

    ``rolls`` counts the rolls of the whole game (the stream cursor is ``rolls × dice``),
    ``used`` those of the current turn, ``bank`` the saved ones. ``dice`` is None before
    the first roll of a turn; ``hold`` is the mask the last roll kept.
    """

    card: Scorecard
    log: bytes
    rolls: int
    used: int
    bank: int
    dice: Dice | None
    hold: int

    @property
    def ruleset(self) -> Ruleset:
        """The sheet played."""
        return self.card.ruleset

    @property
    def ply(self) -> int:
        """Number of actions made."""
        return len(self.log)

    @property
    def finished(self) -> bool:
        """True when no box is open."""
        return not self.card.open

    @property
    def rolls_left(self) -> int:
        """Rolls left in this turn, saved ones included; 0 at the end."""
        return 0 if self.finished else self.ruleset.rolls_per_turn + self.bank - self.used

    @property
    def round(self) -> int:
        """The current turn, from 1; stays at the last one when finished."""
        boxes = len(self.card.scores)
        return min(boxes - self.card.open.bit_count() + 1, boxes)

    @property
    def total(self) -> int:
        """The score as it stands."""
        return scorecard.total(self.card)


def start(ruleset: Ruleset) -> Game:
    """A game before its first roll."""
    return Game(scorecard.blank(ruleset), b"", 0, 0, 0, None, 0)


def roll(game: Game, stream: Blocks, hold: int) -> Game:
    """Throw every die that ``hold`` (a bit mask of positions) does not keep.

    Raises:
        IllegalAction: ``game_finished``, ``no_rolls_left``, ``first_roll_takes_all_dice``
            or ``nothing_to_roll``.
    """
    card, log, rolls, used, bank, dice, _ = game
    ruleset = card.ruleset
    if not card.open:
        raise IllegalAction("game_finished")
    if dice is None and hold:
        raise IllegalAction("first_roll_takes_all_dice")
    if used >= ruleset.rolls_per_turn + bank:
        raise IllegalAction("no_rolls_left")
    n = ruleset.dice
    if hold >= (1 << n) - 1:
        raise IllegalAction("nothing_to_roll")
    thrown = stream.block(rolls, n)
    if dice is not None and hold:
        thrown = _MERGE[n][hold](dice + thrown)
    return Game(card, log + _BYTE[ROLL | hold], rolls + 1, used + 1, bank, thrown, hold)


def score(game: Game, box: int) -> Game:
    """Enter the dice into the box of this index and end the turn.

    Raises:
        IllegalAction: ``game_finished``, ``box_filled``, ``roll_first`` or ``box_barred``.
        BadInput: the sheet has no such box.
    """
    card, log, rolls, used, bank, dice, _ = game
    ruleset = card.ruleset
    if not 0 <= box < len(card.scores):
        raise BadInput(f"The sheet {ruleset.id} has boxes 0 to {len(card.scores) - 1}, not {box}.")
    if not card.open:
        raise IllegalAction("game_finished")
    if not card.open >> box & 1:
        raise IllegalAction("box_filled")
    if dice is None:
        raise IllegalAction("roll_first")
    served = used == 1
    placed = scorecard.placement(card, dice, served)
    if not placed.legal >> box & 1:
        raise IllegalAction("box_barred")
    saved = bank + ruleset.rolls_per_turn - used if ruleset.banked_rolls else 0
    entered = scorecard.enter(card, box, dice, placed)
    return Game(entered, log + _BYTE[box], rolls, 0, saved, None, 0)


def apply(game: Game, stream: Blocks, action: Action) -> Game:
    """The state after one action; see :func:`roll` and :func:`score` for what is refused."""
    if isinstance(action, Entry):
        return score(game, action.box)
    return roll(game, stream, action.hold)


def replay(ruleset: Ruleset, stream: Blocks, log: bytes) -> Game:
    """The state a log leads to.

    Raises:
        BadLog: the log is not a game of this sheet on this stream.
    """
    game = start(ruleset)
    for ply, byte in enumerate(log):
        try:
            if byte & ROLL:
                game = roll(game, stream, byte & (ROLL - 1)) if byte < 2 * ROLL else _refuse(byte)
            else:
                game = score(game, byte) if byte < ROLL else _refuse(byte)
        except (IllegalAction, BadInput) as error:
            raise BadLog(str(error), ply) from error
    return game


def placement(game: Game) -> Placement | None:
    """Where the dice on the table may go; None before the first roll of a turn."""
    if game.dice is None:
        return None
    return scorecard.placement(game.card, game.dice, game.used == 1)


def legal_boxes(game: Game) -> list[int]:
    """The boxes an entry is legal in now, by index; empty before the first roll of a turn."""
    placed = placement(game)
    return (
        [] if placed is None else [i for i in range(len(game.card.scores)) if placed.legal >> i & 1]
    )


_BYTE = [bytes((byte,)) for byte in range(2 * ROLL)]

# Number of dice -> hold mask -> the kept and the new values out of old + new, by position.
_MERGE = {
    n: [itemgetter(*(i if hold >> i & 1 else n + i for i in range(n))) for hold in range(1 << n)]
    for n in range(2, 7)
}


def _refuse(byte: int) -> Game:
    decode(byte)
    raise BadInput(f"No action has the byte {byte}.")
