"""Whoever a shared result sent to play first is led back to it when they have finished.

The address of the game carries the link from move to move; no cookie does.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from flask import request

from challenge.errors import NotFinished, NotFound
from challenge.web import links
from challenge.web.current import now, services
from challenge.web.links import SharedGame
from challenge.web.pages import ranks

CARRIED = "result"


@dataclass(frozen=True, slots=True)
class Sender:
    """Whose result it was, and what its link carries."""

    signed: str
    name: str
    tag: str


def carried(day: date, ruleset: str) -> dict[str, str]:
    """What the address of a game goes on with: ``?result=``, where it is of this board."""
    signed = request.args.get(CARRIED, "")
    return {CARRIED: signed} if _game(signed, day, ruleset) else {}


def sender(player: str, day: date, ruleset: str) -> Sender | None:
    """Whom to compare with now; None for oneself, and where the game is no more."""
    signed = request.args.get(CARRIED, "")
    game = _game(signed, day, ruleset)
    if game is None or game.player == player:
        return None
    try:
        services().standings.finish(game.player, day, ruleset, now())
    except (NotFinished, NotFound):
        return None
    return Sender(signed, *ranks.name_and_tag(services().players.view(game.player).name))


def _game(signed: str, day: date, ruleset: str) -> SharedGame | None:
    try:
        game = links.read_result(signed)
    except NotFound:
        return None
    return game if (game.day, game.ruleset) == (day, ruleset) else None
