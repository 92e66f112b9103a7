"""One's groups, and a new one."""

from __future__ import annotations

from flask import Response, render_template, request, url_for

from challenge.errors import BadInput
from challenge.web import identity, limits, once
from challenge.web.current import now, services
from challenge.web.pages import mover
from challenge.web.pages.blueprint import pages, respond, see
from challenge.web.pages.place import Place


@pages.get("/groups")
def groups() -> str:
    """The visitor's groups and the form for another; says to strangers what a group is."""
    return _page()


@pages.post("/groups")
def create_group() -> Response:
    """A new group, owned by the visitor; a stranger becomes a player with it."""
    owner, name = mover.admitted(), request.form.get("name", "")
    try:
        with limits.arrival(fresh=owner.fresh):
            group = services().groups.create(
                owner.player, name, now(), epoch=owner.epoch, once=once.name()
            )
    except BadInput:
        return respond(_page(refused=name), 400)
    answer = see(url_for("pages.group_members", group=group.id))
    owner.keep(answer)
    return answer


def _page(refused: str | None = None) -> str:
    player = identity.caller().player
    return render_template(
        "groups/groups.html",
        place=Place("groups"),
        groups=services().groups.mine(player) if player else [],
        player_field=None if player else identity.fresh_value(),
        refused=refused,
        left="left" in request.args,
    )
