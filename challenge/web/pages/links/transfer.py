"""Coming from another device: a code to enter, or the link that carries one.

Looking takes nothing: a button posts the code. A device that has a player already is asked
first whether it shall be the other one from now on; nothing is merged.
"""

from __future__ import annotations

from flask import Response, render_template, request, url_for

from challenge.errors import NotFound
from challenge.game import rulesets
from challenge.service.devices import Found
from challenge.web import identity, once, signing
from challenge.web.current import now, services
from challenge.web.limits import guess_limited, joining
from challenge.web.pages import ranks
from challenge.web.pages.blueprint import pages, respond, see
from challenge.web.pages.place import Place


@pages.get("/transfer")
def transfer() -> str:
    """A field for a code of either kind."""
    return _field(wrong=False)


@pages.get("/transfer/<signed>")
def transfer_link(signed: str) -> Response:
    """Whom the code of a link leads to, and a button that takes it."""
    try:
        code = signing.unsign("transfer", signed)
        return respond(_question(code, services().devices.look(code, now())))
    except NotFound:
        return respond(_field(wrong=True), 404)


@pages.post("/transfer")
def take_transfer() -> Response:
    """Makes this browser the player of a code; another player of its own is asked about."""
    code = request.form.get("code", "")
    known = identity.caller().player
    try:
        if known and "sure" not in request.form:
            return respond(_question(code, _looked(code)))
        found = _taken(code)
    except NotFound:
        return respond(_field(wrong=True), 404)
    answer = see(_on(found.player.id))
    identity.set_cookie(answer, found.player.id, found.epoch)
    return answer


@guess_limited
def _looked(code: str) -> Found:
    return services().devices.look(code, now())


@guess_limited
@joining()
def _taken(code: str) -> Found:
    return services().devices.take(code, now(), once=once.name())


def _field(*, wrong: bool) -> str:
    return render_template("transfer.html", place=Place("transfer"), wrong=wrong)


def _question(code: str, found: Found) -> str:
    known = identity.caller().player
    own = ranks.name_and_tag(services().players.view(known).name) if known else None
    name, tag = ranks.name_and_tag(found.player.name)
    return render_template(
        "become.html",
        place=Place("transfer"),
        code=code,
        name=name,
        tag=tag,
        own=own,
        same=found.player.id == known,
        way_back=known is not None and services().devices.has_recovery(known),
    )


def _on(player: str) -> str:
    """Where to go on: a half-played game of today, else today's dice."""
    today = services().days.today(now())
    sheets = [(today, sheet.id) for sheet in rulesets.RULESETS]
    games = services().play.glance(player, sheets, now())
    begun = next((game for game in games if game.state == "begun"), None)
    if begun is None:
        return url_for("pages.home")
    return url_for("pages.game", date=begun.date, ruleset=begun.ruleset)
