"""The headers of every kind of answer: a scan of all routes, errors and files included."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from challenge.service.services import Services
from challenge.store.limits import Limits
from challenge.store.link import Link
from challenge.web import create_app, identity
from tests.api.contract import TODAY, Api, game, play
from tests.marks import long
from tests.web.boards import browser_of, token_of

ALWAYS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
DIRECTIVES = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "base-uri": "'none'",
    "frame-ancestors": "'self'",
    "form-action": "'self'",
}
HTTPS = {"wsgi.url_scheme": "https"}
ANY = {"date": TODAY, "ruleset": "yacht", "name": "page.css", "signed": "x.y", "id": "A" * 22}
SAFE = {"GET", "HEAD", "OPTIONS"}


def hold(answer: TestResponse, *, https: bool = False) -> None:
    """Assert that all headers are there, and none that loosens them."""
    where = f"{answer.request.method} {answer.request.path} {answer.status_code}"
    for name, value in ALWAYS.items():
        assert answer.headers.getlist(name) == [value], (where, name)
    policy = dict(part.strip().split(" ", 1) for part in csp(answer).split(";"))
    assert {name: policy[name] for name in DIRECTIVES} == DIRECTIVES, where
    assert "unsafe" not in csp(answer), where
    assert "*" not in csp(answer), where
    permitted = answer.headers["Permissions-Policy"].split(", ")
    opened = {entry.partition("=")[0] for entry in permitted if not entry.endswith("=()")}
    assert opened == (set() if is_file(answer) else {"clipboard-write"}), where
    picture = answer.request.path.endswith("picture.png") and answer.request.method != "OPTIONS"
    shared = picture and answer.status_code in (200, 304)
    corp = answer.headers["Cross-Origin-Resource-Policy"]
    assert corp == ("cross-origin" if shared else "same-origin"), where
    assert ("Strict-Transport-Security" in answer.headers) is https, where
    assert "Cache-Control" in answer.headers, where
    for cookie in answer.headers.getlist("Set-Cookie"):
        assert "SameSite=Lax" in cookie or "SameSite=Strict" in cookie, where
        assert ("Secure" in cookie.split("; ")) is https, where
        if identity.COOKIE in cookie:
            assert "HttpOnly" in cookie, where


def is_file(answer: TestResponse) -> bool:
    """Whether an answer is a static file."""
    return answer.request.path.startswith("/assets/") and (
        answer.status_code == 200 and answer.request.method != "OPTIONS"
    )


def csp(answer: TestResponse) -> str:
    """The one policy of an answer."""
    (policy,) = answer.headers.getlist("Content-Security-Policy")
    return str(policy)


def paths(app: Flask) -> Iterator[tuple[str, str]]:
    """Every method and route, its blanks filled with something likely."""
    for rule in app.url_map.iter_rules():
        filled = {name: ANY.get(name, "x") for name in rule.arguments}
        if "version" in filled:
            filled["version"] = "0"
        with app.test_request_context():
            path = app.url_map.bind("localhost").build(rule.endpoint, filled)
        for method in sorted(rule.methods or ()):
            yield method, path


@pytest.fixture
def player(app: Flask, services: Services) -> str:
    """A player who has finished today's sheet."""
    id = services.players.new_id()
    play(Api(app.test_client(use_cookies=False), token_of(app, id), id), ruleset="generala")
    return id


@pytest.mark.parametrize("scheme", [long("http"), "https"])
def test_a_scan_shows_the_headers_on_every_route(app: Flask, player: str, scheme: str) -> None:
    over = {"wsgi.url_scheme": scheme}
    seen = set()
    for signed in (False, True):
        client = browser_of(app, player) if signed else app.test_client()
        for method, path in paths(app):
            answer = client.open(path, method=method, environ_overrides=over)
            hold(answer, https=scheme == "https")
            seen.add(answer.status_code)
    assert {200, 401, 403, 404} <= seen, seen


def test_a_scan_shows_the_headers_on_every_kind_of_answer(
    app: Flask, services: Services, player: str
) -> None:
    kinds = list(KINDS)
    seen = {kind.status: 0 for kind in kinds}
    for kind in kinds:
        for over in ({}, HTTPS):
            answer = kind.ask(app, services, player, over)
            assert answer.status_code == kind.status, (kind, answer.text[:300])
            hold(answer, https=bool(over))
        seen[kind.status] += 1
    assert set(seen) == {200, 303, 304, 308, 400, 401, 403, 404, 405, 413, 415, 421, 429, 500, 503}


@dataclass
class Kind:
    """A kind of answer and how to get it."""

    status: int
    ask: Callable[[Flask, Services, str, dict[str, Any]], TestResponse]


def _get(path: str, **headers: str) -> Callable[..., TestResponse]:
    def ask(app: Flask, _: Services, __: str, over: dict[str, Any]) -> TestResponse:
        return app.test_client().get(path, headers=headers, environ_overrides=over)

    return ask


def _post(path: str, **more: Any) -> Callable[..., TestResponse]:
    def ask(app: Flask, _: Services, __: str, over: dict[str, Any]) -> TestResponse:
        return app.test_client().post(path, environ_overrides=over, **more)

    return ask


def _unchanged(app: Flask, _: Services, __: str, over: dict[str, Any]) -> TestResponse:
    client = app.test_client()
    tag = client.get("/picture.png").headers["ETag"]
    return client.get("/picture.png", headers={"If-None-Match": tag}, environ_overrides=over)


def _asset(app: Flask, _: Services, __: str, over: dict[str, Any]) -> TestResponse:
    client = app.test_client()
    path = re.search(r'href="(/assets/[^"]+\.css)"', client.get("/").text)
    assert path
    return client.get(path[1], environ_overrides=over)


def _elsewhere(method: str, path: str = "/rules") -> Callable[..., TestResponse]:
    def ask(_: Flask, services: Services, __: str, over: dict[str, Any]) -> TestResponse:
        settings = replace(services.settings, base_url="https://dice.example.org")
        there = create_app(replace(services, settings=settings)).test_client()
        headers = {"Host": "other.example.com"}
        return there.open(path, method=method, headers=headers, environ_overrides=over)

    return ask


def _too_many(_: Flask, services: Services, __: str, over: dict[str, Any]) -> TestResponse:
    settings = replace(services.settings, pages_per_minute=1)
    nowhere = Limits(Link("unix:///nowhere/s"))  # counts in memory, so from zero each time
    client = create_app(replace(services, settings=settings, limits=nowhere)).test_client()
    client.get("/rules")
    return client.get("/rules", environ_overrides=over)


def _broken(path: str) -> Callable[..., TestResponse]:
    """An application with a mistake in it."""

    def ask(_: Flask, services: Services, player: str, over: dict[str, Any]) -> TestResponse:
        app = create_app(replace(services, standings=None))  # type: ignore[arg-type]
        return app.test_client().get(path, environ_overrides=over)

    return ask


def _without_store(path: str) -> Callable[..., TestResponse]:
    def ask(_: Flask, services: Services, player: str, over: dict[str, Any]) -> TestResponse:
        away = replace(services.settings, redis_url="unix:///nowhere/s")
        from challenge import bootstrap

        app = create_app(bootstrap.build(away, services.clock))
        return app.test_client().get(path, environ_overrides=over)

    return ask


API = f"/api/v1/challenges/{TODAY}/yacht"
KINDS = [
    *(Kind(200, _get(path)) for path in ("/", "/rules", "/sw.js", "/manifest.webmanifest")),
    *(Kind(200, _get(path)) for path in ("/picture.png", "/robots.txt", "/offline", "/privacy")),
    *(Kind(200, _get(path)) for path in (API, "/healthz", "/readyz", "/api/v1/openapi.json")),
    Kind(200, _asset),
    Kind(303, _post("/language", data={"lang": "de", "next": "/"})),
    Kind(304, _unchanged),
    Kind(308, _elsewhere("GET")),
    Kind(308, _elsewhere("HEAD")),
    Kind(400, _get("/", Host="a b")),
    Kind(400, _post("/api/v1/players", data="{", content_type="application/json")),
    Kind(401, _get("/api/v1/me")),
    Kind(403, _post("/api/v1/players", headers={"Origin": "https://evil.example"})),
    Kind(403, _get("/api/v1/challenges/2030-01-01/yacht")),
    *(Kind(404, _get(path)) for path in ("/nowhere", "/api/v1/nowhere", "/favicon.ico")),
    Kind(404, _get("/assets/0/../../errors.py")),
    Kind(405, _post("/healthz")),
    Kind(405, _post("/rules")),
    Kind(413, _post("/api/v1/players", data="x" * 5000)),
    Kind(413, _post("/language", data="x" * 5000)),
    Kind(415, _post("/api/v1/players", data="{}", content_type="text/plain")),
    Kind(421, _elsewhere("POST", "/language")),
    Kind(429, _too_many),
    Kind(500, _broken(f"/{TODAY}/yacht/leaderboard")),
    Kind(500, _broken(f"{API}/distribution")),
    Kind(503, _without_store("/")),
    Kind(503, _without_store(API)),
    Kind(503, _without_store("/readyz")),
]


def test_no_script_or_style_stands_in_a_page(app: Flask, player: str) -> None:
    """A policy without inline would keep it from running; here it is not even written."""
    for client in (app.test_client(), browser_of(app, player)):
        for method, path in paths(app):
            if method != "GET":
                continue
            answer = client.get(path)
            if answer.mimetype == "text/html":
                assert not re.search(
                    r"<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=", answer.text
                )
                assert "javascript:" not in answer.text


# -- https -------------------------------------------------------------------------------


def test_https_by_the_public_address_alone_is_enough(
    make_services: Callable[..., Services],
) -> None:
    """Behind a proxy that was not counted: gunicorn itself never sees TLS."""
    app = create_app(make_services(CHALLENGE_BASE_URL="https://dice.example.org"))
    client: FlaskClient = app.test_client()
    hold(client.get("/", headers={"Host": "dice.example.org"}), https=True)
    hold(client.get("/", headers={"Host": "dice.example.org:443"}), https=True)
    hold(client.get("/", headers={"Host": "localhost"}), https=False)
    plain = create_app(make_services(CHALLENGE_BASE_URL="http://dice.example.org"))
    hold(plain.test_client().get("/", headers={"Host": "dice.example.org"}), https=False)


@pytest.mark.parametrize(("said", "https"), [("https", True), ("http", False), ("gopher", True)])
def test_what_a_counted_proxy_says_of_the_scheme_is_believed(
    make_services: Callable[..., Services], said: str, https: bool
) -> None:
    app = create_app(
        make_services(CHALLENGE_BASE_URL="https://dice.example.org", CHALLENGE_TRUSTED_PROXIES="1")
    )
    headers = {"Host": "dice.example.org", "X-Forwarded-Proto": said, "Sec-Fetch-Site": "none"}
    hold(app.test_client().get("/", headers=headers), https=https)


def test_a_move_over_https_sets_a_secure_cookie(app: Flask) -> None:
    client = app.test_client()
    answer = client.post(
        f"/{TODAY}/yacht",
        data={"player": _fresh(app), "ply": "0", "do": "roll"},
        environ_overrides=HTTPS,
    )
    assert answer.status_code == 303
    hold(answer, https=True)
    assert identity.COOKIE in answer.headers["Set-Cookie"]


def _fresh(app: Flask) -> str:
    with app.test_request_context():
        return identity.fresh_value()


def test_nothing_private_may_be_kept(app: Flask, player: str) -> None:
    client = browser_of(app, player)
    for path in ("/", "/me", "/api/v1/me", game(ruleset="generala")):
        assert client.get(path).headers["Cache-Control"] == "no-store", path
