"""One address for people: pages under another host or scheme lead to CHALLENGE_BASE_URL.

Only pages do, so that programs, health checks and scrapers may use any name inside. What can
only be a name inside, where the proxy in front did not hand on the public one, is left alone:
sent back, the browser would come through the same proxy again, and again.
"""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from flask import Flask, Response, redirect, request

from challenge.errors import WrongHost
from challenge.web.current import services
from challenge.web.proxies import SAID

_INSIDE = ("internal", "local", "localdomain", "localhost", "lan", "svc", "arpa")


def init_app(app: Flask) -> None:
    """Look at each page before it is made; without CHALLENGE_BASE_URL every host is right."""
    app.before_request(_lead_home)


def _lead_home() -> Response | None:
    """The way to the same page at the public address, from another one.

    Raises:
        WrongHost: a form was sent to another host; its fields are not to be sent on.
    """
    base = services().settings.base_url
    if base is None or request.blueprint != "pages":
        return None
    foreign = _is_foreign(_host_of(base))
    if request.method not in ("GET", "HEAD"):
        if foreign:
            raise WrongHost(base)
        return None
    if not foreign and not _is_unsafe(base):
        return None
    here = urlsplit(request.url)
    target = f"{base}{here.path}{'?' if here.query else ''}{here.query}"
    return redirect(target, 308, Response)  # type: ignore[return-value]


def _is_foreign(own: str) -> bool:
    """Whether the request went to another host that people may reach from outside.

    Ports are left alone: which one a proxy hands on says nothing of the one people used.
    """
    name = _name()
    return name != own and _is_outside(name)


def _name() -> str:
    return _host_of(f"//{request.host}")


def _host_of(address: str) -> str:
    """The name of its host; with a dot at its end it is the same one."""
    return (urlsplit(address).hostname or "").rstrip(".")


def _is_outside(name: str) -> bool:
    try:
        return ip_address(name).is_global
    except ValueError:
        return "." in name and name.rpartition(".")[2] not in _INSIDE


def _is_unsafe(base: str) -> bool:
    """Whether a page of an https site was asked for over http, as a counted proxy says.

    Browsers send ``Sec-Fetch-*`` over https alone (and to localhost): where they do and a proxy
    says http, it does not know of the TLS in front of it, and the way home would be a circle.
    """
    return bool(
        request.environ.get(SAID)
        and request.scheme == "http"
        and base.startswith("https:")
        and "HTTP_SEC_FETCH_SITE" not in request.environ
        and _name() == _host_of(base)
    )
