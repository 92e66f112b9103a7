"""The URL of a Redis, taken apart: one server, a Sentinel's service or a Cluster."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote, urlsplit

Kind = Literal["server", "sentinel", "cluster"]
Address = tuple[str, int]
"""Host and port."""

SERVER = "redis://HOST:PORT/DB, rediss://HOST:PORT/DB or unix:///PATH"
SENTINEL = "redis+sentinel://HOST:PORT,HOST:PORT/SERVICE/DB"
CLUSTER = "redis+cluster://HOST:PORT,HOST:PORT"
LOGIN = "@, : and / of a password as %40, %3A and %2F"
ALL = f"{SERVER}; {SENTINEL} for Sentinel, {CLUSTER} for a cluster, rediss+… for TLS; {LOGIN}"

_MANY = re.compile(
    r"(?P<scheme>rediss?)\+(?P<kind>sentinel|cluster)://((?P<login>[^/]*)@)?(?P<hosts>[^/?#]*)"
    r"(?P<path>/[^?#]*)?(\?(?P<query>[^#]*))?"
)
_HOST = re.compile(r"(\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(:(?P<port>[0-9]+))?")
_NUMBER = re.compile(r"/?[0-9]{0,4}/?")
_PORTS = {"sentinel": 26379, "cluster": 6379}


@dataclass(frozen=True, slots=True)
class RedisUrl:
    """Where a Redis is and who we are there.

    ``addresses`` are sentinels, or nodes of the cluster to ask first; a server has none of
    them, its URL says all. ``query`` holds the options after the ``?``, as they were given.
    """

    kind: Kind
    text: str
    tls: bool = False
    addresses: tuple[Address, ...] = ()
    user: str | None = None
    password: str | None = None
    service: str = ""
    db: int = 0
    query: str = ""


def parse(text: str) -> RedisUrl:
    """The parts of a URL.

    Raises:
        ValueError: it is none; the message says what would be right.
    """
    if not text.isprintable() or " " in text:
        raise ValueError(ALL)
    found = _MANY.fullmatch(text)
    if found is None:
        return _server(text)
    kind: Kind = "cluster" if found["kind"] == "cluster" else "sentinel"
    service, db = _path(kind, found["path"] or "")
    user, _, password = (found["login"] or "").partition(":")
    return RedisUrl(
        kind=kind,
        text=text,
        tls=found["scheme"] == "rediss",
        addresses=_addresses(kind, found["hosts"]),
        user=unquote(user) or None,
        password=unquote(password) or None,
        service=service,
        db=db,
        query=found["query"] or "",
    )


def without_login(text: str) -> str:
    """The URL without user, password and options, to be shown; a path where it is a socket."""
    before, mark, rest = text.partition("://")
    if before == "unix":
        return urlsplit(text).path
    place, slash, path = rest.partition("?")[0].partition("/")
    return f"{before}{mark}{place.rpartition('@')[2]}{slash}{path}"


def _server(text: str) -> RedisUrl:
    try:
        parts = urlsplit(text)
        sound = (parts.port or 1) > 0
    except ValueError:
        raise ValueError(ALL) from None
    place = parts.path if parts.scheme == "unix" else parts.hostname
    if not sound or not place or parts.scheme not in ("redis", "rediss", "unix"):
        raise ValueError(ALL)
    if parts.scheme != "unix" and not _NUMBER.fullmatch(parts.path):
        raise ValueError(f"{SERVER}, DB a number; {LOGIN}")
    return RedisUrl("server", text, tls=parts.scheme == "rediss")


def _path(kind: Kind, path: str) -> tuple[str, int]:
    """Service and database; a cluster has neither."""
    parts = [unquote(part) for part in path.strip("/").split("/")]
    if kind == "cluster":
        if parts not in ([""], ["0"]):
            raise ValueError(f"{CLUSTER}, without a database: a cluster has but one")
        return "", 0
    service, db = [*parts, "0"][:2]
    sound = db.isascii() and db.isdigit() and len(db) <= 4
    if not service or len(parts) > 2 or not sound:
        raise ValueError(f"{SENTINEL}, the service as the sentinels call it, DB a number")
    return service, int(db)


def _addresses(kind: Kind, hosts: str) -> tuple[Address, ...]:
    found = [_HOST.fullmatch(host) for host in hosts.split(",")]
    right = SENTINEL if kind == "sentinel" else CLUSTER
    addresses = []
    for host in found:
        port = int(host["port"] or _PORTS[kind]) if host else 0
        if host is None or not 0 < port < 65536:
            raise ValueError(f"{right}, each HOST a name or an address and PORT up to 65535")
        addresses.append((host["six"] or host["name"], port))
    return tuple(dict.fromkeys(addresses))
