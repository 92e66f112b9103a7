"""New signing keys sign nobody out; a key that was dropped makes nobody."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from challenge.service.services import Services
from challenge.web import create_app, identity, links
from tests.api.contract import TODAY, Api, game, play, problem
from tests.api.friends import invite_of, make_group
from tests.api.test_devices import OFFER, TAKE
from tests.conftest import Clock
from tests.web.boards import browser_of
from tests.web.reader import Page

A, B, C = (letter * 40 for letter in "abc")
Site = Callable[..., Flask]


@pytest.fixture
def site(make_services: Callable[..., Services]) -> Site:
    """A service that signs with the last of these keys, over the same Redis each time."""
    return lambda *keys: create_app(make_services(CHALLENGE_SECRET_KEYS=",".join(keys)))


def player_of(app: Flask) -> Api:
    """A new player of a service."""
    return Api(app.test_client(use_cookies=False)).signed("Mia")


def cookie_of(answer: TestResponse) -> str | None:
    """The player value an answer sets, if any."""
    for cookie in answer.headers.getlist("Set-Cookie"):
        name, _, rest = cookie.partition("=")
        if name == identity.COOKIE:
            return str(rest.partition(";")[0])
    return None


def test_a_token_of_an_older_key_holds_while_the_key_is_listed(site: Site) -> None:
    mia = player_of(site(A))
    play(mia, turns=1)
    for keys in ((A, B), (A, B, C)):
        later = Api(site(*keys).test_client(use_cookies=False), mia.token)
        assert later.get("/api/v1/me").json["player"]["id"] == mia.player
        assert later.get(game()).json["round"] == 2
    for keys in ((B,), (B, C)):
        later = Api(site(*keys).test_client(use_cookies=False), mia.token)
        problem(later.get("/api/v1/me"), "not-signed", 401)


@pytest.mark.parametrize("path", ["/", "/me", f"/{TODAY}/yacht", "/api/v1/me"])
def test_a_cookie_of_an_older_key_is_signed_anew_when_it_is_used(site: Site, path: str) -> None:
    app = site(A)
    mia = player_of(app)
    old = browser_of(app, mia.player).get_cookie(identity.COOKIE).value
    rotated = site(A, B)
    browser = rotated.test_client()
    browser.set_cookie(identity.COOKIE, old)
    new = cookie_of(browser.get(path))
    assert new is not None
    assert new != old
    assert cookie_of(browser.get(path)) is None  # once is enough
    for keys in ((B,), (A, B), (B, C)):
        there = site(*keys).test_client()
        there.set_cookie(identity.COOKIE, new)
        assert there.get("/api/v1/me").json["player"]["id"] == mia.player
    there = site(B).test_client()
    there.set_cookie(identity.COOKIE, old)
    problem(there.get("/api/v1/me"), "not-signed", 401)


def test_a_cookie_of_the_newest_key_is_left_alone_until_it_ages(site: Site, clock: Clock) -> None:
    app = site(A, B)
    mia = player_of(app)
    browser = browser_of(app, mia.player)
    assert cookie_of(browser.get("/")) is None
    clock.set(
        f"{datetime.now(UTC) + timedelta(days=1, minutes=1):%Y-%m-%dT%H:%M}"
    )  # after it was signed
    assert cookie_of(browser.get("/")) is not None


def test_a_move_on_the_page_signs_anew_too(site: Site) -> None:
    app = site(A)
    mia = player_of(app)
    old = browser_of(app, mia.player).get_cookie(identity.COOKIE).value
    browser = site(A, B).test_client()
    browser.set_cookie(identity.COOKIE, old)
    own = {"Sec-Fetch-Site": "same-origin"}
    answer = browser.post(f"/{TODAY}/yacht", data={"ply": "0", "do": "roll"}, headers=own)
    assert answer.status_code == 303
    assert cookie_of(answer) not in (None, old)


def test_a_page_opened_before_the_new_key_still_makes_its_player(site: Site) -> None:
    fields = Page(site(A).test_client().get(f"/{TODAY}/yacht").text).fields
    browser = site(A, B).test_client()
    answer = browser.post(f"/{TODAY}/yacht", data={**fields, "do": "roll"})
    assert answer.status_code == 303
    assert cookie_of(answer) is not None
    late = site(B).test_client().post(f"/{TODAY}/yacht", data={**fields, "do": "roll"})
    assert late.status_code == 401


def test_links_of_an_older_key_hold_while_it_is_listed(site: Site) -> None:
    app = site(A)
    mia = player_of(app)
    play(mia, ruleset="generala")
    invite = urlsplit(invite_of(mia, make_group(mia))).path
    transfer = urlsplit(mia.post(OFFER).json["url"]).path
    with app.test_request_context():
        game_of = links.SharedGame(date.fromisoformat(TODAY), "generala", mia.player)
        result = urlsplit(links.result_link(game_of)).path
    for path in (invite, transfer, result):
        assert site(A, B).test_client().get(path).status_code == 200, path
        assert site(B).test_client().get(path).status_code == 404, path
    ben = player_of(site(A, B))
    assert ben.post("/api/v1/groups/join", {"invite": invite}).status_code == 200
    code = mia.post(OFFER).json["code"]
    taken = Api(site(A, B).test_client(use_cookies=False)).post(TAKE, {"code": code})
    assert taken.json["player"]["id"] == mia.player


def test_what_the_new_key_signs_is_signed_by_it_alone(site: Site) -> None:
    mia = player_of(site(A, B))
    assert Api(site(B).test_client(), mia.token).get("/api/v1/me").status_code == 200
    problem(Api(site(A).test_client(), mia.token).get("/api/v1/me"), "not-signed", 401)
