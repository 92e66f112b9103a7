"""Pages for people: the game, its result, the leaderboard, the sheets of a day, errors.

Every form works without JavaScript: it posts and is sent on by 303. The page's script
posts the same form with the header ``Samedice-Swap`` and gets the new page at once.
A GET creates nothing and sets no cookie.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for

from challenge.errors import BadInput, IllegalAction, NotFound, PlyConflict
from challenge.game import game as rules
from challenge.service.days import Board
from challenge.service.views import GameView, game_view
from challenge.web import i18n, identity, problem_words, ranks, result
from challenge.web.api.answers import number
from challenge.web.current import now, services
from challenge.web.i18n import gettext
from challenge.web.place import Facts, Place, facts_of
from challenge.web.sheet import Sheet
from challenge.web.words import split_name

pages = Blueprint("pages", __name__)

SWAP = "Samedice-Swap"
LANGUAGE_AGE = timedelta(days=400)
BEGIN_PLY = 0
DICE_AT_MOST = 6


@pages.get("/")
def home() -> str:
    """Today's default sheet."""
    day = services().days.today(now())
    return _show(day, services().settings.default_ruleset, page="home")


@pages.get("/<date>")
def sheets(date: str) -> str:
    """The sheets of a day, by family."""
    day = _day(date)
    boards = services().days.challenges(day, now())
    return render_template(
        "sheets.html", place=Place("sheets", day), families=ranks.families(boards), number=_no(day)
    )


@pages.get("/<date>/<ruleset>")
def game(date: str, ruleset: str) -> str:
    """A game to play on, or its result."""
    return _show(_day(date), ruleset)


@pages.post("/<date>/<ruleset>")
def move(date: str, ruleset: str) -> Response:
    """One move: an entry where the form names a box, else a roll; the first one begins."""
    day = _day(date)
    player = identity.caller().player or identity.read_fresh(request.form.get("player", ""))
    answer = _move(player, day, ruleset)
    if identity.caller().player is None:
        identity.set_cookie(answer, player)
    return answer


@pages.get("/<date>/<ruleset>/leaderboard")
def leaderboard(date: str, ruleset: str) -> str:
    """A board by rank; ``?offset=`` pages, ``?around=me`` shows one's own neighbourhood."""
    day, player = _day(date), identity.caller().player
    board = services().days.board(day, ruleset, now())
    around = request.args.get("around") == "me" and player is not None
    listing = ranks.listing(day, ruleset, player, number("offset", 0), around)
    facts = facts_of(board)
    own = ranks.own_standing(listing.view)
    return render_template(
        "leaderboard.html",
        place=Place("leaderboard", day, ruleset),
        ruleset=board.ruleset,
        challenge=facts,
        board=listing.view,
        rows=listing.rows,
        paging=ranks.paging(day, ruleset, listing),
        standing=own and result.words_of(own, facts.state == "closed", None),
        state_words=ranks.state_words(facts.state),
    )


@pages.post("/language")
def choose_language() -> Response:
    """Keep the visitor's choice in a cookie and go back to where it was made."""
    chosen, back = request.form.get("lang"), request.form.get("next", "")
    if chosen not in i18n.languages():
        raise BadInput("There is no such language.")
    own = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = _see(back if own else url_for("pages.home"))
    answer.set_cookie(
        i18n.COOKIE, chosen, max_age=LANGUAGE_AGE, samesite="Lax", secure=request.is_secure
    )
    return answer


def problem_page(problem: Any) -> Response:
    """An error as a page; ``problem`` is a :class:`challenge.web.problems.Problem`."""
    return _response(
        render_template(
            "error.html",
            place=Place("error"),
            **problem_words.of(problem.slug, problem.status, problem.facts),
        )
    )


@pages.after_request
def _keep_nowhere(answer: Response) -> Response:
    """A page carries a player's game, or the value that will make a player: nobody stores it."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


@pages.app_context_processor
def _for_every_page() -> dict[str, Any]:
    zone = services().settings.calendar.zone.key
    return {"now": now(), "zone": zone}


pages.add_app_template_global(split_name)


@pages.app_template_filter("in_zone")
def _in_zone(instant: Any) -> Any:
    return instant.astimezone(services().settings.calendar.zone)


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
        return _response(_page(player, day, ruleset, view=conflict.game, note=note), 409)
    except IllegalAction as refused:
        page = _page(player, day, ruleset, note=i18n.reason_text(refused), holds=_holds())
        return _response(page, 422)
    if SWAP in request.headers:
        return _response(_page(player, day, ruleset, view=view))
    return _see(_address(day, ruleset))


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


def _day(text: str) -> date:
    """The day of a path; what is no date is no page."""
    try:
        return services().days.day(text, now())
    except BadInput as error:
        raise NotFound(str(error)) from None


def _no(day: date) -> int:
    return (day - date(2026, 1, 1)).days + 1


def _address(day: date, ruleset: str) -> str:
    """Where a game is played; a language asked for in the address stays in it."""
    asked = request.args.get("lang")
    kept: Any = {"lang": asked} if asked in i18n.languages() else {}
    return url_for("pages.game", date=day.isoformat(), ruleset=ruleset, **kept)


def _see(target: str) -> Response:
    return redirect(target, 303, Response)  # type: ignore[return-value]


def _response(page: str, status: int = 200) -> Response:
    return Response(page, status, content_type="text/html; charset=utf-8")
