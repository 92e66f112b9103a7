"""A name for one press of a button: what is sent again under it is done once only.

A page carries one as a hidden field, a program may send the header ``Idempotency-Key``.
Moves need none, since each has its number. Without a name what is sent again is done again.
"""

from __future__ import annotations

import re
import secrets

from flask import Flask, request

from challenge.errors import BadInput

HEADER = "Idempotency-Key"
FIELD = "once"
BYTES = 16
_NAME = re.compile(r"[!-~]{16,100}")


def init_app(app: Flask) -> None:
    """Lets pages make names: ``once()``."""
    app.add_template_global(lambda: secrets.token_urlsafe(BYTES), FIELD)


def name() -> str:
    """The name of this request; empty where it has none.

    Raises:
        BadInput: not 16 to 100 visible ASCII characters, of which a random one takes 22.
    """
    found = request.headers.get(HEADER) or request.form.get(FIELD, "")
    if found and not _NAME.fullmatch(found):
        raise BadInput(f"{HEADER} has 16 to 100 visible ASCII characters; take a random one.")
    return found
