"""What belongs to no board: the language of the site."""

from __future__ import annotations

from datetime import timedelta

from flask import Response, request, url_for

from challenge.errors import BadInput
from challenge.web import i18n
from challenge.web.pages import manners
from challenge.web.pages.blueprint import pages, see

LANGUAGE_AGE = timedelta(days=400)


@pages.post("/language")
def choose_language() -> Response:
    """Keep the visitor's choice in a cookie and go back to where it was made."""
    chosen = request.form.get("lang")
    if chosen not in i18n.languages():
        raise BadInput("There is no such language.")
    answer = _back()
    answer.set_cookie(
        i18n.COOKIE, chosen, max_age=LANGUAGE_AGE, samesite="Lax", secure=request.is_secure
    )
    return answer


@pages.post("/manners")
def choose_manners() -> Response:
    """Switch the question before a zero off or on; what a page without script needs."""
    return manners.choose(_back(), manners.ZERO, request.form.get("asks"))


def _back() -> Response:
    back = request.form.get("next", "")
    # Browsers drop tabs and line ends inside an address: "/<tab>/evil.example" is another site.
    own = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    return see(back if own else url_for("pages.home"))
