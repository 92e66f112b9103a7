"""What holds for every operation: callers, other sites, caching, methods, unknown paths."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from itsdangerous import TimestampSigner

from challenge.service.services import Services
from tests.api.contract import DESCRIPTION, TODAY, Api, at, board, game, play, problem
from tests.conftest import Clock

ME = "/api/v1/me"
MUTATING = [
    ("POST", "/api/v1/players", {}),
    ("PATCH", ME, {"name": "Mia"}),
    ("POST", game(), None),
    ("POST", game(tail="roll"), {"ply": 0, "hold": []}),
    ("POST", game(tail="score"), {"ply": 0, "box": "chance"}),
]
PUBLIC = [
    "/api/v1/rulesets",
    "/api/v1/rulesets/yacht",
    "/api/v1/openapi.json",
    "/api/v1/commitments?from=2026-11-01&days=3",
    "/api/v1/challenges/2026-11-01",
    *(board("2026-11-01", "yacht", tail) for tail in ("", "leaderboard", "distribution")),
]
VARY = {"accept-language", "cookie", "authorization"}


def cookie(player: Api) -> dict[str, str]:
    """The header a browser would carry."""
    return {"Cookie": f"samedice_player={player.token}"}


# -- other sites --------------------------------------------------------------------------


@pytest.mark.parametrize(("method", "url", "body"), MUTATING)
@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "none"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
        {"Origin": "http://evil.example"},
        {"Origin": "https://localhost"},
        {"Origin": "http://localhost:81"},
        {"Origin": "null"},
    ],
)
def test_a_call_that_another_site_caused_is_refused_before_anything_else(
    api: Api, method: str, url: str, body: Any, headers: dict[str, str]
) -> None:
    more = {} if body is None else {"json": body}
    problem(api.call(method, url, headers=headers, **more), "cross-site", 403)
    with_cookie = {**headers, **cookie(api.signed())}
    problem(api.call(method, url, headers=with_cookie, **more), "cross-site", 403)


@pytest.mark.parametrize(("method", "url", "body"), MUTATING)
def test_a_cookie_alone_does_not_prove_where_a_call_comes_from(
    api: Api, mia: Api, method: str, url: str, body: Any
) -> None:
    more = {} if body is None else {"json": body}
    problem(api.call(method, url, headers=cookie(mia), **more), "cross-site", 403)


@pytest.mark.parametrize(
    "headers",
    [
        {"Sec-Fetch-Site": "same-origin"},
        {"Origin": "http://localhost"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "http://proxied.example"},
    ],
)
def test_the_own_pages_may_call_with_the_cookie(
    api: Api, mia: Api, headers: dict[str, str]
) -> None:
    assert api.post(game(), headers={**headers, **cookie(mia)}).status_code == 201


def test_a_bearer_may_call_from_anywhere(mia: Api) -> None:
    headers = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
    assert mia.post(game(), headers=headers).status_code == 201


def test_reading_from_another_site_is_not_refused(api: Api) -> None:
    assert api.get(board(), headers={"Sec-Fetch-Site": "cross-site"}).status_code == 200


# -- who is calling -----------------------------------------------------------------------


def test_a_bearer_wins_over_a_cookie(api: Api, mia: Api) -> None:
    other = api.signed("Ben")
    assert mia.get(ME, headers=cookie(other)).json["player"]["id"] == mia.player


class Aged(TimestampSigner):
    """A signer of the past."""

    def get_timestamp(self) -> int:
        """Two days before the clock of the tests."""
        return int(at("2026-11-28 12:00").timestamp())


def aged(services: Services, player: str) -> str:
    """A player's value, signed two days ago."""
    keys = list(services.signing_keys)
    salt, digest = "samedice.player", hashlib.sha256
    signer = Aged(keys, salt=salt, key_derivation="hmac", digest_method=digest)
    return signer.sign(player).decode()


def test_a_cookie_in_use_is_renewed(api: Api, mia: Api, services: Services) -> None:
    value = aged(services, mia.player)
    response = api.get(ME, headers={"Cookie": f"samedice_player={value}"})
    renewed = response.headers["Set-Cookie"]
    assert "Max-Age=34560000" in renewed
    assert "HttpOnly" in renewed
    assert "SameSite=Lax" in renewed
    assert value not in renewed
    name, _, fresh = renewed.partition(";")[0].partition("=")
    assert name == "samedice_player"
    assert Api(api.client, fresh).get(ME).json["player"]["id"] == mia.player


def test_a_bearer_gets_no_cookie(api: Api, mia: Api, services: Services) -> None:
    assert "Set-Cookie" not in Api(api.client, aged(services, mia.player)).get(ME).headers


def test_an_older_key_still_verifies(api: Api, mia: Api, services: Services) -> None:
    older = TimestampSigner(
        services.signing_keys[0],
        salt="samedice.player",
        key_derivation="hmac",
        digest_method=hashlib.sha256,
    )
    token = older.sign(mia.player).decode()
    assert token != mia.token
    assert Api(api.client, token).get(ME).json["player"]["id"] == mia.player


@pytest.mark.parametrize("scheme", ["Basic", "Token", ""])
def test_another_scheme_signs_nobody_in(mia: Api, api: Api, scheme: str) -> None:
    headers = {"Authorization": f"{scheme} {mia.token}".strip()}
    problem(api.get(ME, headers=headers), "not-signed", 401)


def test_an_answer_401_names_the_scheme(api: Api) -> None:
    assert api.get(ME).headers["WWW-Authenticate"].startswith("Bearer")


# -- caching ------------------------------------------------------------------------------


@pytest.mark.parametrize("url", [board(), game(), ME, board(tail="leaderboard")])
def test_answers_to_a_signed_in_caller_are_never_kept(mia: Api, url: str) -> None:
    mia.post(game())
    assert mia.get(url).headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("url", PUBLIC)
def test_public_finished_things_are_checked_by_their_etag(api: Api, url: str) -> None:
    first = api.get(url)
    assert first.headers["Cache-Control"] == "no-cache"
    assert {part.strip().lower() for part in first.headers["Vary"].split(",")} >= VARY
    again = api.get(url, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    assert again.headers["ETag"] == first.headers["ETag"]
    other = api.get(url, headers={"If-None-Match": '"another"'})
    assert (other.status_code, other.data) == (200, first.data)


def test_the_etag_differs_by_language(api: Api) -> None:
    tags = {
        api.get("/api/v1/rulesets/yacht", headers={"Accept-Language": language}).headers["ETag"]
        for language in ("de", "en")
    }
    assert len(tags) == 2


def test_a_finished_game_of_a_closed_board_is_checked_by_its_etag(
    api: Api, mia: Api, clock: Clock
) -> None:
    play(mia, ruleset="generala")
    clock.now = at("2026-12-05 12:00")
    first = api.get(board(TODAY, "generala", f"games/{mia.player}"))
    assert first.headers["Cache-Control"] == "no-cache"
    assert first.headers["ETag"]


@pytest.mark.parametrize("tail", ["", "leaderboard", "distribution"])
def test_an_open_board_is_asked_for_anew_every_time(api: Api, tail: str) -> None:
    response = api.get(board(tail=tail))
    assert response.headers["Cache-Control"] in ("no-cache", "no-store")
    assert "ETag" not in response.headers


def test_problems_of_a_signed_in_caller_are_never_kept(mia: Api) -> None:
    assert mia.get(board(ruleset="nope")).headers["Cache-Control"] == "no-store"


# -- methods and paths --------------------------------------------------------------------


def fill(path: str) -> str:
    """A path of the description with its variables filled in."""
    some = "A" * 22  # what ids of players and groups look like
    id = some if path.startswith("/api/v1/groups/") else "yacht"
    return path.format(date=TODAY, ruleset="yacht", id=id, player=some)


@pytest.mark.parametrize("path", DESCRIPTION["paths"])
def test_another_method_is_refused_with_those_allowed(api: Api, path: str) -> None:
    known = {method.upper() for method in DESCRIPTION["paths"][path]}
    allowed = known | {"OPTIONS"} | ({"HEAD"} if "GET" in known else set())
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - known:
        response = api.call(method, fill(path))
        assert response.status_code == 405, (method, path)
        assert response.content_type == "application/problem+json"
        assert response.json["status"] == 405
        assert {m.strip() for m in response.headers["Allow"].split(",")} == allowed


@pytest.mark.parametrize("path", DESCRIPTION["paths"])
def test_options_names_the_methods(api: Api, path: str) -> None:
    known = {method.upper() for method in DESCRIPTION["paths"][path]}
    response = api.call("OPTIONS", fill(path))
    assert response.status_code in (200, 204)
    assert known <= {m.strip() for m in response.headers["Allow"].split(",")}


@pytest.mark.parametrize(
    "path", [path for path, item in DESCRIPTION["paths"].items() if "get" in item]
)
def test_head_answers_like_get_without_a_body(api: Api, path: str) -> None:
    got, head = api.get(fill(path)), api.call("HEAD", fill(path))
    assert head.data == b""
    assert head.status_code == got.status_code
    assert head.content_type == got.content_type


@pytest.mark.parametrize("path", ["/api/v1/nope", "/api/v2/rulesets", "/api/v1/me/x"])
def test_an_unknown_path_is_a_problem(api: Api, path: str) -> None:
    problem(api.get(path), "not-found", 404)


def test_answers_are_not_sniffed(api: Api) -> None:
    assert api.get("/api/v1/rulesets").headers["X-Content-Type-Options"] == "nosniff"
