"""Limits by address and by player: new players, joins, pages, moves."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from challenge.errors import TooManyRequests
from challenge.service.services import Services
from challenge.store.limits import Limits
from challenge.store.link import Link
from challenge.web import counts, create_app, i18n, limits, problems
from challenge.web.windows import Windows
from tests.api.contract import TODAY, Api, game, problem
from tests.api.crowds import crowd
from tests.api.dump import dump
from tests.api.friends import invite_of, make_group
from tests.api.test_devices import OFFER, TAKE
from tests.web.reader import Page

HERE, THERE = "203.0.113.7", "203.0.113.8"
PLAYERS = "/api/v1/players"
GAME = f"/{TODAY}/yacht"
DAY, HOUR, MINUTE = 86_400, 3600, 60
CROWD = 16
NOWHERE = "unix:///nowhere/valkey.sock"


@pytest.fixture
def services(make_services: Callable[..., Services]) -> Services:
    """Services that allow two of each."""
    names = ("IDENTITIES_PER_DAY", "JOINS_PER_HOUR", "PAGES_PER_MINUTE", "MOVES_PER_MINUTE")
    return make_services(**{f"CHALLENGE_{name}": "2" for name in names})


def at(address: str) -> dict[str, str]:
    """Where a request comes from."""
    return {"REMOTE_ADDR": address}


def arrive(api: Api, address: str = HERE, **body: str) -> TestResponse:
    """A new player from an address."""
    return Api(api.client).post(PLAYERS, body, environ_overrides=at(address))


def refused(response: TestResponse, span: int) -> None:
    """Assert that a limit was used up, and that the wait is within its span."""
    problem(response, "too-many-requests", 429)
    assert 0 < int(response.headers["Retry-After"]) <= span


def browser(app: Flask, address: str = HERE) -> FlaskClient:
    """A browser at an address."""
    client = app.test_client()
    client.environ_base.update(REMOTE_ADDR=address, HTTP_SEC_FETCH_SITE="same-origin")
    return client


def first_form(app: Flask, path: str = GAME) -> dict[str, str]:
    """The fields of a stranger's page, looked at from elsewhere so that it costs no page here."""
    with app.test_request_context():
        elsewhere = f"198.51.100.{next(_others)}"
    return Page(browser(app, elsewhere).get(path).text).fields


_others = iter(range(1, 255))


# -- new players -------------------------------------------------------------------------


def test_an_address_has_so_many_new_players_a_day(api: Api) -> None:
    assert [arrive(api).status_code for _ in range(2)] == [201, 201]
    refused(arrive(api), DAY)
    assert arrive(api, THERE).status_code == 201


def test_a_player_that_could_not_be_made_is_not_counted(api: Api) -> None:
    for _ in range(3):
        problem(arrive(api, name="\u202e"), "bad-request", 400)
    assert arrive(api).status_code == 201


def test_what_comes_to_nothing_once_its_span_is_over_makes_no_room_in_the_next(
    app: Flask, api: Api, valkey: redis.Redis
) -> None:
    assert arrive(api).status_code == 201
    (count,) = valkey.keys("sd1:limits:*identities*")
    valkey.expire(count, 60)
    with app.test_request_context(environ_overrides=at(HERE)), limits.arrival() as newcomer:
        assert valkey.get(count) == b"2"
        valkey.delete(count)
        assert [arrive(api).status_code for _ in range(2)] == [201, 201]
        newcomer.stands = False
    refused(arrive(api), DAY)


def test_new_players_at_the_same_time_are_no_more_than_in_turn(
    api: Api, services: Services
) -> None:
    answers = crowd(services, CROWD, lambda api: arrive(api).status_code)
    assert answers.count(201) <= 2
    assert answers.count(201) + answers.count(429) == CROWD
    while arrive(api).status_code == 201:
        answers.append(201)
    assert answers.count(201) == 2


def test_looking_around_makes_no_player_and_the_first_roll_one(app: Flask, valkey_url: str) -> None:
    visitor = browser(app)
    form = Page(visitor.get(GAME).text).fields
    assert not [key for key in dump(valkey_url) if b"identities" in key]
    for ply in ("0", "1"):
        answer = visitor.post(GAME, data={**form, "ply": ply, "do": "roll"})
        assert answer.status_code == 303
    kept = {key: value for key, value in dump(valkey_url).items() if b"identities" in key}
    assert list(kept.values()) == [(b"string", b"1", True)]


def test_a_double_click_of_a_newcomer_counts_once(app: Flask, valkey_url: str) -> None:
    form = first_form(app)
    for _ in range(2):
        answer = browser(app).post(GAME, data={**form, "do": "roll"})
        assert answer.status_code == 303
    kept = {key: value for key, value in dump(valkey_url).items() if b"identities" in key}
    assert list(kept.values()) == [(b"string", b"1", True)]


def test_a_newcomer_too_many_is_told_so_and_nothing_begins(app: Flask, valkey_url: str) -> None:
    for _ in range(2):
        browser(app).post(GAME, data={**first_form(app), "do": "roll"})
    form, before = first_form(app), dump(valkey_url)
    answer = browser(app).post(GAME, data={**form, "do": "roll"})
    assert answer.status_code == 429
    assert "No new players just now" in answer.text
    assert 0 < int(answer.headers["Retry-After"]) <= DAY
    assert "Set-Cookie" not in answer.headers
    assert dump(valkey_url) == before
    assert browser(app, THERE).post(GAME, data={**form, "do": "roll"}).status_code == 303


def test_who_becomes_a_player_with_a_group_counts_too(app: Flask, api: Api) -> None:
    for _ in range(2):
        form = {"player": _value(app), "name": "Die Runde"}
        assert browser(app).post("/groups", data=form).status_code == 303
    form = {"player": _value(app), "name": "Die Runde"}
    assert browser(app).post("/groups", data=form).status_code == 429
    refused(arrive(api), DAY)


def _value(app: Flask) -> str:
    return first_form(app)["player"]


def test_the_store_never_learns_an_address(app: Flask, api: Api, valkey_url: str) -> None:
    for address in (HERE, "2001:db8:0:7::1"):
        browser(app, address).get("/")
        arrive(api, address)
        api.post(TAKE, {"code": "0000-0000"}, environ_overrides=at(address))
    counts_of = [key for key in dump(valkey_url, reads=True) if key.startswith(b"sd1:limits")]
    assert len(counts_of) >= 6  # pages, new players and guesses, of two addresses
    assert not [key for key in counts_of if HERE.encode() in key or b"2001:db8" in key]


@pytest.mark.parametrize(
    ("wait", "english", "german"),
    [
        (1, "in 1 second", "in 1 Sekunde"),
        (90, "in 90 seconds", "in 90 Sekunden"),
        (91, "in 2 minutes", "in 2 Minuten"),
        (5341, "in 90 minutes", "in 90 Minuten"),
        (5401, "in 2 hours", "in 2 Stunden"),
        (DAY, "in 24 hours", "in 24 Stunden"),
    ],
)
def test_a_wait_is_said_in_words_and_rounded_up(
    app: Flask, wait: int, english: str, german: str
) -> None:
    for language, words in (("en", english), ("de", german)):
        with app.test_request_context(f"/?lang={language}"):
            assert i18n.in_a_while(wait) == words


@pytest.mark.parametrize(
    ("limit", "english", "german"),
    [
        ("identities", "As many new players", "so viele neue Spieler"),
        ("guesses", "wrong codes or links", "falsche Codes oder Links"),
        ("joins", "groups were joined", "Beitritte zu Gruppen"),
        ("moves", "Too many moves", "zu viele Züge"),
        ("pages", "Too many pages", "zu viele Seiten"),
    ],
)
def test_a_page_says_what_there_was_too_much_of_and_when_it_goes_on(
    app: Flask, limit: str, english: str, german: str
) -> None:
    for language, words in (("en", english), ("de", german)):
        with app.test_request_context(f"/?lang={language}"):
            found = problems.problem_of(TooManyRequests("Too many.", 1500, limit))
            page = problems.answer(found).get_data(as_text=True)
        assert words in page
        assert ("in 25 minutes" if language == "en" else "in 25 Minuten") in page
    assert "limit" not in found.document()


# -- joins and transfers -----------------------------------------------------------------


def test_joins_and_transfers_of_an_address_count_together(api: Api) -> None:
    ann, bob, eve = (arrive(api, f"192.0.2.{i}").json["token"] for i in range(3))
    owner, other, third = (Api(api.client, token) for token in (ann, bob, eve))
    invite = invite_of(owner, make_group(owner))
    joined = other.post("/api/v1/groups/join", {"invite": invite}, environ_overrides=at(HERE))
    assert joined.status_code == 200
    code = owner.post(OFFER).json["code"]
    assert api.post(TAKE, {"code": code}, environ_overrides=at(HERE)).status_code == 200
    join = ("/api/v1/groups/join", {"invite": invite})
    refused(third.post(*join, environ_overrides=at(HERE)), HOUR)
    code = owner.post(OFFER).json["code"]
    refused(api.post(TAKE, {"code": code}, environ_overrides=at(HERE)), HOUR)
    assert third.post(*join, environ_overrides=at(THERE)).status_code == 200
    assert api.post(TAKE, {"code": code}, environ_overrides=at(THERE)).status_code == 200


def test_a_code_is_not_used_up_by_a_refusal(api: Api) -> None:
    owner = Api(api.client, arrive(api, THERE).json["token"])
    for _ in range(2):
        code = owner.post(OFFER).json["code"]
        assert api.post(TAKE, {"code": code}, environ_overrides=at(HERE)).status_code == 200
    code = owner.post(OFFER).json["code"]
    refused(api.post(TAKE, {"code": code}, environ_overrides=at(HERE)), HOUR)
    assert api.post(TAKE, {"code": code}, environ_overrides=at(THERE)).status_code == 200


def test_a_join_that_fails_is_not_counted(api: Api) -> None:
    for _ in range(3):
        answer = api.post(TAKE, {"code": "0000-0000"}, environ_overrides=at(HERE))
        problem(answer, "not-found", 404)
    owner = Api(api.client, arrive(api, THERE).json["token"])
    code = owner.post(OFFER).json["code"]
    assert api.post(TAKE, {"code": code}, environ_overrides=at(HERE)).status_code == 200


# -- pages -------------------------------------------------------------------------------


def test_an_address_reads_so_many_pages_a_minute(app: Flask) -> None:
    visitor = browser(app)
    assert visitor.get("/").status_code == 200
    assert visitor.head("/rules").status_code == 200
    answer = visitor.get("/privacy")
    assert answer.status_code == 429
    assert "A little slower, please" in answer.text
    assert 0 < int(answer.headers["Retry-After"]) <= MINUTE
    assert browser(app, THERE).get("/privacy").status_code == 200


def test_a_page_that_answers_a_stranger_s_press_is_a_page(app: Flask) -> None:
    """The script is answered with all of it, whoever says to be the script."""
    visitor = browser(app)
    for status in (200, 200, 429):
        answer = visitor.post(GAME, data={"do": "back"}, headers={"Samedice-Swap": "1"})
        assert answer.status_code == status


def test_files_health_and_the_api_are_never_limited(app: Flask) -> None:
    visitor = browser(app)
    style = visitor.get("/").text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    free = [style, "/sw.js", "/manifest.webmanifest", "/offline", "/robots.txt", "/healthz"]
    free += ["/readyz", "/api/v1/rulesets", f"/api/v1/challenges/{TODAY}/yacht"]
    for _ in range(3):
        assert [visitor.get(path).status_code for path in free] == [200] * len(free)
    assert visitor.get("/").status_code == 200
    assert visitor.get("/").status_code == 429


def test_moves_are_made_while_pages_are_used_up(app: Flask) -> None:
    visitor = browser(app)
    form = Page(visitor.get(GAME).text).fields
    visitor.get("/")
    assert visitor.get(GAME).status_code == 429
    assert visitor.post(GAME, data={**form, "do": "roll"}).status_code == 303


# -- moves -------------------------------------------------------------------------------


def test_a_player_makes_so_many_moves_a_minute(app: Flask, api: Api) -> None:
    now = 1000.0
    app.extensions["samedice-limits"].moves.clock = lambda: now
    mia, ben = (Api(api.client, arrive(api, f"192.0.2.{i}").json["token"]) for i in (1, 2))
    mia.post(game())
    assert mia.post(game(tail="roll"), {"ply": 0, "hold": []}).status_code == 200
    score = (game(tail="score"), {"ply": 1, "box": "chance"})
    answer = mia.post(*score)
    refused(answer, MINUTE)
    assert answer.headers["Retry-After"] == "60"
    assert mia.get(game()).json["ply"] == 1
    assert ben.post(game()).status_code == 201
    now += 59.5
    assert mia.post(*score).headers["Retry-After"] == "1"
    now += 0.5
    assert mia.post(*score).status_code == 200


def test_a_token_that_was_signed_out_does_not_use_up_the_moves(api: Api) -> None:
    stolen = Api(api.client, arrive(api).json["token"])
    mia = Api(api.client, stolen.post("/api/v1/me/sign-out").json["token"])
    for _ in range(2):
        assert stolen.post(game()).status_code == 401
    refused(stolen.post(game()), MINUTE)
    assert mia.post(game()).status_code == 201


def test_moves_are_refused_before_redis_is_asked(api: Api, valkey: redis.Redis) -> None:
    mia = Api(api.client, arrive(api).json["token"])
    for _ in range(2):
        mia.post(game())
    before = valkey.info("stats")["total_commands_processed"]
    refused(mia.post(game(tail="roll"), {"ply": 0, "hold": []}), MINUTE)
    assert valkey.info("stats")["total_commands_processed"] == before + 1


def test_moves_on_the_page_count_as_well(app: Flask) -> None:
    visitor = browser(app)
    form = Page(visitor.get(GAME).text).fields
    for ply in (0, 1):
        answer = visitor.post(GAME, data={**form, "ply": str(ply), "do": "roll"})
        assert answer.status_code == 303
    answer = visitor.post(GAME, data={"ply": "2", "do": "roll"})
    assert answer.status_code == 429
    assert 0 < int(answer.headers["Retry-After"]) <= MINUTE


@pytest.mark.parametrize("do", ["back", "coach"])
def test_a_page_that_answers_a_player_s_press_counts_as_a_move(app: Flask, do: str) -> None:
    """So it is not refused where others have used up the pages of the address."""
    visitor = browser(app)
    form = Page(visitor.get(GAME).text).fields
    visitor.get("/")
    assert visitor.post(GAME, data={**form, "do": "roll"}).status_code == 303
    asked = {"data": {"do": do}, "headers": {"Samedice-Swap": "1"}}
    assert visitor.post(GAME, **asked).status_code != 429
    assert visitor.post(GAME, **asked).status_code == 429


# -- counting in memory ------------------------------------------------------------------


def test_a_count_ends_after_its_span_whatever_comes_in_between() -> None:
    now = 0.0
    window = Windows(60, clock=lambda: now)
    assert window.add("mia") == (1, 60)
    now = 59
    assert window.add("mia") == (2, 1)
    window.give_back("mia", 1)
    assert window.read("mia") == (1, 1)
    now = 60
    assert window.add("mia") == (1, 60)
    window.give_back("mia", 1)
    assert window.read("mia") == (1, 60)
    for _ in range(2):
        window.give_back("mia", 60)
        assert window.read("mia") == (0, 60)
    window.give_back("ben", 60)
    assert len(window) == 1


def test_however_many_names_come_so_many_counts_are_kept() -> None:
    window = Windows(60, most=100, clock=lambda: 0.0)
    for i in range(1000):
        window.add(str(i))
    assert len(window) == 100
    assert window.add("999") == (2, 60)
    assert window.add("0") == (1, 60)


def test_what_has_ended_leaves_room_by_itself() -> None:
    now = 0.0
    window = Windows(60, clock=lambda: now)
    for i in range(1000):
        window.add(str(i))
    now = 60
    window.add("late")
    assert len(window) == 1


# -- Redis away --------------------------------------------------------------------------


@pytest.fixture
def alone(services: Services) -> Flask:
    """An application whose limits cannot be asked."""
    return create_app(replace(services, limits=Limits(Link(NOWHERE))))


def test_a_failing_limiter_fails_no_page_and_still_limits(
    alone: Flask, caplog: pytest.LogCaptureFixture
) -> None:
    visitor = browser(alone)
    with caplog.at_level(logging.INFO):
        answers = [visitor.get(path).status_code for path in ("/", "/rules", "/privacy")]
    assert answers == [200, 200, 429]
    said = [record for record in caplog.records if "limits" in record.message]
    assert len(said) == 1


def test_new_players_come_while_limits_cannot_be_asked(alone: Flask) -> None:
    api = Api(alone.test_client(use_cookies=False))
    assert [arrive(api).status_code for _ in range(2)] == [201, 201]
    refused(arrive(api), DAY)


def test_limits_are_asked_again_once_they_can_be(
    services: Services, valkey_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counts, "PAUSE", 0.0)
    socket = tmp_path / "s"
    app = create_app(replace(services, limits=Limits(Link(f"unix://{socket}"))))
    visitor = browser(app)
    assert visitor.get("/").status_code == 200
    assert not [key for key in dump(valkey_url, reads=True) if b"pages" in key]
    socket.symlink_to(valkey_url.removeprefix("unix://").partition("?")[0])
    assert visitor.get("/").status_code == 200
    kept = [value for key, value in dump(valkey_url, reads=True).items() if b"pages" in key]
    assert kept == [(b"string", b"1", True)]
