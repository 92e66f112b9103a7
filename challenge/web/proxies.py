"""What trusted proxies say of a request: who sent it, to which host, over which scheme.

Each proxy appends what it sees at the right of ``X-Forwarded-For``, so the value of the
outermost of ``hops`` trusted ones is the ``hops``-th from the right; whatever a sender puts
there itself stands further left. The lists are split at commas and nothing else: a parser
that honours quotes lets a sender swallow the proxy's value with a quote that never closes.

Where that list is too short the request came round a proxy, and its sender is the peer. Of
``X-Forwarded-Proto`` and ``X-Forwarded-Host`` one value is enough: proxies replace them.
"""

from __future__ import annotations

from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

Address = IPv4Address | IPv6Address
SAID = "samedice.scheme_said"  # in the environ: whether a proxy said the scheme
_SCHEMES = ("http", "https")


class Proxies:
    """An application behind ``hops`` proxies of ours; with 0, nothing forwarded is believed.

    Under the host of ``base_url``, where no proxy says a scheme, it is that of ``base_url``:
    gunicorn itself is never reached over TLS, so it cannot tell.
    """

    def __init__(self, application: WSGIApplication, hops: int, base_url: str | None) -> None:
        self._application = application
        self._hops = hops
        self._base = urlsplit(base_url or "")

    def __call__(self, environ: WSGIEnvironment, start: StartResponse) -> Iterable[bytes]:
        """The answer of the application to the request as it was sent to the outermost proxy."""
        said = environ[SAID] = self._believe(environ) if self._hops else False
        if not said and self._base.scheme == "https" and self._is_base(environ):
            environ["wsgi.url_scheme"] = "https"
        return self._application(environ, start)

    def _believe(self, environ: WSGIEnvironment) -> bool:
        """Take over what the proxies say; whether they say the scheme."""
        sender = self._sender(environ.get("HTTP_X_FORWARDED_FOR", ""))
        if sender:
            environ["REMOTE_ADDR"] = str(sender)
        host = self._replaced(environ.get("HTTP_X_FORWARDED_HOST", ""))
        if host:
            environ["HTTP_HOST"] = host
        scheme = self._replaced(environ.get("HTTP_X_FORWARDED_PROTO", "")).lower()
        if scheme in _SCHEMES:
            environ["wsgi.url_scheme"] = scheme
        return scheme in _SCHEMES

    def _sender(self, header: str) -> Address | None:
        values = header.rsplit(",", self._hops)
        return address(values[-self._hops].strip()) if len(values) >= self._hops else None

    def _replaced(self, header: str) -> str:
        values = header.rsplit(",", self._hops)
        return values[-min(self._hops, len(values))].strip()

    def _is_base(self, environ: WSGIEnvironment) -> bool:
        host: str = environ.get("HTTP_HOST", "")
        name = host.strip().lower().removesuffix(":443").rstrip(".")
        return name == self._base.netloc.rstrip(".")


def address(text: str) -> Address | None:
    """The address of a text; with the port that some proxies add all would be one caller."""
    has_port = text.startswith("[") or text.count(":") == 1
    try:
        return ip_address((urlsplit(f"//{text}").hostname or "") if has_port else text)
    except ValueError:
        return None
