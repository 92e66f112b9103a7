"""How often an address may guess: codes and invites, counted only where there was nothing."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import wraps
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import ParamSpec, TypeVar
from urllib.parse import urlsplit

from flask import request

from challenge.errors import NotFound, StoreUnavailable, TooManyRequests
from challenge.web.current import services

IPV6_PREFIX = 64  # bits; what one customer has

log = logging.getLogger("challenge.web")

P = ParamSpec("P")
R = TypeVar("R")


def guess_limited(view: Callable[P, R]) -> Callable[P, R]:
    """A route that takes a secret: who has guessed wrongly too often is refused for a while.

    A wrong guess is the NotFound that the route raises. A limit that cannot be asked lets
    everyone through: Redis then fails the call itself.

    Raises:
        TooManyRequests: the caller's address has used up the guesses of an hour.
    """

    @wraps(view)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        _refuse()
        try:
            return view(*args, **kwargs)
        except NotFound:
            _count()
            raise

    return limited


def address() -> str:
    """The caller's IPv4 address, or the /64 of an IPv6 one; ``-`` over a socket."""
    found = _found(request.remote_addr or "")
    if found is None:
        return "-"
    if found.version == 4:
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(ip_network((found, IPV6_PREFIX), strict=False))


def _found(text: str) -> IPv4Address | IPv6Address | None:
    """The address of a text; with the port that some proxies add all would be one caller."""
    has_port = text.startswith("[") or text.count(":") == 1
    try:
        return ip_address((urlsplit(f"//{text}").hostname or "") if has_port else text)
    except ValueError:
        return None


def _refuse() -> None:
    try:
        wait = services().limits.wait(address())
    except StoreUnavailable:
        log.warning("the limit of guesses cannot be asked")
        return
    if wait:
        raise TooManyRequests("Too many wrong guesses came from this address.", wait)


def _count() -> None:
    try:
        services().limits.count(address())
    except StoreUnavailable:
        log.warning("a wrong guess cannot be counted")
