"""Invites as addresses: what the service says of one, signed, and back again."""

from __future__ import annotations

from challenge.errors import NotFound
from challenge.service.groups import NOTHING
from challenge.service.views.groups import GroupView
from challenge.web import signing
from challenge.web.limits import guess_limited
from challenge.web.links import address


def link(value: str) -> str:
    """The whole public address of an invite, of the value the service gives for it."""
    return address("pages.join", signed=signing.sign("invite", value))


def read(invite: str) -> str:
    """The value of an invite, be it the address or its last part alone.

    Raises:
        NotFound: its signature does not hold; in the words of one that was renewed.
    """
    try:
        return signing.unsign("invite", invite.strip().rpartition("/")[2])
    except NotFound:
        raise NotFound(NOTHING) from None


@guess_limited
def take(invite: str) -> str:
    """The value of an invite with which somebody wants to join; raises like :func:`read`.

    One that was signed and then renewed is no guess, and costs its holder none.

    Raises:
        TooManyRequests: the caller's address has used up the guesses of an hour.
    """
    return read(invite)


def with_link(view: GroupView) -> GroupView:
    """A group as an answer: its invite signed, as an address."""
    view.invite_url = link(view.invite_url)
    return view
