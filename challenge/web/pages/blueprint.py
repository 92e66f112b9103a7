"""The blueprint of all pages, and what every one of them needs."""

from __future__ import annotations

from datetime import date
from typing import Any

from flask import Blueprint, Response, redirect

from challenge.errors import BadInput, NotFound
from challenge.web import links
from challenge.web.current import now, services
from challenge.web.pages.words import split_name

pages = Blueprint("pages", __name__)


@pages.after_request
def _keep_nowhere(answer: Response) -> Response:
    """A page carries a player's game, or the value that will make a player: nobody stores it.

    What carries neither says itself how it may be kept.
    """
    answer.headers.setdefault("Cache-Control", "no-store")
    return answer


@pages.app_context_processor
def _for_every_page() -> dict[str, Any]:
    zone = services().settings.calendar.zone.key
    return {"now": now(), "zone": zone}


pages.add_app_template_global(split_name)
pages.add_app_template_global(links.address, "address")


@pages.app_template_filter("in_zone")
def _in_zone(instant: Any) -> Any:
    return instant.astimezone(services().settings.calendar.zone)


def day_of(text: str) -> date:
    """The day of a path; what is no date is no page."""
    try:
        return services().days.day(text, now())
    except BadInput as error:
        raise NotFound(str(error)) from None


def see(target: str) -> Response:
    return redirect(target, 303, Response)  # type: ignore[return-value]


def respond(page: str, status: int = 200) -> Response:
    return Response(page, status, content_type="text/html; charset=utf-8")
