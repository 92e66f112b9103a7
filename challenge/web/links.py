"""Addresses to give away: what stands before the path of a link that leaves the site."""

from __future__ import annotations

from typing import Any

from flask import request, url_for

from challenge.web.current import services


def base_url() -> str:
    """Where the site is reached, without a slash at its end.

    By CHALLENGE_BASE_URL, else by the request's checked host.
    """
    return services().settings.base_url or request.host_url.rstrip("/")


def address(endpoint: str, **values: Any) -> str:
    """The whole public address of a route."""
    return f"{base_url()}{url_for(endpoint, **values)}"
