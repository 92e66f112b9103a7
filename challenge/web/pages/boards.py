"""The leaderboard of a board."""

from __future__ import annotations

from flask import render_template, request

from challenge.web import identity
from challenge.web.api.answers import number
from challenge.web.current import now, services
from challenge.web.pages import ranks, result
from challenge.web.pages.blueprint import day_of, pages
from challenge.web.pages.place import Place, facts_of


@pages.get("/<date>/<ruleset>/leaderboard")
def leaderboard(date: str, ruleset: str) -> str:
    """A board by rank; ``?offset=`` pages, ``?around=me`` shows one's own neighbourhood."""
    day, player = day_of(date), identity.caller().player
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
