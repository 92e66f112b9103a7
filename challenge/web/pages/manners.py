"""What a player may switch off: the question before a zero, the hints of a first visit.

The page's script keeps these choices in the browser; without it a small cookie does, and
only once the choice was made.
"""

from __future__ import annotations

from datetime import timedelta

from flask import Response, request

from challenge.errors import BadInput, StoreUnavailable
from challenge.web.current import services
from challenge.web.pages.sheet import Sheet

ZERO = "zero"
HINTS = "hints"
OFF = "off"
AGE = timedelta(days=400)


def asks() -> bool:
    """Whether a zero is asked about where another box would score."""
    return request.cookies.get(ZERO) != OFF


def hints(player: str | None, sheet: Sheet) -> bool:
    """Whether the hints are shown: until the first entry of a player without a result."""
    if request.cookies.get(HINTS) == OFF or not sheet.untouched:
        return False
    if request.method == "POST":  # a move carries on what its page was
        return HINTS in request.form
    try:
        return player is None or not services().records.has_finished(player, sheet.ruleset.id)
    except StoreUnavailable:  # the player's server may be away and the game's not
        return False


def set_off(answer: Response, name: str) -> Response:
    """Keeps in the visitor's browser that this is off."""
    answer.set_cookie(
        name, OFF, max_age=AGE, samesite="Lax", httponly=True, secure=request.is_secure
    )
    return answer


def choose(answer: Response, name: str, value: str | None) -> Response:
    """Keeps a choice (``on`` forgets it, as that is the way it starts).

    Raises:
        BadInput: the value is neither of the two.
    """
    if value == OFF:
        return set_off(answer, name)
    if value != "on":
        raise BadInput("A switch is `on` or `off`.")
    answer.delete_cookie(name, samesite="Lax", httponly=True, secure=request.is_secure)
    return answer
