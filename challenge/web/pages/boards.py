"""The leaderboard of a board, and the finished games that stand on it."""

from __future__ import annotations

import datetime

from flask import Response, render_template, request

from challenge.daily.ranking import Standing
from challenge.errors import Spoiler
from challenge.service.days import Board
from challenge.service.views.games import FinishedGameView
from challenge.web import identity
from challenge.web.api.answers import number
from challenge.web.current import now, services
from challenge.web.pages import computers, friends, ranks, result
from challenge.web.pages.blueprint import day_of, pages, respond, see
from challenge.web.pages.place import Place, facts_of
from challenge.web.pages.sheet import Sheet


@pages.get("/<date>/<ruleset>/leaderboard")
def leaderboard(date: str, ruleset: str) -> str:
    """A board by rank; ``?offset=`` pages, ``?around=me`` shows one's own neighbourhood.

    With ``?report=1`` each name leads to where it is reported.
    """
    day, player = day_of(date), identity.caller().player
    board = services().days.board(day, ruleset, now())
    around = request.args.get("around") == "me" and player is not None
    offset = number("offset", 0) if "offset" in request.args else None
    listing = ranks.listing(day, ruleset, player, offset, around)
    facts = facts_of(board)
    paging = ranks.paging(day, ruleset, listing, cut=not facts.kept)
    listing, below = ranks.set_apart(listing, services().fairplay.apart(day, ruleset, now()))
    own = ranks.own_standing(listing.view)
    reporting = "report" in request.args
    return render_template(
        "leaderboard.html",
        place=Place("leaderboard", day, ruleset),
        ruleset=board.ruleset,
        challenge=facts,
        listing=listing,
        friends=None
        if offset or around or reporting
        else friends.of(player, day, ruleset, ranks.PAGE),
        below=below,
        paging=paging,
        days=(ranks.beside(day, ruleset, -1), ranks.beside(day, ruleset, 1)),
        own=own,
        day_words=ranks.day_words(day),
        standing=own and result.words_of(own, facts.state == "closed"),
        may_look=facts.kept and (own is not None or facts.state == "closed"),
        state_words=ranks.state_words(facts.state),
        reporting=reporting,
        computers=[] if offset or around or reporting else computers.of(day, ruleset),
        report_here=ranks.report_here(day, ruleset, listing, around),
    )


@pages.get("/<date>/<ruleset>/games/<player>")
def finished_game(date: str, ruleset: str, player: str) -> Response:
    """Another player's finished game, for those who may see it."""
    day, viewer = day_of(date), identity.caller().player
    board = services().days.board(day, ruleset, now())
    if player == viewer:
        return see(request.path.rsplit("/games/", 1)[0])
    try:
        view = services().standings.finished_game(day, ruleset, player, viewer, now())
    except Spoiler:
        return respond(_page("hidden.html", day, board), 403)
    return respond(_page("finished.html", day, board, **_facts(view, viewer, board)))


def _page(template: str, day: datetime.date, board: Board, **more: object) -> str:
    return render_template(
        template,
        place=Place("finished", day, board.id.ruleset),
        ruleset=board.ruleset,
        challenge=facts_of(board),
        **more,
    )


def _facts(view: FinishedGameView, viewer: str | None, board: Board) -> dict[str, object]:
    name, tag = ranks.name_and_tag(view.player.name)
    found = view.standing
    standing = found and Standing(found.players, found.beaten, found.tied)
    closed = board.state(now()) == "closed"
    (own,) = services().play.glance(viewer, [(board.id.day, board.id.ruleset)], now())
    return {
        "sheet": Sheet(view, board.ruleset),
        "name": name,
        "tag": tag,
        "named": ranks.is_named(view.player.id, view.player.name),
        "standing": standing and result.words_of(standing, closed),
        "difference": None if own.score is None else result.difference(view.total, own.score),
    }
