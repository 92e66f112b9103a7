"""Leaderboards: ranks, the distribution of scores, other players' finished games."""

from __future__ import annotations

from flask import Blueprint, Response, request

from challenge.errors import BadInput
from challenge.web import identity
from challenge.web.api.answers import answer, finished, number
from challenge.web.current import now, services

routes = Blueprint("boards", __name__)

_BOARD = "/challenges/<date>/<ruleset>"


@routes.get(f"{_BOARD}/leaderboard")
def get_leaderboard(date: str, ruleset: str) -> Response:
    """A page of the board, or the rows around the caller; of all, or of a group's members."""
    day = services().days.day(date, now())
    around = request.args.get("around")
    if around not in (None, "me"):
        raise BadInput("`around` takes nothing but `me`.")
    group = request.args.get("group")
    window = {"limit": number("limit", 50), "offset": number("offset", 0)}
    if group is not None:
        page = services().circles.leaderboard(
            identity.player(), group, day, ruleset, now(), **window, around_me=bool(around)
        )
    else:
        player = identity.player() if around else identity.caller().player
        page = services().standings.leaderboard(
            day, ruleset, player, now(), **window, around_me=bool(around)
        )
    return kept_when_closed(answer(page), date, ruleset)


@routes.get(f"{_BOARD}/distribution")
def get_distribution(date: str, ruleset: str) -> Response:
    """How often each score was reached."""
    day = services().days.day(date, now())
    return kept_when_closed(
        answer(services().standings.distribution(day, ruleset, now())), date, ruleset
    )


@routes.get(f"{_BOARD}/games/<player>")
def get_finished_game(date: str, ruleset: str, player: str) -> Response:
    """A player's finished game, for those who may see it."""
    day = services().days.day(date, now())
    view = services().standings.finished_game(day, ruleset, player, identity.caller().player, now())
    return kept_when_closed(answer(view), date, ruleset)


def kept_when_closed(response: Response, date: str, ruleset: str) -> Response:
    """An answer about a board; once that is closed it changes no more."""
    day = services().days.day(date, now())
    closed = services().days.peek(day, ruleset, now()).note.closed
    return finished(response) if closed else response
