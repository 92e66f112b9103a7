"""Players to weigh: honest ones of several kinds, and scouts, who know dice to come.

A player is a function of a sheet's table, a stream and a source of chance, and gives the log
of a finished game.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from functools import partial
from math import exp

from challenge.daily.evidence import Evidence
from challenge.daily.fairplay import evidence
from challenge.game import game as rules
from challenge.game.game import Blocks, Game
from challenge.game.log import Action, Entry, Roll
from challenge.game.stream import Stream
from challenge.solver import bots
from challenge.solver.hindsight import hindsight
from challenge.solver.table import Table
from challenge.solver.turn import Turn

Player = Callable[[Table, Blocks, random.Random], bytes]

GUESSES = 12  # what a scout who knows some dice of a roll imagines of the others
WORTH_IT = 40.0  # points below the best blind action; a scout looks no further


class Turns:
    """The turns of one game, each worked out once."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: dict[object, Turn] = {}

    def of(self, game: Game) -> Turn:
        """The turn a game is in."""
        if game.card not in self._known:
            self._known[game.card] = Turn(self._table, game.card)
        return self._known[game.card]

    def brings(self, game: Game, stream: Blocks, action: Action) -> float:
        """The value of the game once the next block lies there."""
        after = rules.apply(game, stream, action)
        if after.finished:
            return float(after.total)
        if after.dice is None:
            after = rules.roll(after, stream, 0)
        return self.of(after).rolled(after.dice, after.used)


def _played(
    table: Table, stream: Blocks, decide: Callable[[Game, list[tuple[Action, float]]], Action]
) -> bytes:
    """A game in which ``decide`` chooses among actions with their blind values."""
    game, turns = rules.start(table.model.ruleset), Turns(table)
    while not game.finished:
        if game.dice is None:
            game = rules.roll(game, stream, 0)
            continue
        known = list(turns.of(game).actions(game.dice, game.used))
        game = rules.apply(game, stream, decide(game, known))
    return game.log


def noisy(points: float, table: Table, stream: Blocks, rnd: random.Random) -> bytes:
    """Does not care much for differences of so many points."""

    def decide(_game: Game, known: list[tuple[Action, float]]) -> Action:
        most = max(value for _, value in known)
        weights = [exp((value - most) / points) for _, value in known]
        return rnd.choices([action for action, _ in known], weights)[0]

    return _played(table, stream, decide)


def optimal(table: Table, stream: Blocks, _rnd: random.Random) -> bytes:
    """Plays for the highest expected total."""
    return bots.play(table.model.ruleset, stream, bots.optimal(table)).log


def greedy(table: Table, stream: Blocks, _rnd: random.Random) -> bytes:
    """Plays each turn for its points."""
    return bots.play(table.model.ruleset, stream, bots.greedy()).log


def planner(table: Table, stream: Blocks, _rnd: random.Random) -> bytes:
    """Plays each turn for its points and for what stays open."""
    return bots.play(table.model.ruleset, stream, bots.planner()).log


def sees_all(table: Table, stream: Blocks, _rnd: random.Random) -> bytes:
    """Plays the best game the dice allow."""
    return hindsight(table.model.ruleset, stream).log


def sees_next(share: float, table: Table, stream: Blocks, rnd: random.Random) -> bytes:
    """Knows the next roll and goes by it at so many of the choices."""
    turns = Turns(table)

    def decide(game: Game, known: list[tuple[Action, float]]) -> Action:
        if rnd.random() >= share:
            return max(known, key=lambda pair: pair[1])[0]
        return _foreseen(turns, game, known, [stream])

    return _played(table, stream, decide)


def tries_twice(table: Table, stream: Blocks, rnd: random.Random) -> bytes:
    """Plays for the best, then again with all the dice that the first game showed."""
    shown = _shown(table, stream, optimal(table, stream, rnd))
    turns = Turns(table)

    def decide(game: Game, known: list[tuple[Action, float]]) -> Action:
        seen = shown.get(game.rolls)
        if seen is None:
            return max(known, key=lambda pair: pair[1])[0]
        guesses = 1 if None not in seen else GUESSES
        return _foreseen(turns, game, known, [Guessed(seen, rnd) for _ in range(guesses)])

    return _played(table, stream, decide)


class Guessed:
    """A block of which some dice are known and the others imagined."""

    def __init__(self, seen: tuple[int | None, ...], rnd: random.Random) -> None:
        self._dice = tuple(face or rnd.randint(1, 6) for face in seen)

    def block(self, _k: int, _n: int) -> tuple[int, ...]:
        """Whichever is asked for."""
        return self._dice


def _foreseen(
    turns: Turns, game: Game, known: list[tuple[Action, float]], blocks: list[Blocks]
) -> Action:
    least = max(value for _, value in known) - WORTH_IT
    worth = {
        action: sum(turns.brings(game, each, action) for each in blocks) / len(blocks)
        for action, value in known
        if value >= least
    }
    return max(worth, key=lambda action: worth[action])


def _shown(table: Table, stream: Blocks, log: bytes) -> dict[int, tuple[int | None, ...]]:
    """Roll -> the faces a game showed of its block: a held die hides the new value."""
    game, found = rules.start(table.model.ruleset), {}
    for byte in log:
        if byte & 0x40:
            block = stream.block(game.rolls, table.model.ruleset.dice)
            found[game.rolls] = tuple(
                None if byte >> i & 1 else face for i, face in enumerate(block)
            )
        game = rules.apply(game, stream, Roll(byte & 0x3F) if byte & 0x40 else Entry(byte))
    return found


HONEST: dict[str, Player] = {
    "optimal": optimal,
    "a little noisy": partial(noisy, 1.5),
    "very noisy": partial(noisy, 5.0),
    "greedy": greedy,
    "planner": planner,
}

SCOUTS: dict[str, Player] = {
    "sees all": sees_all,
    "sees the next roll": partial(sees_next, 1.0),
    "sees it every third time": partial(sees_next, 1 / 3),
    "tries twice": tries_twice,
}


def weighed(table: Table, kind: str, games: int, first: int = 0) -> Iterator[tuple[int, Evidence]]:
    """Total and evidence of so many games of a kind, each on dice of its own."""
    player = {**HONEST, **SCOUTS}[kind]
    sheet = table.model.ruleset
    for number in range(first, first + games):
        name = f"{sheet.id}/{kind}/{number}"
        stream = Stream(hashlib.sha256(name.encode()).digest())
        log = player(table, stream, random.Random(name))
        yield rules.replay(sheet, stream, log).total, evidence(table, stream, log)
