"""Addresses to give away: what stands before the path of a link that leaves the site.

A link to a result names its game, signed: who has not been given it cannot guess it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from flask import request, url_for

from challenge.web import signing
from challenge.web.current import services


@dataclass(frozen=True, slots=True)
class SharedGame:
    """The game a link to a result names."""

    day: date
    ruleset: str
    player: str


def base_url() -> str:
    """Where the site is reached, without a slash at its end.

    By CHALLENGE_BASE_URL, else by the request's checked host.
    """
    return services().settings.base_url or request.host_url.rstrip("/")


def address(endpoint: str, **values: Any) -> str:
    """The whole public address of a route."""
    return f"{base_url()}{url_for(endpoint, **values)}"


def result_value(game: SharedGame) -> str:
    """What a link to a result carries."""
    return signing.sign("result", f"{game.day.isoformat()}.{game.ruleset}.{game.player}")


def result_link(game: SharedGame) -> str:
    """The whole public address of the page of a result."""
    return address("pages.shared_result", signed=result_value(game))


def read_result(signed: str) -> SharedGame:
    """The game of a link to a result.

    Raises:
        NotFound: its signature does not hold.
    """
    day, ruleset, player = signing.unsign("result", signed).split(".")
    return SharedGame(date.fromisoformat(day), ruleset, player)
