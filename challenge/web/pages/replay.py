"""A finished game step by step: what was rolled, what was kept, where it went."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from challenge.game import game as rules
from challenge.game.dice import Dice
from challenge.game.game import Blocks, Game
from challenge.game.log import Entry, decode
from challenge.game.ruleset import Ruleset
from challenge.web.i18n import box_name
from challenge.web.pages.words import split_name


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice as they lay after a roll, and which of them stayed for the next one."""

    dice: Dice
    kept: list[bool]

    @property
    def kept_faces(self) -> list[int]:
        """The faces that stayed."""
        return [face for face, stays in zip(self.dice, self.kept, strict=True) if stays]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn: its throws, its box, what that scored, what came on top, the total after it."""

    round: int
    throws: list[Throw]
    box: str
    points: int
    extra: int
    total: int


def turns(ruleset: Ruleset, stream: Blocks, log: bytes) -> list[Turn]:
    """The turns of a finished game."""
    games = [rules.start(ruleset)]
    for byte in log:
        games.append(rules.apply(games[-1], stream, decode(byte)))
    found: list[Turn] = []
    thrown: list[Game] = []
    for (before, after), byte in zip(pairwise(games), log, strict=True):
        action = decode(byte)
        if isinstance(action, Entry):
            found.append(_turn(thrown, before, after, action.box))
            thrown = []
        else:
            thrown.append(after)
    return found


def _turn(thrown: list[Game], before: Game, after: Game, box: int) -> Turn:
    """``thrown`` are the states after each of its rolls."""
    holds = [*(game.hold for game in thrown[1:]), 0]
    throws = [
        Throw(game.dice or (), [bool(hold >> i & 1) for i in range(len(game.dice or ()))])
        for game, hold in zip(thrown, holds, strict=True)
    ]
    of = before.ruleset.boxes[box]
    name, _ = split_name(box_name(before.ruleset, of.category))
    factor = before.ruleset.columns[of.column]
    if len(before.ruleset.columns) > 1:
        name = f"{name} ×{factor}"
    points = after.card.scores[box] or 0
    return Turn(
        round=before.round,
        throws=throws,
        box=name,
        points=points,
        extra=after.total - before.total - factor * points,
        total=after.total,
    )
