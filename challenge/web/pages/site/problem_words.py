"""Errors in words for people: a title, what it means, and where to go from there."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any

from flask import request, url_for

from challenge.web.current import services
from challenge.web.i18n import gettext, in_a_while, long_date, time


def of(slug: str | None, status: int, facts: Mapping[str, Any]) -> dict[str, str]:
    """``title``, ``detail``, ``label`` and ``target`` of the error page of a problem.

    Where trying again may help, ``retry`` is the address to come back to.
    """
    if slug == "not-solved":
        return _not_solved(facts["missing"])
    if slug == "gone":
        return _gone(facts)
    if slug == "too-many-requests":
        return _too_many(facts["limit"], facts["wait"])
    title, detail = _by_status(status) or _words(slug, facts)
    if status == 503:
        again = request.full_path.rstrip("?") if request.method == "GET" else request.path
        return {**_page(title, detail, gettext("Try again"), again), "retry": again}
    return _page(title, detail, gettext("To today’s dice"), url_for("pages.home"))


def _not_solved(missing: str) -> dict[str, str]:
    title, target = gettext("Not worked out yet"), url_for("pages.home")
    return _page(title, missing_words(missing), gettext("To today’s dice"), target)


def _gone(facts: Mapping[str, Any]) -> dict[str, str]:
    title = gettext("No longer kept")
    detail = gettext(
        "The games of %(day)s are no longer kept, and none can begin there. The leaderboard "
        "stays, and so does every score that counts."
    ) % {"day": long_date(date.fromisoformat(facts["date"]))}
    target = url_for("pages.leaderboard", date=facts["date"], ruleset=facts["ruleset"])
    return _page(title, detail, gettext("Leaderboard"), target)


def _too_many(limit: str, wait: int) -> dict[str, str]:
    """What there was too much of, and when it goes on; ``wait`` is in seconds."""
    title, when = gettext("A little slower, please"), {"when": in_a_while(wait)}
    if limit == "identities":
        title = gettext("No new players just now")
        detail = gettext(
            "As many new players have come from your connection as it may have in a day. Whoever "
            "plays already can go on; new ones can come again %(when)s."
        )
    else:
        detail = " ".join(
            (_too_many_words(limit), gettext("It goes on %(when)s; your games are safe."))
        )
    return _page(title, detail % when, gettext("To today’s dice"), url_for("pages.home"))


def _too_many_words(limit: str) -> str:
    match limit:
        case "guesses":
            return gettext("Too many wrong codes or links came from your connection.")
        case "joins":
            return gettext(
                "Too many groups were joined or devices transferred from your connection."
            )
        case "moves":
            return gettext("Too many moves were made at once.")
    return gettext("Too many pages were read from your connection.")


def missing_words(missing: str) -> str:
    """What exact play of a sheet lacks here; ``missing`` as in ``errors.NotSolved``."""
    match missing:
        case "packages":
            return gettext(
                "Optimal play is not installed on this server (pip install 'samedice[solver]')."
            )
        case "board":
            return gettext("The dice of this board have not been worked through here yet.")
        case "method":
            return gettext("This sheet is too large for optimal play to be worked out exactly.")
    return gettext("Optimal play of this sheet has not been worked out here yet.")


def _page(title: str, detail: str, label: str, target: str) -> dict[str, str]:
    return {"title": title, "detail": detail, "label": label, "target": target}


def _words(slug: str | None, facts: Mapping[str, Any]) -> tuple[str, str]:
    match slug:
        case "not-found" | "unknown-ruleset":
            return gettext("There is nothing here"), gettext(
                "The address is wrong, or this sheet is not offered on that day."
            )
        case "not-open-yet":
            return gettext("This day is not open yet"), gettext(
                "Its dice are fixed already, but nobody sees them before %(when)s."
            ) % {"when": _moment(facts["opens_at"])}
        case "closing":
            return gettext("This day is over"), gettext(
                "No game can start any more while the board closes. From %(when)s on you can "
                "play it as archive."
            ) % {"when": _moment(facts["closes_at"])}
        case "spoiler":
            return gettext("Not before the close"), gettext(
                "Until a board is closed nobody is told beforehand what its dice are worth. "
                "From then on there are hints, in the archive."
            )
        case "not-signed":
            return gettext("Your game was not found"), gettext(
                "This browser has lost its player, perhaps because cookies were deleted."
            )
        case "not-owner":
            return gettext("For the owner of the group"), gettext(
                "Only the owner of a group may do this. Nothing was changed."
            )
        case "full":
            return gettext("There is no place left"), gettext(
                "A group has up to 200 members, and a player is in up to 50 groups. Nothing was "
                "changed."
            )
        case "wrong-host":
            return gettext("Sent to another address"), gettext(
                "This site is reached at %(address)s. What you sent to another address was not "
                "taken; nothing was changed."
            ) % {"address": services().settings.base_url}
        case "cross-site":
            return gettext("Sent from another page"), gettext(
                "This did not come from a page of ours, so nothing was done."
            )
    return gettext("That did not work"), gettext(
        "The page sent something that makes no sense here. Nothing was changed."
    )


def _by_status(status: int) -> tuple[str, str] | None:
    match status:
        case 410:
            return gettext("No longer here"), gettext(
                "This was here once and has been deleted. It will not come back."
            )
        case 429:
            return gettext("A little slower, please"), gettext(
                "Too many requests came from your connection. Wait a while, then it goes on; "
                "your games are safe."
            )
        case 500:
            return gettext("Something went wrong"), gettext(
                "The fault is on our side and nothing was lost. Please try again."
            )
        case 503:
            return gettext("A short break"), gettext(
                "Your game is safe, but we cannot reach it right now. Try again in a moment."
            )
    return None


def _moment(text: str) -> str:
    zone = services().settings.calendar.zone
    moment = datetime.fromisoformat(text.replace("Z", "+00:00")).astimezone(zone)
    return f"{long_date(moment.date())}, {time(moment)} ({zone.key})"
