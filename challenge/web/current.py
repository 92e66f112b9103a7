"""What belongs to the request at hand: its services and its moment."""

from __future__ import annotations

from datetime import datetime

from flask import current_app, g

from challenge.service.services import Services

EXTENSION = "samedice"


def services() -> Services:
    """The services of the running application."""
    found: Services = current_app.extensions[EXTENSION]
    return found


def now() -> datetime:
    """The moment of the request: read once, so that one answer never straddles midnight."""
    moment: datetime | None = g.get("now")
    if moment is None:
        moment = g.now = services().clock()
    return moment
