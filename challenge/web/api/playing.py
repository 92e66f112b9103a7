"""Playing: begin, look, roll, score, share."""

from __future__ import annotations

from flask import Blueprint, Response, request

from challenge.daily import share
from challenge.errors import BadInput
from challenge.service.reviews import review_view
from challenge.service.standings import Finish
from challenge.solver.skill import Skill
from challenge.web import i18n, identity, limits, links
from challenge.web.api.answers import RollBody, ScoreBody, answer, body, game_answer
from challenge.web.current import now, services
from challenge.web.durability import say_degraded

routes = Blueprint("playing", __name__)

_GAME = "/challenges/<date>/<ruleset>/game"


@routes.get(_GAME)
def get_game(date: str, ruleset: str) -> Response:
    """The caller's game."""
    player = identity.player()
    day = services().days.day(date, now())
    return answer(game_answer(services().play.view(player, day, ruleset, now())))


@routes.post(_GAME)
def begin_game(date: str, ruleset: str) -> Response:
    """Begin the caller's game, or find it begun."""
    player, epoch = _mover()
    day = services().days.day(date, now())
    view, new = services().play.begin(player, day, ruleset, now(), epoch=epoch)
    return answer(game_answer(view), 201 if new else 200)


@routes.post(f"{_GAME}/roll")
def roll(date: str, ruleset: str) -> Response:
    """Roll the dice that are not held."""
    (player, epoch), use, moment = _mover(), services(), now()
    asked = body(RollBody)
    day = use.days.day(date, moment)
    view = use.play.roll(player, day, ruleset, asked.ply, asked.hold, moment, epoch=epoch)
    return answer(game_answer(view))


@routes.post(f"{_GAME}/score")
def score(date: str, ruleset: str) -> Response:
    """Enter the dice into a box."""
    (player, epoch), use, moment = _mover(), services(), now()
    asked = body(ScoreBody)
    day = use.days.day(date, moment)
    view = use.play.score(
        player, day, ruleset, asked.ply, asked.box, moment, epoch=epoch, degraded=say_degraded
    )
    return answer(game_answer(view))


@routes.get(f"{_GAME}/share")
def share_game(date: str, ruleset: str) -> Response:
    """The result as text to paste."""
    player = identity.player()
    asked = request.headers.get("Accept-Language")
    language = request.args.get("lang", default=i18n.negotiate(asked))
    if language not in i18n.languages():
        raise BadInput(f"`lang` is one of {', '.join(i18n.languages())}.")
    day = services().days.day(date, now())
    finish = services().standings.finish(player, day, ruleset, now())
    skill = services().reviews.skill(player, finish.board, now())
    text = result_text(finish, language, skill)
    return Response(text, content_type="text/plain; charset=utf-8")


@routes.get(f"{_GAME}/link")
def link_to_game(date: str, ruleset: str) -> Response:
    """The address of a page where others compare with this result."""
    player = identity.player()
    day = services().days.day(date, now())
    services().standings.finish(player, day, ruleset, now())  # only of a finished game
    return answer({"url": links.result_link(links.SharedGame(day, ruleset, player))})


@routes.get(f"{_GAME}/review")
def review_game(date: str, ruleset: str) -> Response:
    """The caller's finished game held against the best play that cannot see ahead."""
    player = identity.player()
    day = services().days.day(date, now())
    return answer(review_view(services().reviews.review(player, day, ruleset, now())))


def _mover() -> tuple[str, int]:
    """Who makes a move: known by the signature, and within the moves of a minute."""
    player, epoch = identity.mover()
    limits.count_move(player, epoch)
    return player, epoch


def result_text(finish: Finish, language: str, skill: Skill | None) -> str:
    """The three lines of a finished game, in this language."""
    board = finish.board
    result = share.Result(
        number=board.number,
        sheet=i18n.sheet_short(board.ruleset, language),
        score=finish.score,
        link=board_link(board.id.day.isoformat(), board.id.ruleset),
        standing=finish.standing,
        final=finish.final,
        streak=finish.streak,
        skill=skill and skill.percent,
    )
    return share.text(result, i18n.translations(language), language)


def board_link(date: str, ruleset: str) -> str:
    """The public address of a board, by CHALLENGE_BASE_URL or by the request's host."""
    return links.address("pages.game", date=date, ruleset=ruleset)
