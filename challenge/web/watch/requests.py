"""Each request counted, timed, named by an id of its own and, where wanted, written down.

A line names the route by its rule, never the path or the query, says by which way the
caller is known, never who it is, and shortens the address. The answer carries the id as
``Request-Id``, so that who reports a fault can name the line that belongs to it.
"""

from __future__ import annotations

import logging
import os
import re
import time
from functools import lru_cache, partial
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING, Any

import msgspec
from flask import Flask, Request, Response, request

from challenge import errors, logs
from challenge.web.current import EXTENSION
from challenge.web.identity import COOKIE
from challenge.web.watch.figures import Meters

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

HEADER = "Request-Id"
UNKNOWN = "unknown"
"""The route of what no rule matches: there are as many such paths as anybody likes."""

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
MOVES = frozenset(("playing.begin_game", "playing.roll", "playing.score", "pages.move"))
KEPT_BITS = {4: 24, 6: 48}
"""Of an address, by its version."""

log = logging.getLogger("challenge.watch")

_SEEN = "samedice.seen"


class Seen:
    """What is known of a request: its id, when it began (monotonic), what went wrong.

    ``told`` once it has been counted and written down.
    """

    __slots__ = ("began", "error", "id", "told")

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.id = os.urandom(8).hex()
        self.error: BaseException | None = None
        self.told = False


class Line(msgspec.Struct, omit_defaults=True):
    """A request as it is written down; why it was refused or failed only where it was."""

    time: str
    level: str
    route: str
    method: str
    status: int
    ms: float
    bytes: int
    request: str
    caller: str
    address: str
    refused: str | None = None
    cause: str | None = None


_encode = msgspec.json.Encoder().encode


def init_app(app: Flask, meters: Meters) -> None:
    """Watch all requests of an application."""
    lines = logs.wants_lines(app.extensions[EXTENSION].settings.request_log)
    app.log_exception = _log_exception  # type: ignore[method-assign]
    app.before_request(_begin)
    app.after_request(partial(_end, meters, lines))
    app.teardown_request(partial(_end_of_broken, meters, lines))


def note(error: Exception) -> None:
    """The request at hand is answered with this error."""
    _seen(request.environ).error = error


def request_id() -> str:
    """The id of the request at hand, 16 hex digits."""
    return _seen(request.environ).id


def _log_exception(exc_info: Any) -> None:
    """What no error handler got hold of; Flask itself would name the path."""
    log.error("a request failed beside the error handlers", exc_info=exc_info)


def _begin() -> None:
    request.environ[_SEEN] = Seen()


def _seen(environ: WSGIEnvironment) -> Seen:
    found: Seen | None = environ.get(_SEEN)
    if found is None:  # it failed before anything was asked
        found = environ[_SEEN] = Seen()
    return found


def _end(meters: Meters, lines: bool, answer: Response) -> Response:
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    seen = _seen(asked.environ)
    answer.headers.add(HEADER, seen.id)  # not set(): nobody else names it
    _tell(meters, lines, asked, seen, answer)
    return answer


def _end_of_broken(meters: Meters, lines: bool, error: BaseException | None) -> None:
    """A request whose answer could not be completed, and so was never told."""
    asked: Request = request._get_current_object()  # type: ignore[attr-defined]
    seen: Seen | None = asked.environ.get(_SEEN)
    if seen is not None and not seen.told:
        seen.error = error or seen.error
        _tell(meters, lines, asked, seen, Response(status=500))


def _tell(meters: Meters, lines: bool, asked: Request, seen: Seen, answer: Response) -> None:
    seconds, seen.told = time.perf_counter() - seen.began, True
    route = UNKNOWN if asked.url_rule is None else asked.url_rule.rule
    method = asked.method if asked.method in METHODS else "other"
    meters.answered(route, method, answer.status_code, seconds)
    why = _why(seen.error, answer.status_code, asked.endpoint)
    if "refused" in why:
        meters.refused(why["refused"])
    if lines:
        logs.write(_line(asked, answer, seen, route, method, seconds, why))


def _why(error: BaseException | None, status: int, endpoint: str | None) -> dict[str, str]:
    """Why a move was refused, or the class of what failed; nothing where all went well."""
    if error is None:
        return {}
    if status >= 500:
        return {"cause": type(error.__cause__ or error).__name__}
    return {"refused": _reason(error)} if endpoint in MOVES else {}


def _reason(error: BaseException) -> str:
    """The code of the rule in the way, else what kind of error it is: ``ply_conflict``."""
    if isinstance(error, errors.IllegalAction):
        return error.reason
    return _snake(type(error).__name__)


@lru_cache(maxsize=64)
def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def _line(
    asked: Request,
    answer: Response,
    seen: Seen,
    route: str,
    method: str,
    seconds: float,
    why: dict[str, str],
) -> bytes:
    environ, status = asked.environ, answer.status_code
    line = Line(
        logs.stamp(time.time()),
        "info" if status < 500 else "warning" if status == 503 else "error",
        route,
        method,
        status,
        round(seconds * 1000, 2),
        _length(answer, method),
        seen.id,
        _way(environ),
        shortened(environ.get("REMOTE_ADDR", "")),
        **why,
    )
    return _encode(line) + b"\n"


def _length(answer: Response, method: str) -> int:
    """Bytes of the body, as far as they are known before they are sent."""
    if method == "HEAD" or answer.status_code in (204, 304):
        return 0
    return answer.calculate_content_length() or answer.content_length or 0


def _way(environ: WSGIEnvironment) -> str:
    """By which way the caller says who it is; whether it is believed stands in the status."""
    if environ.get("HTTP_AUTHORIZATION", "")[:7].lower() == "bearer ":
        return "bearer"
    return "cookie" if f"{COOKIE}=" in environ.get("HTTP_COOKIE", "") else "none"


@lru_cache(maxsize=4096)
def shortened(address: str) -> str:
    """The network of an address, /24 or /48; ``-`` where it is none. A port is left out."""
    text = address.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ip_address(text)
    except ValueError:
        return "-"
    found = getattr(found, "ipv4_mapped", None) or found
    bits = KEPT_BITS[found.version]
    return str(ip_network((found.packed, bits), strict=False).network_address)
