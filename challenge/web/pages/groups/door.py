"""Who may come in: members. To everybody else no group is there, whichever it was."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from flask import Response, render_template

from challenge.errors import NotFound
from challenge.web import identity
from challenge.web.pages.blueprint import respond
from challenge.web.pages.place import Place

Page = TypeVar("Page", bound=Callable[..., Response | str])


def member() -> str:
    """The visitor's id; whether they are a member says the service.

    Raises:
        NotFound: a stranger; a group that is there looks like one that is not.
    """
    player = identity.caller().player
    if player is None:
        raise NotFound("There is no such group.")
    return player


def members_only(page: Page) -> Page:
    """Answers one and the same page wherever nothing is found, and says how to get in."""

    @wraps(page)
    def guarded(*given: object, **named: object) -> Response | str:
        try:
            return page(*given, **named)
        except NotFound:
            return respond(render_template("groups/closed.html", place=Place("groups")), 404)

    return guarded  # type: ignore[return-value]
