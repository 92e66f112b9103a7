"""What the dice of a board allow, and how the computer players fared on them."""

from __future__ import annotations

from flask import Blueprint, Response

from challenge.web import identity
from challenge.web.api.answers import answer, language
from challenge.web.api.boards import kept_when_closed
from challenge.web.current import now, services
from challenge.web.i18n import bot_name

routes = Blueprint("best_play", __name__)

_BOARD = "/challenges/<date>/<ruleset>"


@routes.get(f"{_BOARD}/hindsight")
def get_hindsight(date: str, ruleset: str) -> Response:
    """The best game of a board for those who have finished it; its log once it is closed."""
    day = services().days.day(date, now())
    found = services().best_play.hindsight(day, ruleset, identity.caller().player, now())
    return kept_when_closed(answer(found), date, ruleset)


@routes.get(f"{_BOARD}/bots")
def get_bots(date: str, ruleset: str) -> Response:
    """The computer players' games for those who have finished the board."""
    day = services().days.day(date, now())
    found = services().best_play.bots(day, ruleset, identity.caller().player, now())
    for bot in found.bots:
        bot.name = bot_name(bot.strength, language())
    return kept_when_closed(answer(found), date, ruleset)
