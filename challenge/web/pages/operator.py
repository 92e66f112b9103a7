"""The operator's page about fair play, behind a token; without it there is nothing here."""

from __future__ import annotations

import hmac
from datetime import timedelta

from flask import Response, render_template, request, url_for

from challenge.daily.calendar import FIRST_DAY
from challenge.daily.evidence import shown
from challenge.errors import NotFound
from challenge.game import rulesets
from challenge.web.current import now, services
from challenge.web.i18n import fraction
from challenge.web.limits import guess_limited
from challenge.web.pages.blueprint import day_of, pages, see
from challenge.web.pages.place import Place

COOKIE = "samedice_operator"
COOKIE_AGE = timedelta(hours=12)
SHOWN = 200


@pages.get("/operator")
def operator() -> str | Response:
    """Asks for the token; who has given it is led on.

    Raises:
        NotFound: this service has none.
    """
    _token()
    if _is_known():
        return see(_today())
    return render_template("operator/door.html", place=Place("operator"))


@pages.post("/operator")
@guess_limited
def open_operator() -> Response:
    """Takes the token, for half a day.

    Raises:
        NotFound: it is a wrong one, or this service has none.
        TooManyRequests: the caller's address has guessed too often.
    """
    token = _token()
    given = request.form.get("token", "").encode("utf-8", "surrogateescape")
    if not hmac.compare_digest(given, token):
        raise NotFound("There is nothing here.")
    answer = see(_today())
    answer.set_cookie(
        COOKIE,
        _proof(token, str(int(now().timestamp()))),
        max_age=COOKIE_AGE,
        path=url_for("pages.operator"),
        httponly=True,
        secure=request.is_secure,
        samesite="Strict",
    )
    return answer


@pages.get("/operator/fairplay")
def choose_weighed() -> Response:
    """``?day=`` and ``?sheet=`` lead to a board."""
    _need_operator()
    sheet = request.args.get("sheet") or services().settings.default_ruleset
    day = day_of(request.args.get("day") or "today")
    return see(url_for("pages.weighed", date=day.isoformat(), ruleset=sheet))


@pages.get("/operator/fairplay/<date>/<ruleset>")
def weighed(date: str, ruleset: str) -> str:
    """The weighed games of a board, the highest odds first."""
    _need_operator()
    day = day_of(date)
    found = services().fairplay.report(day, ruleset, now())
    return render_template(
        "operator/fairplay.html",
        place=Place("operator", day, ruleset),
        ruleset=rulesets.find(ruleset),
        found=found,
        games=found.games[:SHOWN],
        notable=sum(each.notable for each in found.games),
        closed=services().days.board(day, ruleset, now()).note.closed,
        sheets=rulesets.RULESETS,
        first_day=FIRST_DAY,
        today=services().days.today(now()),
        odds_parts=shown,
        signed=signed,
    )


def signed(value: float) -> str:
    """A figure with one place and its sign."""
    text = fraction(abs(value))
    return f"−{text}" if value < 0 else f"+{text}"


def _today() -> str:
    today = services().days.today(now())
    sheet = services().settings.default_ruleset
    return url_for("pages.weighed", date=today.isoformat(), ruleset=sheet)


def _token() -> bytes:
    token = services().settings.operator_token
    if token is None:
        raise NotFound("There is nothing here.")
    return token


def _proof(token: bytes, since: str) -> str:
    """What the cookie holds: it shows that the token was known then, and does not give it away."""
    return f"{since}.{hmac.digest(token, f'samedice/operator/{since}'.encode(), 'sha256').hex()}"


def _is_known() -> bool:
    """Whether the cookie holds, for as long as it was given for: browsers keep it, thieves too."""
    given = request.cookies.get(COOKIE, "").encode("utf-8", "surrogateescape")
    since = given.partition(b".")[0].decode("ascii", "replace")
    if not hmac.compare_digest(given, _proof(_token(), since).encode()):
        return False
    return now().timestamp() < int(since) + COOKIE_AGE.total_seconds()


def _need_operator() -> None:
    if not _is_known():
        raise NotFound("There is nothing here.")
