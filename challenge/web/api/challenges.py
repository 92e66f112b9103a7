"""Challenges: the boards of a day, and the commitments of days to come."""

from __future__ import annotations

from flask import Blueprint, Response, request

from challenge.daily import calendar
from challenge.web.api.answers import answer, finished, number
from challenge.web.current import now, services

routes = Blueprint("challenges", __name__)


@routes.get("/challenges/<date>")
def list_challenges(date: str) -> Response:
    """Every board of a day."""
    days = services().days
    day = days.day(date, now())
    found = days.challenges(day, now())
    response = answer(
        {"date": day.isoformat(), "number": calendar.number(day), "challenges": found}
    )
    closed = all(challenge.state == "closed" for challenge in found)
    return finished(response) if closed else response


@routes.get("/challenges/<date>/<ruleset>")
def get_challenge(date: str, ruleset: str) -> Response:
    """One board."""
    days = services().days
    found = days.challenge(days.day(date, now()), ruleset, now())
    return finished(answer(found)) if found.state == "closed" else answer(found)


@routes.get("/commitments")
def list_commitments() -> Response:
    """Commitments from a date on, future ones included."""
    days = services().days
    first = days.day(request.args.get("from", "today"), now())
    ruleset = request.args.get("ruleset")
    found = days.commitments(first, number("days", 1), ruleset)
    return finished(answer({"commitments": found}))
