"""``/metrics`` and who may read it: this machine itself, or who knows the token.

Behind a proxy on the same machine everyone comes from loopback. So loopback counts only
where no proxy is configured, nothing says that one forwarded the request, and the host
asked for is this machine by a name of its own, which keeps out a web page whose own name
was made to lead here. Nor does it count for a site that is reached over https: gunicorn speaks
none, so something in front does, and if that hands bytes on as they are nothing shows it. To
everyone else the address is one that does not exist.
"""

from __future__ import annotations

import hmac
from ipaddress import IPv6Address, ip_address
from typing import TYPE_CHECKING

from flask import Blueprint, Flask, Response, abort, current_app, request

from challenge.config import Settings
from challenge.web.current import now, services
from challenge.web.watch.figures import CONTENT_TYPE, Meters

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

EXTENSION = "samedice-meters"
FORWARDED = ("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_REAL_IP")
FORWARDED_PREFIX = "HTTP_X_FORWARDED"

routes = Blueprint("watch", __name__)


def init_app(app: Flask, meters: Meters) -> None:
    """Register the route."""
    app.extensions[EXTENSION] = meters
    app.register_blueprint(routes)


@routes.get("/metrics")
def metrics() -> Response:
    """The figures in Prometheus' text format."""
    if not may_read(request.environ, services().settings):
        abort(404)
    meters: Meters = current_app.extensions[EXTENSION]
    return Response(meters.exposition(services().watch, now()), content_type=CONTENT_TYPE)


@routes.after_request
def _keep_nowhere(answer: Response) -> Response:
    """Neither the figures nor the page that hides them, which is like any other in this too."""
    answer.headers["Cache-Control"] = "no-store"
    return answer


def may_read(environ: WSGIEnvironment, settings: Settings) -> bool:
    """Whether the figures are for who sent this."""
    if settings.metrics_token is not None and _has_token(environ, settings.metrics_token):
        return True
    in_front = settings.trusted_proxies > 0 or (settings.base_url or "").startswith("https:")
    return not in_front and _is_at_home(environ)


def _has_token(environ: WSGIEnvironment, token: bytes) -> bool:
    scheme, _, sent = environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    sent_bytes = sent.strip().encode("latin-1", "replace")  # WSGI's reading of the bytes sent
    return hmac.compare_digest(sent_bytes, token) and scheme.lower() == "bearer"


def _is_at_home(environ: WSGIEnvironment) -> bool:
    if any(name.startswith(FORWARDED_PREFIX) or name in FORWARDED for name in environ):
        return False
    peer, host = environ.get("REMOTE_ADDR", ""), environ.get("HTTP_HOST", "").lower()
    return _is_loopback(peer) and (_name(host) == "localhost" or _is_loopback(_name(host)))


def _name(host: str) -> str:
    """A Host header without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]


def _is_loopback(text: str) -> bool:
    try:
        found = ip_address(text)
    except ValueError:
        return False
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        return found.ipv4_mapped.is_loopback
    return found.is_loopback
