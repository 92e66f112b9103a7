"""An invite: names the group, and one button joins it.

A newcomer becomes a player with that press and is led into today's game.
"""

from __future__ import annotations

from flask import Response, render_template, url_for

from challenge.errors import NotFound
from challenge.service.views.groups import InvitedView
from challenge.web import identity, invites, limits
from challenge.web.current import now, services
from challenge.web.pages import mover
from challenge.web.pages.blueprint import pages, respond, see
from challenge.web.pages.groups import rows
from challenge.web.pages.place import Place


@pages.get("/join/<signed>")
def join(signed: str) -> Response:
    """What the invite leads to; a chat that looks at the link changes nothing."""
    player = identity.caller().player
    try:
        group = services().groups.invited(invites.read(signed), player)
    except NotFound:
        return _gone()
    if group.member:
        return see(url_for("pages.group", group=group.id))
    return respond(_page(group, player))


@pages.post("/join/<signed>")
def join_group(signed: str) -> Response:
    """In; a newcomer goes on to today's dice, a player to the group."""
    who = mover.admitted()
    try:
        invite = invites.take(signed)
        with limits.arrival(fresh=who.fresh), limits.joining():
            group = services().groups.join(who.player, invite, now(), epoch=who.epoch).id
    except NotFound:
        return _gone()
    answer = see(
        url_for("pages.home", joined=group)
        if who.fresh
        else url_for("pages.group", group=group, joined=1)
    )
    who.keep(answer)
    return answer


def _gone() -> Response:
    return respond(render_template("groups/gone.html", place=Place("groups")), 404)


def _page(group: InvitedView, player: str | None) -> str:
    own = player and services().players.view(player)
    return render_template(
        "groups/join.html",
        place=Place("groups"),
        group=group,
        own=own and rows.person(own.id, own.name, True),
        player_field=None if player else identity.fresh_value(),
    )
