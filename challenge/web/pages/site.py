"""What belongs to no board: the language of the site."""

from __future__ import annotations

from datetime import timedelta

from flask import Response, request, url_for

from challenge.errors import BadInput
from challenge.web import i18n
from challenge.web.pages.blueprint import pages, see

LANGUAGE_AGE = timedelta(days=400)


@pages.post("/language")
def choose_language() -> Response:
    """Keep the visitor's choice in a cookie and go back to where it was made."""
    chosen, back = request.form.get("lang"), request.form.get("next", "")
    if chosen not in i18n.languages():
        raise BadInput("There is no such language.")
    own = back.startswith("/") and not back.startswith(("//", "/\\"))
    answer = see(back if own else url_for("pages.home"))
    answer.set_cookie(
        i18n.COOKIE, chosen, max_age=LANGUAGE_AGE, samesite="Lax", secure=request.is_secure
    )
    return answer
