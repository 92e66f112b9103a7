"""Errors as answers: RFC 9457 problem documents for the API, pages for people.

The one place where an error meets an HTTP status.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Flask, Response, request
from flask.globals import request_ctx
from werkzeug.exceptions import HTTPException

from challenge import errors
from challenge.errors import SamediceError
from challenge.web import pages, watch
from challenge.web.api.answers import game_answer

log = logging.getLogger("challenge.web")

RETRY_AFTER = "1"  # seconds; a store that restarts is back within one


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem document: slug (None: nothing but the status), title, detail and facts.

    ``told`` is what the page for people says beyond that, and no document.
    """

    slug: str | None
    status: int
    title: str
    detail: str
    facts: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    told: dict[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """The members of the JSON document."""
        return {
            "type": f"/problems/{self.slug}" if self.slug else "about:blank",
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            **self.facts,
        }


_SLUGS: dict[type[SamediceError], tuple[str, int, str]] = {
    errors.BadInput: ("bad-request", 400, "The request is not well formed"),
    errors.NotSigned: ("not-signed", 401, "A player is needed"),
    errors.CrossSite: ("cross-site", 403, "Sent from another site"),
    errors.NotOpenYet: ("not-open-yet", 403, "This day is not open yet"),
    errors.NotOwner: ("not-owner", 403, "For the owner of the group"),
    errors.Spoiler: ("spoiler", 403, "Finish first"),
    errors.NotFound: ("not-found", 404, "There is nothing here"),
    errors.UnknownRuleset: ("unknown-ruleset", 404, "There is no such sheet"),
    errors.Closing: ("closing", 409, "This day is over"),
    errors.Gone: ("gone", 410, "No longer kept"),
    errors.PlyConflict: ("ply-conflict", 409, "The game has moved on"),
    errors.Full: ("full", 409, "There is no place left"),
    errors.NotFinished: ("not-finished", 409, "The game is not finished"),
    errors.WrongType: ("wrong-type", 415, "The body is not JSON"),
    errors.WrongHost: ("wrong-host", 421, "Sent to another address"),
    errors.IllegalAction: ("illegal-action", 422, "The rules forbid this now"),
    errors.TooManyRequests: ("too-many-requests", 429, "Too many requests"),
    errors.NotSolved: ("not-solved", 503, "This sheet is not solved here"),
    errors.StoreUnavailable: ("store-unavailable", 503, "The store does not answer"),
    errors.BoardRefused: ("store-unavailable", 503, "This board is refused"),
}

_HTTP: dict[int, tuple[str, str]] = {
    400: ("bad-request", "The request is not well formed"),
    404: ("not-found", "There is nothing here"),
    413: ("too-large", "The body is too large"),
    415: ("wrong-type", "The body is not JSON"),
}
"""What the web server itself refuses: slug and title by status; others are ``about:blank``."""


def init_app(app: Flask) -> None:
    """Answer every error in one shape."""
    app.register_error_handler(SamediceError, lambda error: answer(problem_of(error)))
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _bug)


def problem_of(error: SamediceError) -> Problem:
    """The problem document of an expected error."""
    watch.note(error)
    slug, status, title = _SLUGS[type(error)]
    headers = {"Retry-After": RETRY_AFTER} if slug == "store-unavailable" else {}
    if status == 401:
        headers = {"WWW-Authenticate": "Bearer"}
    told: dict[str, Any] = {}
    if isinstance(error, errors.TooManyRequests):
        headers = {"Retry-After": str(error.retry_after)}
        told = {"limit": error.limit, "wait": error.retry_after}
    return Problem(slug, status, title, str(error), _facts(error), headers, told)


def answer(problem: Problem) -> Response:
    """A problem in the shape its reader expects: JSON for programs, a page for people."""
    wants_page = request.blueprint == "pages" or not request.path.startswith(
        ("/api/", "/healthz", "/readyz")
    )
    # Under an impossible host there are no addresses, so no page with links either.
    wants_page = wants_page and request_ctx.url_adapter is not None
    response = pages.problem_page(problem) if wants_page else _document(problem)
    response.status_code = problem.status
    response.headers.update(problem.headers)
    return response


def _document(problem: Problem) -> Response:
    return Response(
        msgspec.json.encode(problem.document()), content_type="application/problem+json"
    )


def _facts(error: SamediceError) -> dict[str, Any]:
    match error:
        case errors.IllegalAction():
            return {"reason": error.reason}
        case errors.NotSolved():
            return {"missing": error.missing}
        case errors.PlyConflict():
            return {"game": game_answer(error.game)}
        case errors.Gone():
            return {"date": error.day.isoformat(), "ruleset": error.ruleset}
        case errors.NotOpenYet():
            return {"opens_at": _instant(error.opens_at)}
        case errors.Closing():
            return {"closes_at": _instant(error.closes_at)}
    return {}


def _instant(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _http_error(error: HTTPException) -> Response:
    status = error.code or 500
    if error.response is not None or status < 400:
        return error.get_response()  # type: ignore[return-value]
    headers = dict(error.get_headers())
    headers.pop("Content-Type", None)
    slug, title = _HTTP.get(status, (None, error.name))
    return answer(Problem(slug, status, title, error.description or title, headers=headers))


def _bug(error: Exception) -> Response:
    watch.note(error)
    log.exception("A request failed unexpectedly at %s", request.endpoint, exc_info=error)
    detail = "Something went wrong on our side; nothing was lost. Please try again."
    return answer(Problem(None, 500, "An unexpected error", detail))
