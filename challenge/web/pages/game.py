"""The game: playing it, and its result once it is finished."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from flask import Response, render_template, request, url_for

from challenge.errors import BadInput, IllegalAction, NotFound, PlyConflict
from challenge.game import game as rules
from challenge.service.days import Board
from challenge.service.views.games import GameView, game_view
from challenge.web import i18n, identity, limits, watch
from challenge.web.current import now, services
from challenge.web.durability import say_degraded
from challenge.web.i18n import gettext
from challenge.web.pages import coach, kept, manners, result, waiting
from challenge.web.pages import mover as movers
from challenge.web.pages.blueprint import day_of, pages, respond, see
from challenge.web.pages.coach import Advice
from challenge.web.pages.groups import welcome
from challenge.web.pages.links import sent
from challenge.web.pages.mover import Mover
from challenge.web.pages.place import Place, facts_of
from challenge.web.pages.sheet import Sheet

SWAP = "Samedice-Swap"
BEGIN_PLY = 0
DICE_AT_MOST = 6


@dataclass(frozen=True, slots=True)
class Show:
    """What a page shows beside the game itself; ``None`` leaves it to the game."""

    note: str | None = None
    holds: list[int] | None = None
    ask: str | None = None
    page: str = "game"
    advice: Advice | None = None


@pages.get("/")
def home() -> str:
    """Today's default sheet."""
    day = services().days.today(now())
    return _page(identity.caller().player, day, _default(), Show(page="home"))


@pages.get("/<date>/<ruleset>")
def game(date: str, ruleset: str) -> str:
    """A game to play on, or its result; ``?ask=`` and ``?hold=`` keep an open question.

    ``?coach=1`` asks the coach, who answers on closed days alone.
    """
    holds = _positions(request.args.getlist("hold")) if request.args.get("hold") else None
    day, player = day_of(date), identity.caller().player
    advice = coach.advice(player, day, ruleset) if "coach" in request.args else None
    show = Show(holds=holds, ask=request.args.get("ask"), advice=advice)
    return _page(player, day, ruleset, show)


@pages.post("/<date>/<ruleset>")
def move(date: str, ruleset: str) -> Response:
    """One press of a button: an entry, a roll (the first one begins), or what changes no game."""
    day, ask, do = day_of(date), request.form.get("ask"), request.form.get("do")
    if do == "coach":
        return _coach(day, ruleset)
    if ask is not None or do in ("back", "quiet"):
        return _talk(day, ruleset, ask, quiet=do == "quiet")
    mover = movers.of_a_move()
    limits.count_move(mover.player, mover.epoch)
    answer = _move(mover, day, ruleset)
    mover.keep(answer)
    if "quiet" in request.form and SWAP not in request.headers:
        manners.set_off(answer, manners.ZERO)
    return answer


def _default() -> str:
    return services().settings.default_ruleset


def _talk(day: date, ruleset: str, ask: str | None, *, quiet: bool) -> Response:
    """The question before a zero, the way back from it, or a page without its hints."""
    holds = _holds()
    if SWAP in request.headers:
        limits.count_talk(identity.caller())
        show = Show(holds=holds, ask=ask)
        return respond(_page(identity.caller().player, day, ruleset, show))
    answer = see(_address(day, ruleset, ask=ask, hold=holds))
    return manners.set_off(answer, manners.HINTS) if quiet else answer


def _coach(day: date, ruleset: str) -> Response:
    """The page with what each choice is worth; without a script by an address of its own."""
    if SWAP not in request.headers:
        return see(_address(day, ruleset, hold=_holds(), coach=1))
    player = identity.player()
    limits.count_talk(identity.caller())
    show = Show(holds=_holds(), advice=coach.advice(player, day, ruleset))
    return respond(_page(player, day, ruleset, show))


# -- showing ---------------------------------------------------------------------------


def _page(
    player: str | None, day: date, ruleset: str, show: Show, view: GameView | None = None
) -> str:
    """The game as it stands, or the result of a finished one."""
    board = services().days.board(day, ruleset, now())
    if not services().days.is_kept(board, now()):
        return kept.page(player, board, Place(show.page, day, ruleset))
    view = view or _view(player, board)
    sheet = Sheet(view or _blank(board), board.ruleset, show.ask, manners.asks())
    facts, place = facts_of(board), Place(show.page, day, ruleset)
    coached = facts.state == "closed"
    if sheet.view.finished and player is not None:
        return result.page(player, sheet, facts, place, show.note)
    return render_template(
        "game.html",
        sheet=sheet,
        challenge=facts,
        place=place,
        note=show.note,
        holds=sheet.view.held if show.holds is None else show.holds,
        here=_address(day, ruleset),
        player_field=None if player else identity.fresh_value(),
        over=view is None and facts.state == "closing",
        waiting=waiting.games(player, day) if show.page == "home" else [],
        hints=not coached and manners.hints(player, sheet),
        coached=coached,
        advice=show.advice,
        turns=facts.turns_at,
        joined=welcome.joined(player) if show.page == "home" else None,
    )


def _view(player: str | None, board: Board) -> GameView | None:
    """The player's game, if it was begun."""
    if player is None:
        return None
    try:
        return services().play.view(player, board.id.day, board.id.ruleset, now())
    except NotFound:
        return None


def _blank(board: Board) -> GameView:
    return game_view(
        rules.start(board.ruleset),
        date=board.id.day.isoformat(),
        number=board.number,
        mode="archive" if board.state(now()) == "closed" else "daily",
        standing=None,
    )


# -- moving ----------------------------------------------------------------------------


def _move(mover: Mover, day: date, ruleset: str) -> Response:
    """What a move leads to; what the rules refuse is shown beside the game as it stands."""
    player = mover.player
    try:
        view = _act(mover, day, ruleset)
    except PlyConflict as conflict:
        watch.note(conflict)
        note = gettext("The game has moved on elsewhere. This is how it stands.")
        return respond(_page(player, day, ruleset, Show(note=note), conflict.game), 409)
    except NotFound as lost:
        if mover.fresh:
            raise
        # A failover of the store may have taken the beginning back.
        watch.note(lost)
        note = gettext("This game has not begun. The first roll begins it.")
        return respond(_page(player, day, ruleset, Show(note=note)), 404)
    except IllegalAction as refused:
        watch.note(refused)
        show = Show(note=i18n.reason_text(refused), holds=_holds())
        return respond(_page(player, day, ruleset, show), 422)
    if SWAP in request.headers:
        return respond(_page(player, day, ruleset, Show(), view))
    return see(_address(day, ruleset))


def _act(mover: Mover, day: date, ruleset: str) -> GameView:
    play, ply, player, epoch = services().play, _ply(), mover.player, mover.epoch
    box = request.form.get("zero", request.form.get("box"))
    if box is not None:
        at = now()
        return play.score(player, day, ruleset, ply, box, at, epoch=epoch, degraded=say_degraded)
    if ply == BEGIN_PLY:
        with limits.arrival(fresh=mover.fresh) as newcomer:
            _, newcomer.stands = play.begin(player, day, ruleset, now(), epoch=epoch)
    return play.roll(player, day, ruleset, ply, _holds(), now(), epoch=epoch)


def _ply() -> int:
    text = request.form.get("ply", "")
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BadInput("The form lacks the number of the move.")
    return int(text)


def _holds() -> list[int]:
    return _positions(request.form.getlist("hold"))


def _positions(given: list[str]) -> list[int]:
    if any(text not in map(str, range(DICE_AT_MOST)) for text in given):
        raise BadInput("A hold is the position of a die.")
    return [int(text) for text in given]


def _address(day: date, ruleset: str, **more: Any) -> str:
    """Where a game is played; a language asked for in the address stays in it.

    So does the link of who sent the player here.
    """
    asked = request.args.get("lang")
    kept: Any = {"lang": asked} if asked in i18n.languages() else {}
    kept |= sent.carried(day, ruleset)
    return url_for("pages.game", date=day.isoformat(), ruleset=ruleset, **kept, **more)
