"""A link to a result: the sheet for those who may compare, the way into the game for others.

Looking at it changes nothing and sets no cookie: chats fetch a link to show what is behind it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from flask import Response, render_template, request

from challenge.errors import Gone, NotFinished, NotFound, Spoiler
from challenge.service.standings import Finish
from challenge.service.views.games import GameView
from challenge.web import identity, links
from challenge.web.current import now, services
from challenge.web.i18n import gettext, ngettext, sheet_short
from challenge.web.links import SharedGame
from challenge.web.pages import ranks, result
from challenge.web.pages.blueprint import pages
from challenge.web.pages.links.drawing import Caption, draw
from challenge.web.pages.place import Place, facts_of
from challenge.web.pages.result import Words
from challenge.web.pages.sheet import Sheet

FOR = 300  # seconds a picture may be kept; so long an erased game's stays in sight
DRAWN = 1  # the version of the drawing, part of a picture's tag


@dataclass(frozen=True, slots=True)
class Shared:
    """A result by its link; ``sheet`` is None for those who have to play first."""

    game: SharedGame
    finish: Finish
    words: Words
    sheet: GameView | None


@pages.get("/r/<signed>")
def shared_result(signed: str) -> str:
    """A result to compare with: its sheet, or the way to play these dice first."""
    viewer = identity.caller().player
    shared = _shared(links.read_result(signed), viewer)
    game, board = shared.game, shared.finish.board
    (own,) = services().play.glance(viewer, [(game.day, game.ruleset)], now())
    shown = services().players.view(game.player).name
    name, tag = ranks.name_and_tag(shown)
    mine = viewer == game.player
    return render_template(
        "shared.html",
        place=Place("shared", game.day, game.ruleset),
        ruleset=board.ruleset,
        challenge=facts_of(board),
        signed=signed,
        player=game.player,
        points=shared.finish.score,
        name=name,
        tag=tag,
        named=ranks.is_named(game.player, shown),
        words=shared.words,
        sheet=shared.sheet and Sheet(shared.sheet, board.ruleset),
        own=own,
        mine=mine,
        difference=None
        if mine or own.score is None
        else result.difference(shared.finish.score, own.score),
    )


@pages.get("/r/<signed>/picture.png")
def shared_picture(signed: str) -> Response:
    """The picture of a result: number, sheet, score and percentile; no name and no entry."""
    return _picture(caption_of(links.read_result(signed)))


def caption_of(game: SharedGame) -> Caption:
    """What the picture of a result says, in the language of the request.

    Raises:
        NotFound: the game is no more.
    """
    finish, words = _finished(game)
    return Caption(
        corner=gettext("No. %(number)d") % {"number": finish.board.number},
        title=sheet_short(finish.board.ruleset),
        score=str(finish.score),
        unit=ngettext("point", "points", finish.score),
        lines=(words.title, *words.facts),
        dice=finish.board.ruleset.dice,
    )


@pages.get("/picture.png")
def site_picture() -> Response:
    """The picture beside every other link to the site."""
    lines = (gettext("Once a day, without signing up."),)
    return _picture(Caption("", gettext("The same dice for everyone"), None, "", lines, 5))


def _shared(game: SharedGame, viewer: str | None) -> Shared:
    finish, words = _finished(game)
    return Shared(game, finish, words, _sheet(game, finish, viewer))


def _finished(game: SharedGame) -> tuple[Finish, Words]:
    """The facts of the game and its place in words.

    Raises:
        NotFound: the game is no more, since its player was erased.
    """
    try:
        finish = services().standings.finish(game.player, game.day, game.ruleset, now())
    except NotFinished:
        raise NotFound("There is no finished game at this link.") from None
    if finish.standing is None:
        return finish, Words(gettext("From the archive"), [])
    title, place = result.headline(finish.standing, finish.final)
    return finish, Words(title, [place] if place else [])


def _sheet(game: SharedGame, finish: Finish, viewer: str | None) -> GameView | None:
    """The entries, for those who have finished that board or once it is closed."""
    where = (game.day, game.ruleset)
    try:
        if finish.standing is not None:
            return services().standings.finished_game(*where, game.player, viewer, now())
    except (Spoiler, Gone):
        return None
    return services().play.view(game.player, *where, now()) if finish.final else None


def _picture(caption: Caption) -> Response:
    """The drawing, made only for who does not have it yet; pages of any site may show it."""
    answer = Response(content_type="image/png")
    tag = hashlib.sha256(f"{DRAWN} {caption}".encode()).hexdigest()[:32]
    answer.set_etag(tag)
    answer.headers["Cache-Control"] = f"public, max-age={FOR}"
    answer.headers["Vary"] = "Accept-Language, Cookie"
    answer.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if request.if_none_match.contains(tag):
        answer.status_code = 304
    else:
        answer.set_data(draw(caption))
    return answer
