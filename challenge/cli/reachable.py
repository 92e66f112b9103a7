"""Does anything listen where CHALLENGE_REDIS_URL points? Said in one line before all starts."""

from __future__ import annotations

import socket
from urllib.parse import unquote, urlsplit

from challenge import redis_url
from challenge.cli.children import GaveUp

REACH_SECONDS = 3.0
REDIS_PORT = 6379


def check_reachable(url: str) -> None:
    """Returns where one of the places that a Redis URL names takes a connection.

    Of sentinels and of a cluster's nodes one is enough: it names the others.

    Raises:
        GaveUp: none does; the message names them, without user and password.
    """
    if found := out_of_reach(url):
        raise GaveUp(f"CHALLENGE_REDIS_URL: nothing answers at {found}.")


def out_of_reach(url: str) -> str:
    """Every place that a Redis URL names and why it takes no connection; empty where one does."""
    trouble = []
    for place in _places(url):
        try:
            _reach(place)
        except OSError as error:
            shown = place if isinstance(place, str) else f"{place[0]}:{place[1]}"
            trouble.append(f"{shown}: {error.strerror or error}")
        else:
            return ""
    return "; ".join(trouble)


def _places(url: str) -> tuple[tuple[str, int] | str, ...]:
    """Hosts with their ports, or the path of a Unix socket."""
    found = redis_url.parse(url)
    if found.kind != "server":
        return found.addresses
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return (unquote(parts.path),)
    return ((parts.hostname or "", parts.port or REDIS_PORT),)


def _reach(place: tuple[str, int] | str) -> None:
    if not isinstance(place, str):
        socket.create_connection(place, REACH_SECONDS).close()
        return
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(REACH_SECONDS)
        connection.connect(place)
