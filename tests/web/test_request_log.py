"""A line of JSON for each request: what it says, and that nothing of a player is in it."""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from flask import Flask

from challenge import bootstrap, logs
from challenge.service.services import Services
from challenge.web import create_app
from challenge.web.watch.requests import shortened
from tests.api.contract import Api, game
from tests.conftest import Clock, make_settings
from tests.web.boards import browser_of

FIELDS = [
    "time", "level", "route", "method", "status", "ms", "bytes", "request", "caller", "address",
]  # fmt: skip
ID = re.compile(r"[0-9a-f]{16}")


@pytest.fixture
def app(make_services: Callable[..., Services]) -> Flask:
    """An application that writes its lines."""
    return create_app(make_services(CHALLENGE_REQUEST_LOG="on"))


@pytest.fixture
def lines(capfd: pytest.CaptureFixture[str]) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What was written since the last call, each line parsed."""

    def read() -> list[dict[str, Any]]:
        return [json.loads(line) for line in capfd.readouterr().err.splitlines()]

    handler = logs.Stderr()
    handler.setFormatter(logs.JsonLine())
    logging.getLogger("challenge").addHandler(handler)
    yield read
    logging.getLogger("challenge").removeHandler(handler)


Lines = Callable[[], list[dict[str, Any]]]


def test_a_request_is_one_line_with_these_fields(app: Flask, lines: Lines) -> None:
    answer = app.test_client().get("/api/v1/version?q=1", headers={"Request-Id": "mine"})
    (line,) = lines()
    assert list(line) == FIELDS
    assert line["route"] == "/api/v1/version"
    assert (line["method"], line["status"], line["level"]) == ("GET", 200, "info")
    assert line["bytes"] == len(answer.data)
    assert line["ms"] >= 0
    assert datetime.fromisoformat(line["time"].replace("Z", "+00:00"))
    assert line["time"].endswith("Z")


def test_the_answer_names_the_id_of_its_line_and_no_client_chooses_it(
    app: Flask, lines: Lines
) -> None:
    client = app.test_client()
    answers = [client.get("/healthz", headers={"Request-Id": "a" * 16}) for _ in range(3)]
    ids = [answer.headers["Request-Id"] for answer in answers]
    assert [line["request"] for line in lines()] == ids
    assert len(set(ids)) == 3
    assert all(ID.fullmatch(id) for id in ids)


@pytest.mark.parametrize("path", ["/", "/nope", "/healthz", "/static/page.css", "/metrics"])
def test_every_kind_of_answer_has_its_id(app: Flask, lines: Lines, path: str) -> None:
    answer = app.test_client().get(path)
    assert [line["request"] for line in lines()] == [answer.headers["Request-Id"]]


def test_what_no_rule_matches_has_no_path(app: Flask, lines: Lines) -> None:
    client = app.test_client()
    client.get("/a/b/c/d/e")
    client.open("/healthz", method="BREW")
    assert [(line["route"], line["method"]) for line in lines()] == [
        ("unknown", "GET"),
        ("unknown", "other"),
    ]


@pytest.mark.parametrize(
    ("address", "kept"),
    [
        ("203.0.113.77", "203.0.113.0"),
        ("203.0.113.77:51234", "203.0.113.0"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::"),
        ("[2001:db8:1:2::1]:443", "2001:db8:1::"),
        ("::ffff:203.0.113.77", "203.0.113.0"),
        ("fe80::1%eth0", "fe80::"),
        ("", "-"),
        ("unix:", "-"),
        ("Ottilie", "-"),
        ("1.2.3.4, 5.6.7.8", "-"),
    ],
)
def test_an_address_is_shortened_to_its_network(address: str, kept: str) -> None:
    assert shortened(address) == kept


def test_the_address_is_the_callers_behind_a_proxy_too(
    make_services: Callable[..., Services], lines: Lines
) -> None:
    services = make_services(CHALLENGE_REQUEST_LOG="on", CHALLENGE_TRUSTED_PROXIES="1")
    client = create_app(services).test_client()
    client.get("/healthz", headers={"X-Forwarded-For": "192.0.2.1, 198.51.100.9"})
    assert [line["address"] for line in lines()] == ["198.51.100.0"]


def test_the_line_says_by_which_way_the_caller_is_known(app: Flask, lines: Lines) -> None:
    api = Api(app.test_client(use_cookies=False))
    mia = api.signed("Mia")
    mia.get("/api/v1/me")
    browser_of(app, mia.player).get("/me")
    assert [line["caller"] for line in lines()] == ["none", "bearer", "cookie"]


def test_a_refused_move_says_why(app: Flask, lines: Lines) -> None:
    mia = Api(app.test_client(use_cookies=False)).signed()
    mia.post(game())
    lines()
    mia.post(game(tail="roll"), {"ply": 0, "hold": [1]})
    mia.post(game(tail="roll"), {"ply": 5, "hold": []})
    mia.post(game(tail="score"), {"ply": 0, "box": "chance"})
    mia.get("/api/v1/me/stats?ruleset=none")
    refused = [line.get("refused") for line in lines()]
    assert refused == ["first_roll_takes_all_dice", "ply_conflict", "roll_first", None]


def test_a_store_that_is_away_is_a_warning_with_the_class_of_its_cause(
    clock: Clock, lines: Lines
) -> None:
    settings = make_settings("redis://127.0.0.1:1/0", CHALLENGE_REQUEST_LOG="on")
    client = create_app(bootstrap.build(settings, clock)).test_client()
    assert client.get("/readyz").status_code == 503
    line = next(line for line in lines() if "route" in line)
    assert (line["status"], line["level"], line["cause"]) == (503, "warning", "ConnectionError")


@pytest.mark.parametrize(("language", "words"), [("en", "name this request"), ("de", "Anfrage")])
def test_the_page_of_a_failure_names_the_request(
    clock: Clock, lines: Lines, language: str, words: str
) -> None:
    settings = make_settings("redis://127.0.0.1:1/0", CHALLENGE_REQUEST_LOG="on")
    client = create_app(bootstrap.build(settings, clock)).test_client()
    answer = client.get("/", headers={"Accept-Language": language})
    assert answer.status_code == 503
    assert f"{answer.headers['Request-Id']}" in answer.text
    assert words in answer.text
    assert answer.headers["Request-Id"] in [line.get("request") for line in lines()]


def test_a_page_that_is_only_missing_names_none(app: Flask) -> None:
    answer = app.test_client().get("/nope")
    assert answer.headers["Request-Id"] not in answer.text


def test_a_bug_is_an_error_with_its_class_and_its_place(app: Flask, lines: Lines) -> None:
    app.add_url_rule("/bug/<name>", "bug", _fail)
    answer = app.test_client().get("/bug/Ottilie?q=Ottilie")
    told, line = lines()
    assert answer.status_code == 500
    assert (line["status"], line["level"], line["cause"]) == (500, "error", "ValueError")
    assert (told["level"], told["error"]) == ("error", "ValueError")
    assert any("_fail" in place for place in told["trace"])
    assert "Ottilie" not in json.dumps([told, line])


def test_a_failure_past_the_error_handlers_is_told_without_a_path(app: Flask, lines: Lines) -> None:
    app.add_url_rule("/bug/<name>", "bug", lambda name: "fine")
    app.after_request(lambda answer: _fail("Ottilie"))
    answer = app.test_client().get("/bug/Ottilie?q=Ottilie")
    assert answer.status_code == 500
    found = lines()
    (line,) = [line for line in found if "route" in line]
    assert (line["route"], line["status"], line["level"]) == ("/bug/<name>", 500, "error")
    assert [line["error"] for line in found if "trace" in line] == ["ValueError"] * 2
    assert "Ottilie" not in json.dumps(found)


def test_nothing_is_sent_for_a_head_or_an_unchanged_answer(app: Flask, lines: Lines) -> None:
    client = app.test_client()
    found = client.get("/api/v1/rulesets")
    client.head("/api/v1/rulesets")
    again = client.get("/api/v1/rulesets", headers={"If-None-Match": found.headers["ETag"]})
    assert again.status_code == 304
    assert [line["bytes"] for line in lines()] == [len(found.data), 0, 0]


def test_where_it_is_off_there_are_no_lines_but_ids(
    make_services: Callable[..., Services], capfd: pytest.CaptureFixture[str]
) -> None:
    client = create_app(make_services(CHALLENGE_REQUEST_LOG="off")).test_client()
    assert ID.fullmatch(client.get("/healthz").headers["Request-Id"])
    assert capfd.readouterr().err == ""


def _fail(name: str) -> Any:
    raise ValueError(name)
