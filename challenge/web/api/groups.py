"""Groups: made, joined, left; their boards of a day and their tables over days."""

from __future__ import annotations

from datetime import date, timedelta

from flask import Blueprint, Response, request
from werkzeug.routing import BaseConverter

from challenge.daily import calendar
from challenge.web import identity, invites, limits, once
from challenge.web.api.answers import GroupBody, InviteBody, OwnerBody, answer, body, nothing
from challenge.web.current import now, services

routes = Blueprint("groups", __name__)

TABLE_DAYS = 30  # where the call names no days


class GroupConverter(BaseConverter):
    """The id of a group in a path; `join` is none."""

    regex = "[A-Za-z0-9_-]{22}"


@routes.post("/groups")
def create_group() -> Response:
    """A new group of the caller's."""
    player, epoch = identity.mover()
    name = body(GroupBody).name
    made = services().groups.create(player, name, now(), epoch=epoch, once=once.name())
    return _group(player, made.id, 201)


@routes.get("/groups")
def list_groups() -> Response:
    """The groups the caller is in."""
    return answer({"groups": services().groups.mine(identity.player())})


@routes.post("/groups/join")
def join_group() -> Response:
    """Become a member by an invite."""
    player, epoch = identity.mover()
    invite = invites.take(body(InviteBody).invite)
    with limits.joining():
        joined = services().groups.join(player, invite, now(), epoch=epoch)
    return _group(player, joined.id)


@routes.get("/groups/<group:id>")
def get_group(id: str) -> Response:
    """A group of the caller's, with its boards of one day."""
    return _group(identity.player(), id, day=request.args.get("date", "today"))


@routes.delete("/groups/<group:id>/members/<player>")
def remove_member(id: str, player: str) -> Response:
    """Leave a group, or take a member out of one's own."""
    services().groups.remove(identity.player(), id, player)
    return nothing()


@routes.put("/groups/<group:id>/owner")
def hand_over_group(id: str) -> Response:
    """Make another member the owner."""
    player = identity.player()
    services().groups.hand_over(player, id, body(OwnerBody).player)
    return _group(player, id)


@routes.post("/groups/<group:id>/invite")
def renew_invite(id: str) -> Response:
    """Another invite; the one before is void."""
    player = identity.player()
    services().groups.renew(player, id)
    return _group(player, id)


@routes.get("/groups/<group:id>/table")
def get_group_table(id: str) -> Response:
    """A group over a span of days, on one sheet."""
    player = identity.player()
    first, last = _span()
    ruleset = request.args.get("ruleset", services().settings.default_ruleset)
    return answer(services().tables.table(player, id, ruleset, first, last, now()))


@routes.get("/groups/<group:id>/versus")
def get_duel(id: str) -> Response:
    """Two members head to head, on one sheet."""
    player = identity.player()
    first, last = _span()
    ruleset = request.args.get("ruleset", services().settings.default_ruleset)
    a, b = request.args.get("a", player), request.args.get("b", "")
    return answer(services().tables.duel(player, id, a, b, ruleset, first, last, now()))


def _group(player: str, id: str, status: int = 200, *, day: str = "today") -> Response:
    found = services().days.day(day, now())
    return answer(invites.with_link(services().circles.view(player, id, found, now())), status)


def _span() -> tuple[date, date]:
    """The days of ``from`` and ``to``; the 30 days up to today where they are missing."""
    days = services().days
    last = days.day(request.args.get("to", "today"), now())
    before = max(last - timedelta(days=TABLE_DAYS - 1), calendar.FIRST_DAY)
    return days.day(request.args.get("from", before.isoformat()), now()), last
