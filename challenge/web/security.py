"""What every request and answer has to hold: no foreign posts, bounded bodies, strict headers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from challenge.errors import BadInput, CrossSite
from challenge.web import identity
from challenge.web.current import services

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

MAX_BODY = 4096  # bytes
TOO_LARGE = f"A body has at most {MAX_BODY} bytes."
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
_ASCII = "".join(map(chr, range(128)))

_UNUSED = (  # of what browsers offer to pages
    "accelerometer", "autoplay", "camera", "clipboard-read", "display-capture", "encrypted-media",
    "fullscreen", "gamepad", "geolocation", "gyroscope", "hid", "idle-detection", "local-fonts",
    "magnetometer", "microphone", "midi", "payment", "picture-in-picture",
    "publickey-credentials-get", "screen-wake-lock", "serial", "usb", "window-management",
    "xr-spatial-tracking",
)  # fmt: skip
_USED = ("clipboard-write",)  # copying a result; sharing one is allowed to the site by default

HEADERS = [
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'self'",
    ),
    ("X-Content-Type-Options", "nosniff"),
    # With no-referrer, form posts would say `Origin: null` and be taken for foreign.
    ("Referrer-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
        "Permissions-Policy",
        ", ".join([f"{name}=()" for name in _UNUSED] + [f"{name}=(self)" for name in _USED]),
    ),
]
# Over https alone: a browser that once saw it never comes by http again, for a year.
HSTS = ("Strict-Transport-Security", "max-age=31536000")


def init_app(app: Flask) -> None:
    """Check what comes in before any route, complete what goes out after it."""
    app.before_request(_refuse)
    app.after_request(_say_how_to_keep)
    app.wsgi_app = _with_headers(app.wsgi_app)  # type: ignore[method-assign,assignment]


def _with_headers(application: WSGIApplication) -> WSGIApplication:
    """Adds :data:`HEADERS` to every answer of any kind, errors and files included.

    Stands outside of :class:`Proxies`, which by then has put right what the scheme is.

    One that an answer brings along itself stays as it is. A query with bytes that belong
    percent-encoded gets them so: the framework fails on those that are no UTF-8.
    """

    def wrapped(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            own = {name for name, _ in headers}
            missing = [header for header in HEADERS if header[0] not in own]
            if environ["wsgi.url_scheme"] == "https":
                missing.append(HSTS)
            return start_response(status, headers + missing, *more)

        query = environ.get("QUERY_STRING", "")
        if not query.isascii():
            environ["QUERY_STRING"] = quote(query, safe=_ASCII, encoding="latin-1")
        return application(environ, start)

    return wrapped


def _refuse() -> None:
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    if not asked.host:  # what no host can be called comes out empty
        raise BadInput("The Host header does not name a host.")
    if (asked.content_length or 0) > MAX_BODY:
        raise RequestEntityTooLarge(TOO_LARGE)
    if asked.method in _SAFE:
        return
    if not _is_own(asked):
        raise CrossSite("Another site sent this; send it from here, or with a bearer token.")
    _read_body(asked)


def _read_body(asked: Request) -> None:
    """Once, for whoever parses it: what breaks off on the way is the sender's fault."""
    try:
        body = asked.get_data()
    except HTTPException:
        raise
    except Exception as error:  # each server has its own for a chunk that is none
        raise BadInput("The body broke off, or is not what its head says.") from error
    if len(body) > MAX_BODY:
        raise RequestEntityTooLarge(TOO_LARGE)


def _is_own(asked: Request) -> bool:
    """Whether a mutating request may act for the player whose cookie it carries."""
    sent = asked.environ  # of every move: header objects would cost
    if sent.get("HTTP_AUTHORIZATION", "").lower().startswith("bearer "):
        return True
    site = sent.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        return bool(site == "same-origin")
    origin = sent.get("HTTP_ORIGIN")
    if origin is not None:
        return origin in _own_origins()
    return identity.COOKIE not in asked.cookies


def _own_origins() -> list[str]:
    own = [f"{request.scheme}://{request.host}"]
    base = services().settings.base_url
    if base:
        parts = urlsplit(base)
        own.append(f"{parts.scheme}://{parts.netloc}")
    return own


def _say_how_to_keep(answer: Response) -> Response:
    if "Cache-Control" in answer.headers:
        return answer
    if "HTTP_AUTHORIZATION" in request.environ or identity.COOKIE in request.cookies:
        answer.headers["Cache-Control"] = "no-store"
    else:
        answer.headers["Cache-Control"] = "no-cache"
        answer.headers["Vary"] = "Accept-Language, Cookie, Authorization"
    return answer
