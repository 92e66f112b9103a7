"""Players: a new one, and the caller's own."""

from __future__ import annotations

from flask import Blueprint, Response
from msgspec import UNSET

from challenge.web import identity, limits
from challenge.web.api.answers import NameBody, NewPlayerBody, answer, body
from challenge.web.current import services

routes = Blueprint("players", __name__)


@routes.post("/players")
def create_player() -> Response:
    """A new player and the token that is this player; sets no cookie."""
    name = body(NewPlayerBody, optional=True).name
    with limits.arrival():
        player = services().players.create(None if name is UNSET else name)
    response = answer({"player": player, "token": identity.token(player.id)}, 201)
    response.headers["Cache-Control"] = "no-store"
    return response


@routes.get("/me")
def get_me() -> Response:
    """The calling player."""
    return answer({"player": services().players.view(identity.player())})


@routes.patch("/me")
def rename_me() -> Response:
    """Another name for the calling player."""
    player, epoch = identity.mover()
    name = body(NameBody).name
    return answer({"player": services().players.rename(player, name, epoch=epoch)})
