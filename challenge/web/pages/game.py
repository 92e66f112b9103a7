"""The game: playing it, and its result once it is finished."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Response, render_template, request, url_for

from challenge.errors import BadInput, IllegalAction, NotFound, PlyConflict
from challenge.game import game as rules
from challenge.service.days import Board
from challenge.service.views import GameView, game_view
from challenge.web import i18n, identity
from challenge.web.current import now, services
from challenge.web.i18n import gettext
from challenge.web.pages import result
from challenge.web.pages.blueprint import day_of, pages, respond, see
from challenge.web.pages.place import Facts, Place, facts_of
from challenge.web.pages.sheet import Sheet

SWAP = "Samedice-Swap"
BEGIN_PLY = 0
DICE_AT_MOST = 6


@pages.get("/")
def home() -> str:
    """Today's default sheet."""
    day = services().days.today(now())
    return _show(day, services().settings.default_ruleset, page="home")


@pages.get("/<date>/<ruleset>")
def game(date: str, ruleset: str) -> str:
    """A game to play on, or its result."""
    return _show(day_of(date), ruleset)


@pages.post("/<date>/<ruleset>")
def move(date: str, ruleset: str) -> Response:
    """One move: an entry where the form names a box, else a roll; the first one begins."""
    day = day_of(date)
    player = identity.caller().player or identity.read_fresh(request.form.get("player", ""))
    answer = _move(player, day, ruleset)
    if identity.caller().player is None:
        identity.set_cookie(answer, player)
    return answer


# -- showing ---------------------------------------------------------------------------


def _show(day: date, ruleset: str, page: str = "game") -> str:
    return _page(identity.caller().player, day, ruleset, page=page)


def _page(
    player: str | None,
    day: date,
    ruleset: str,
    *,
    view: GameView | None = None,
    note: str | None = None,
    holds: list[int] | None = None,
    page: str = "game",
) -> str:
    """The game as it stands, or the result of a finished one."""
    board = services().days.board(day, ruleset, now())
    view = view or _view(player, board)
    sheet, facts, place = Sheet(view, board.ruleset), facts_of(board), Place(page, day, ruleset)
    if view.finished and player is not None:
        return _result(player, sheet, facts, place, note)
    return render_template(
        "game.html",
        sheet=sheet,
        challenge=facts,
        place=place,
        note=note,
        holds=view.held if holds is None else holds,
        here=_address(day, ruleset),
        player_field=None if player else identity.fresh_value(),
    )


def _result(player: str, sheet: Sheet, facts: Facts, place: Place, note: str | None) -> str:
    finish = services().standings.finish(player, place.on, sheet.ruleset.id, now())
    return render_template(
        "result.html",
        sheet=sheet,
        challenge=facts,
        place=place,
        note=note,
        today=services().days.today(now()).isoformat(),
        share=result.text_of(finish),
        standing=result.words_of(finish.standing, finish.final, finish.streak),
    )


def _view(player: str | None, board: Board) -> GameView:
    """The player's game, or a blank sheet where none was begun."""
    if player is not None:
        try:
            return services().play.view(player, board.id.day, board.id.ruleset, now())
        except NotFound:
            pass
    return game_view(
        rules.start(board.ruleset),
        date=board.id.day.isoformat(),
        number=board.number,
        mode="archive" if board.state(now()) == "closed" else "daily",
        standing=None,
    )


# -- moving ----------------------------------------------------------------------------


def _move(player: str, day: date, ruleset: str) -> Response:
    """What a move leads to; what the rules refuse is shown beside the game as it stands."""
    try:
        view = _act(player, day, ruleset)
    except PlyConflict as conflict:
        note = gettext("The game has moved on elsewhere. This is how it stands.")
        return respond(_page(player, day, ruleset, view=conflict.game, note=note), 409)
    except IllegalAction as refused:
        page = _page(player, day, ruleset, note=i18n.reason_text(refused), holds=_holds())
        return respond(page, 422)
    if SWAP in request.headers:
        return respond(_page(player, day, ruleset, view=view))
    return see(_address(day, ruleset))


def _act(player: str, day: date, ruleset: str) -> GameView:
    play, ply, box = services().play, _ply(), request.form.get("box")
    if box is not None:
        return play.score(player, day, ruleset, ply, box, now())
    if ply == BEGIN_PLY:
        play.begin(player, day, ruleset, now())
    return play.roll(player, day, ruleset, ply, _holds(), now())


def _ply() -> int:
    text = request.form.get("ply", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BadInput("The form lacks the number of the move.")
    return int(text)


def _holds() -> list[int]:
    given = request.form.getlist("hold")
    if any(text not in map(str, range(DICE_AT_MOST)) for text in given):
        raise BadInput("A hold is the position of a die.")
    return [int(text) for text in given]


def _address(day: date, ruleset: str) -> str:
    """Where a game is played; a language asked for in the address stays in it."""
    asked = request.args.get("lang")
    kept: Any = {"lang": asked} if asked in i18n.languages() else {}
    return url_for("pages.game", date=day.isoformat(), ruleset=ruleset, **kept)
