"""A group's members and the ways in and out: invite, remove, hand over, leave."""

from __future__ import annotations

from datetime import date

from flask import Response, render_template, request, url_for

from challenge.errors import BadInput, NotFound, NotOwner
from challenge.service.views.groups import GroupView, MemberView
from challenge.web import invites
from challenge.web.current import now, services
from challenge.web.i18n import gettext
from challenge.web.pages import qr
from challenge.web.pages.blueprint import pages, see
from challenge.web.pages.groups import door, rows
from challenge.web.pages.place import Place


@pages.get("/groups/<group>/members")
@door.members_only
def group_members(group: str) -> str:
    """The invite, and who is in."""
    player = door.member()
    view = _view(player, group)
    invite = invites.link(view.invite_url)
    return render_template(
        "groups/members.html",
        place=Place("groups"),
        group=view,
        members=[(rows.of_member(each), each) for each in view.members],
        owned=view.owner == player,
        invite=invite,
        code=qr.svg(invite, gettext("The invite as a QR code")),
        done=request.args.get("done"),
    )


@pages.post("/groups/<group>/invite")
@door.members_only
def renew_invite(group: str) -> Response:
    """Another invite; the old one leads nowhere from now on."""
    services().groups.renew(door.member(), group)
    return see(url_for("pages.group_members", group=group, done="renewed"))


@pages.get("/groups/<group>/members/<player>")
@door.members_only
def group_member(group: str, player: str) -> str:
    """One member, and what the owner may do about them."""
    visitor = door.member()
    view = _view(visitor, group)
    member = _member(view, player)
    return render_template(
        "groups/member.html",
        place=Place("groups"),
        group=view,
        member=member,
        who=rows.of_member(member),
        joined=date.fromisoformat(member.joined),
        visitor=visitor,
        owned=view.owner == visitor,
    )


@pages.post("/groups/<group>/members/<player>")
@door.members_only
def change_member(group: str, player: str) -> Response:
    """Take a member out of the group, or make them its owner."""
    owner, do = door.member(), request.form.get("do")
    if do == "remove":
        services().groups.remove(owner, group, player)
        done = "removed"
    elif do == "own":
        _hand_over(owner, group, player)
        done = "handed-over"
    else:
        raise BadInput("The form does not say what is to be done.")
    return see(url_for("pages.group_members", group=group, done=done))


def _hand_over(owner: str, group: str, player: str) -> None:
    """Makes a member the owner; sent again after a lost answer, it is so already."""
    try:
        services().groups.hand_over(owner, group, player)
    except NotOwner:
        if services().groups.seat(owner, group).group.owner != player:
            raise


@pages.get("/groups/<group>/leave")
@door.members_only
def ask_leave(group: str) -> str:
    """Asks first: the way back is an invite."""
    player = door.member()
    view = _view(player, group)
    return render_template(
        "groups/leave.html",
        place=Place("groups"),
        group=view,
        owned=view.owner == player,
        alone=len(view.members) == 1,
    )


@pages.post("/groups/<group>/leave")
@door.members_only
def leave_group(group: str) -> Response:
    """Out of the group; the oldest member owns what its owner leaves."""
    services().groups.leave(door.member(), group)
    return see(url_for("pages.groups", left=1))


def _view(player: str, group: str) -> GroupView:
    return services().circles.view(player, group, services().days.today(now()), now())


def _member(view: GroupView, player: str) -> MemberView:
    for each in view.members:
        if each.player == player:
            return each
    raise NotFound("No such member is in this group.")
