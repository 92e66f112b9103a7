"""The word that a newcomer is in, on the game they were led to."""

from __future__ import annotations

from dataclasses import dataclass

from flask import request

from challenge.errors import NotFound
from challenge.web.current import services


@dataclass(frozen=True, slots=True)
class Joined:
    """The group a visitor has just come into."""

    id: str
    name: str


def joined(player: str | None) -> Joined | None:
    """The group of ``?joined=``, where the visitor is a member of it."""
    asked = request.args.get("joined")
    if not asked or player is None:
        return None
    try:
        found = services().groups.seat(player, asked).group
    except NotFound:
        return None
    return Joined(found.id, found.name)
