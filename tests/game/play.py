"""Games to test with: dice as wanted, and players who follow a script of bytes."""

from __future__ import annotations

from challenge.game import game as rules
from challenge.game.log import Entry, Roll
from challenge.game.stream import Stream


class Loaded:
    """The stream of a seed in which some rolls show all dice equal.

    ``loads`` is a string of bytes, one a roll and round again: an odd one makes its roll
    all equal, so that jokers and extras turn up far more often than chance has them.
    """

    def __init__(self, seed: bytes, loads: bytes) -> None:
        self._stream = Stream(seed)
        self._loads = loads

    def block(self, k: int, n: int):
        """The dice of roll ``k``."""
        load = self._loads[k % len(self._loads)] if self._loads else 0
        return (load // 2 % 6 + 1,) * n if load % 2 else self._stream.block(k, n)


class Dealt:
    """Exactly these throws, one a roll."""

    def __init__(self, *throws) -> None:
        self._throws = throws

    def block(self, k: int, n: int):
        """The dice of roll ``k``."""
        assert len(self._throws[k]) == n
        return self._throws[k]


def actions(game):
    """Every action that is legal now, entries first."""
    entries = [Entry(box) for box in rules.legal_boxes(game)]
    if not game.rolls_left:
        return entries
    holds = range((1 << game.ruleset.dice) - 1) if game.dice is not None else range(1)
    return [*entries, *(Roll(hold) for hold in holds)]


def play(ruleset, stream, script):
    """Every state of a whole game, the start included.

    One byte of the script decides one action: below 100 an entry (where dice lie), else a
    roll with this hold; after its end the first legal entry is taken.
    """
    game = rules.start(ruleset)
    states = [game]
    while not game.finished:
        byte = script[game.ply] if game.ply < len(script) else 0
        game = rules.apply(game, stream, choose(game, byte))
        states.append(game)
    return states


def choose(game, byte):
    """The action a byte of a script stands for."""
    if game.dice is None:
        return Roll(0)
    if byte < 100 or not game.rolls_left:
        legal = rules.legal_boxes(game)
        return Entry(legal[byte % len(legal)])
    return Roll(byte % ((1 << game.ruleset.dice) - 1))


def deal(ruleset, turns):
    """The game in which every turn is one roll, given as (throw, box id)."""
    stream = Dealt(*(throw for throw, _ in turns))
    game = rules.start(ruleset)
    for _, box in turns:
        game = rules.roll(game, stream, 0)
        game = rules.score(game, ruleset.index[box])
    return game
