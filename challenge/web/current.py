"""What belongs to the request at hand: its services and its moment."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from flask import current_app, g

from challenge.service.services import Services

EXTENSION = "samedice"


def services() -> Services:
    """The services of the running application."""
    return cast(Services, current_app.extensions[EXTENSION])


def now() -> datetime:
    """The moment of the request: read once, so that one answer never straddles midnight."""
    if "now" not in g:
        g.now = services().clock()
    return cast(datetime, g.now)
