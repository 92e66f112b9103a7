"""Privacy, imprint, and what machines ask a site for: robots.txt and security.txt."""

from __future__ import annotations

from datetime import UTC, timedelta

from flask import Response, render_template

from challenge.errors import NotFound
from challenge.web import i18n, identity, links
from challenge.web.current import now, services
from challenge.web.pages.blueprint import pages
from challenge.web.pages.place import Place

VALID_FOR = timedelta(days=180)
"""How long a security.txt may be trusted; RFC 9116 wants less than a year."""

ROBOTS = "User-agent: *\nDisallow: /api/\n"


@pages.get("/privacy")
def privacy() -> str:
    """What is kept, how long, and how to erase it."""
    return render_template(
        "privacy.html",
        place=Place("privacy"),
        days=identity.COOKIE_AGE.days,
        retention=services().settings.retention_days,
    )


@pages.get("/imprint")
def imprint() -> str:
    """Who runs this service, where its operator says so."""
    if not services().settings.imprint:
        raise NotFound("This service names no operator.")
    return render_template("imprint.html", place=Place("imprint"))


@pages.get("/robots.txt")
def robots() -> Response:
    """Pages may be found, the API need not be walked."""
    return Response(ROBOTS, content_type="text/plain; charset=utf-8")


@pages.get("/.well-known/security.txt")
def security() -> Response:
    """Where to report a hole (RFC 9116), where there is a contact."""
    contact = services().settings.contact
    if contact is None:
        raise NotFound("This service names no contact.")
    expires = (now() + VALID_FOR).astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    lines = (
        f"Contact: {contact}",
        f"Expires: {expires:%Y-%m-%dT%H:%M:%SZ}",
        f"Preferred-Languages: {', '.join(i18n.languages())}",
        f"Canonical: {links.address('pages.security')}",
    )
    return Response("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@pages.app_context_processor
def _for_the_foot() -> dict[str, object]:
    settings = services().settings
    return {"contact": settings.contact, "imprint_lines": settings.imprint}
