"""What every request and answer has to hold: no foreign posts, bounded bodies, strict headers."""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import RequestEntityTooLarge

from challenge.errors import CrossSite
from challenge.web import identity
from challenge.web.current import services

MAX_BODY = 4096  # bytes
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'self'"
    ),
    "X-Content-Type-Options": "nosniff",
    # With no-referrer, form posts would say `Origin: null` and be taken for foreign.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


def init_app(app: Flask) -> None:
    """Check what comes in before any route, complete what goes out after it."""
    app.before_request(_refuse_large)
    app.before_request(_refuse_foreign)
    app.after_request(_complete)


def _refuse_large() -> None:
    if (request.content_length or 0) > MAX_BODY:
        raise RequestEntityTooLarge


def _refuse_foreign() -> None:
    if request.method in _SAFE or _is_own():
        return
    raise CrossSite("A page of another site sent this; send it from here, or with a bearer token.")


def _is_own() -> bool:
    """Whether a mutating request may act for the player whose cookie it carries."""
    if request.headers.get("Authorization", "").lower().startswith("bearer "):
        return True
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site == "same-origin"
    origin = request.headers.get("Origin")
    if origin is not None:
        return origin in _own_origins()
    return identity.COOKIE not in request.cookies


def _own_origins() -> list[str]:
    own = [f"{request.scheme}://{request.host}"]
    base = services().settings.base_url
    if base:
        parts = urlsplit(base)
        own.append(f"{parts.scheme}://{parts.netloc}")
    return own


def _complete(answer: Response) -> Response:
    for name, value in HEADERS.items():
        answer.headers.setdefault(name, value)
    if "Cache-Control" not in answer.headers:
        who = identity.COOKIE in request.cookies or "Authorization" in request.headers
        answer.headers["Cache-Control"] = "no-store" if who else "no-cache"
        if not who:
            answer.headers["Vary"] = "Accept-Language, Cookie, Authorization"
    return answer
