"""What is left of a board whose games are no longer kept: the player's own score and its place."""

from __future__ import annotations

from flask import render_template

from challenge.errors import Gone
from challenge.service.days import Board
from challenge.web.api.playing import result_text
from challenge.web.current import now, services
from challenge.web.i18n import language
from challenge.web.pages import result
from challenge.web.pages.place import Place, facts_of


def page(player: str | None, board: Board, place: Place) -> str:
    """The score of a game that counted, its place and the text to copy.

    Raises:
        Gone: no game of the player counted on that board.
    """
    if player is None:
        raise Gone(board.id.day, board.id.ruleset)
    finish = services().standings.finish(player, board.id.day, board.id.ruleset, now())
    skill = services().reviews.skill(player, board, now())
    return render_template(
        "kept.html",
        challenge=facts_of(board),
        place=place,
        ruleset=board.ruleset,
        points=finish.score,
        share=result_text(finish, language(), skill),
        standing=result.own_words(player, finish, skill),
        chart=result.chart_of(place.on, board.id.ruleset, finish.score),
    )
