"""The caller's record: figures, an export of everything, erasure of everything."""

from __future__ import annotations

from flask import Blueprint, Response, request

from challenge.web import identity
from challenge.web.api.answers import answer
from challenge.web.current import now, services

routes = Blueprint("records", __name__)


@routes.get("/me/stats")
def get_stats() -> Response:
    """The caller's figures, of one sheet or over all."""
    player = identity.player()
    return answer(services().records.stats(player, request.args.get("ruleset"), now()))


@routes.get("/me/export")
def export_me() -> Response:
    """All that is held about the caller."""
    return answer(services().exports.export(identity.player(), now()))


@routes.delete("/me")
def erase_me() -> Response:
    """Erase the caller: name, games, board entries, and whatever else is held."""
    done = services().erasure.request(identity.player())
    response = Response(status=204 if done else 202)
    del response.headers["Content-Type"]
    if identity.COOKIE in request.cookies:
        identity.drop_cookie(response)
    return response
