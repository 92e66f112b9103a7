"""The problem documents, word for word: one of each kind."""

from __future__ import annotations

from typing import Any

import pytest

from tests.api.contract import TODAY, Api, at, board, game
from tests.conftest import Clock

ROLL = game(tail="roll")
SCORE = game(tail="score")


def document(slug: str, status: int, title: str, detail: str, **facts: Any) -> dict[str, Any]:
    """A problem document."""
    head = {"type": f"/problems/{slug}", "title": title, "status": status, "detail": detail}
    return {**head, **facts}


def test_bad_request(api: Api) -> None:
    assert api.get(board("2026-02-30")).json == document(
        "bad-request",
        400,
        "The request is not well formed",
        "'2026-02-30' is not a date; write it as 2026-11-30.",
    )


def test_bad_request_says_where_a_body_goes_wrong(mia: Api) -> None:
    assert mia.post(ROLL, {"ply": 0, "hold": [True]}).json == document(
        "bad-request",
        400,
        "The request is not well formed",
        "The body is not what this call takes: Expected `int`, got `bool` - at `$.hold[0]`.",
    )


def test_not_signed(api: Api) -> None:
    assert api.get("/api/v1/me").json == document(
        "not-signed",
        401,
        "A player is needed",
        "This call needs a player: send the cookie, or `Authorization: Bearer TOKEN` "
        "with a token from POST /api/v1/players.",
    )


def test_cross_site(api: Api) -> None:
    response = api.post(game(), headers={"Origin": "https://evil.example"})
    assert response.json == document(
        "cross-site",
        403,
        "Sent from another site",
        "Another site sent this; send it from here, or with a bearer token.",
    )


def test_not_open_yet(api: Api) -> None:
    assert api.get(board("2026-12-01")).json == document(
        "not-open-yet",
        403,
        "This day is not open yet",
        "The dice of 2026-12-01 are dealt from 2026-12-01T00:00:00Z on.",
        opens_at="2026-12-01T00:00:00Z",
    )


def test_spoiler(api: Api) -> None:
    assert api.get(board(tail="games/" + "A" * 22)).json == document(
        "spoiler", 403, "Finish first", "Finish this board first, or wait until it is closed."
    )


def test_not_found(api: Api) -> None:
    assert api.get(board("2025-12-31")).json == document(
        "not-found", 404, "There is nothing here", "The first day of Samedice is 2026-01-01."
    )


def test_unknown_ruleset(api: Api) -> None:
    assert api.get(board(ruleset="nope")).json == document(
        "unknown-ruleset",
        404,
        "There is no such sheet",
        "There is no sheet 'nope'; GET /api/v1/rulesets lists them all.",
    )


def test_closing(mia: Api, clock: Clock) -> None:
    clock.now = at("2026-12-01 00:00")
    assert mia.post(game(TODAY)).json == document(
        "closing",
        409,
        "This day is over",
        "The day 2026-11-30 is over: no game can start while its board closes. From "
        "2026-12-01T03:00:00Z on it can be played as archive.",
        closes_at="2026-12-01T03:00:00Z",
    )


def test_ply_conflict(mia: Api) -> None:
    view = mia.post(game()).json
    assert mia.post(ROLL, {"ply": 1, "hold": []}).json == document(
        "ply-conflict",
        409,
        "The game has moved on",
        "The game has moved on: look at `game` and decide again.",
        game=view,
    )


def test_not_finished(mia: Api) -> None:
    mia.post(game())
    assert mia.get(game(tail="share")).json == document(
        "not-finished", 409, "The game is not finished", "This game is not finished yet."
    )


def test_too_large(mia: Api) -> None:
    assert mia.post(ROLL, {"ply": 0, "hold": [0] * 4000}).json == document(
        "too-large", 413, "The body is too large", "A body has at most 4096 bytes."
    )


def test_wrong_type(mia: Api) -> None:
    response = mia.post(ROLL, data=b"{}", headers={"Content-Type": "text/plain"})
    assert response.json == document(
        "wrong-type",
        415,
        "The body is not JSON",
        "Send the body as Content-Type: application/json.",
    )


@pytest.mark.parametrize(
    ("url", "body", "reason", "detail"),
    [
        (SCORE, {"ply": 0, "box": "ones"}, "roll_first", "Roll before you score."),
        (
            ROLL,
            {"ply": 0, "hold": [0]},
            "first_roll_takes_all_dice",
            "The first roll of a turn throws all dice; hold none.",
        ),
    ],
)
def test_illegal_action(mia: Api, url: str, body: Any, reason: str, detail: str) -> None:
    mia.post(game())
    assert mia.post(url, body).json == document(
        "illegal-action", 422, "The rules forbid this now", detail, reason=reason
    )


def test_what_has_no_kind_of_its_own_is_its_status(api: Api) -> None:
    response = api.call("DELETE", "/api/v1/rulesets")
    assert response.content_type == "application/problem+json"
    assert response.json == {
        "type": "about:blank",
        "title": "Method Not Allowed",
        "status": 405,
        "detail": "The method is not allowed for the requested URL.",
    }
