"""What was possible on a board's dice, and how the computer players fared on them."""

from __future__ import annotations

import datetime

from flask import Response, render_template

from challenge.errors import NotSolved, Spoiler
from challenge.game import log as logs
from challenge.service.days import Board
from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.i18n import bot_name
from challenge.web.pages import computers, replay
from challenge.web.pages.blueprint import day_of, pages, respond
from challenge.web.pages.place import Place, facts_of
from challenge.web.pages.site.problem_words import missing_words


@pages.get("/<date>/<ruleset>/hindsight")
def hindsight(date: str, ruleset: str) -> Response:
    """The best total of a board for those who have finished it; once it is closed, the game."""
    day, player = day_of(date), identity.caller().player
    board = services().days.board(day, ruleset, now())
    try:
        found = services().best_play.hindsight(day, ruleset, player, now())
    except Spoiler:
        return respond(_page("hidden.html", day, board), 403)
    except NotSolved as error:
        return respond(_hindsight(day, board, player, why=missing_words(error.missing)))
    line = found.log and replay.turns(board.ruleset, board.stream, logs.from_text(found.log))
    return respond(_hindsight(day, board, player, total=found.total, turns=line))


def _hindsight(day: datetime.date, board: Board, player: str | None, **more: object) -> str:
    (own,) = services().play.glance(player, [(day, board.id.ruleset)], now())
    bots = computers.of(day, board.id.ruleset)
    return _page("hindsight.html", day, board, own=own.score, computers=bots, **more)


@pages.get("/<date>/<ruleset>/bots/<strength>")
def computer(date: str, ruleset: str, strength: str) -> Response:
    """A computer player's game, for those who may see it."""
    day, player = day_of(date), identity.caller().player
    board = services().days.board(day, ruleset, now())
    try:
        bot = services().best_play.bot(day, ruleset, strength, player, now())
    except Spoiler:
        return respond(_page("hidden.html", day, board), 403)
    except NotSolved as error:
        return respond(_hindsight(day, board, player, why=missing_words(error.missing)))
    turns = replay.turns(board.ruleset, board.stream, logs.from_text(bot.log))
    name, how = bot_name(strength), computers.how(strength)
    return respond(
        _page("computer.html", day, board, name=name, how=how, score=bot.score, turns=turns)
    )


def _page(template: str, day: datetime.date, board: Board, **more: object) -> str:
    return render_template(
        template,
        place=Place("hindsight", day, board.id.ruleset),
        ruleset=board.ruleset,
        challenge=facts_of(board),
        **more,
    )
