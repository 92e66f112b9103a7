"""The page of a review, and what it says to those who have none to see yet."""

from __future__ import annotations

import datetime

from flask import Response, render_template

from challenge.errors import NotFinished, NotFound, NotSolved, Spoiler
from challenge.service.days import Board
from challenge.service.reviews import Reviewed
from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.i18n import gettext
from challenge.web.pages.blueprint import day_of, pages, respond
from challenge.web.pages.place import Place, facts_of
from challenge.web.pages.review import drawing, phrases
from challenge.web.pages.review.rounds import costliest, rounds_of
from challenge.web.pages.site.problem_words import missing_words

TOLD = 3  # of the costliest decisions
LEAST = 0.05  # points a decision costs that is worth telling: less rounds to nothing


@pages.get("/<date>/<ruleset>/review")
def review(date: str, ruleset: str) -> Response:
    """One's own finished game, decision by decision."""
    day, player = day_of(date), identity.caller().player
    board = services().days.board(day, ruleset, now())
    try:
        if player is None:
            services().insight.need_finished(board, None, now())
            raise NotFound("Nobody has played here yet.")
        reviewed = services().reviews.review(player, day, ruleset, now())
    except Spoiler:
        return _nothing(day, board, _unfinished(), 403)
    except NotFinished:
        return _nothing(day, board, _unfinished(), 409)
    except NotFound:
        return _nothing(day, board, gettext("You have not played this sheet yet."), 404)
    except NotSolved as error:
        return _nothing(day, board, missing_words(error.missing), 200)
    return respond(_page(day, board, reviewed))


def _unfinished() -> str:
    return gettext("Finish this sheet first: until then nobody learns what its dice are worth.")


def _nothing(day: datetime.date, board: Board, why: str, status: int) -> Response:
    page = render_template(
        "review/none.html",
        place=Place("review", day, board.id.ruleset),
        ruleset=board.ruleset,
        challenge=facts_of(board),
        why=why,
        done=status == 200,
    )
    return respond(page, status)


def _page(day: datetime.date, board: Board, reviewed: Reviewed) -> str:
    rounds, skill = rounds_of(reviewed), reviewed.review.skill
    total, mean, lost = (
        reviewed.review.total,
        round(skill.optimal_mean, 1),
        round(skill.given_away, 1),
    )
    return render_template(
        "review/review.html",
        place=Place("review", day, board.id.ruleset),
        ruleset=board.ruleset,
        challenge=facts_of(board),
        percent=skill.percent,
        mean=mean,
        luck=total - mean + lost,  # so that what is shown adds up, too
        lost=lost,
        total=total,
        rounds=rounds,
        costly=costliest(rounds, TOLD, LEAST),
        drawing=drawing.draw(rounds, skill.optimal_mean),
        least=LEAST,
        phrases=phrases,
    )
