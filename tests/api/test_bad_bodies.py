"""Bad bodies: the problem document of each, and nothing changed in Redis."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask import Flask

from tests.api.contract import Api, game, problem

ROLL = game(tail="roll")
SCORE = game(tail="score")
ME = "/api/v1/me"
PLAYERS = "/api/v1/players"
JSON = {"Content-Type": "application/json"}
MUTATING = [("POST", ROLL), ("POST", SCORE), ("PATCH", ME), ("POST", PLAYERS)]


def raw(api: Api, method: str, url: str, data: bytes, **headers: str) -> Any:
    """A request with a body of one's own making."""
    return api.call(method, url, data=data, headers={**JSON, **headers})


ROLLS: list[Any] = [
    {},
    {"ply": 1},
    {"hold": []},
    {"ply": 1, "hold": [], "more": 1},
    {"ply": 1, "hold": None},
    {"ply": 1, "hold": {}},
    {"ply": 1, "hold": "0"},
    {"ply": 1, "hold": 0},
    {"ply": 1, "hold": ["0"]},
    {"ply": 1, "hold": [True]},
    {"ply": 1, "hold": [0.0]},
    {"ply": 1, "hold": [0.5]},
    {"ply": 1, "hold": [None]},
    {"ply": 1, "hold": [[0]]},
    {"ply": 1, "hold": [5]},
    {"ply": 1, "hold": [6]},
    {"ply": 1, "hold": [-1]},
    {"ply": 1, "hold": [10**30]},
    {"ply": 1, "hold": [0, 0]},
    {"ply": 1, "hold": [0, 1, 2, 3, 4, 5]},
    {"ply": 1, "hold": [0] * 1000},
    {"ply": True, "hold": []},
    {"ply": "1", "hold": []},
    {"ply": 1.0, "hold": []},
    {"ply": 1.5, "hold": []},
    {"ply": None, "hold": []},
    {"ply": [], "hold": []},
    {"ply": -1, "hold": []},
    {"ply": 2**31, "hold": []},
    {"ply": 2**63, "hold": []},
    {"ply": 10**400, "hold": []},
    [],
    [1, []],
    "roll",
    1,
    True,
]
SCORES: list[Any] = [
    {},
    {"ply": 1},
    {"box": "chance"},
    {"ply": 1, "box": "chance", "more": 1},
    {"ply": 1, "box": "nope"},
    {"ply": 1, "box": ""},
    {"ply": 1, "box": "Chance"},
    {"ply": 1, "box": "1:chance"},
    {"ply": 1, "box": "chance\x00"},
    {"ply": 1, "box": "chánce"},
    {"ply": 1, "box": "x" * 41},
    {"ply": 1, "box": "x" * 3000},
    {"ply": 1, "box": None},
    {"ply": 1, "box": 12},
    {"ply": 1, "box": True},
    {"ply": 1, "box": 1.5},
    {"ply": 1, "box": ["chance"]},
    {"ply": 1, "box": {"chance": 1}},
    {"ply": True, "box": "chance"},
    {"ply": 1.5, "box": "chance"},
    {"ply": -1, "box": "chance"},
    {"ply": 10**400, "box": "chance"},
    [],
    "score",
]


@pytest.mark.parametrize("body", ROLLS, ids=repr)
def test_a_roll_of_the_wrong_shape(seated: Api, unchanged: None, body: Any) -> None:
    problem(seated.post(ROLL, body), "bad-request", 400)


@pytest.mark.parametrize("body", SCORES, ids=repr)
def test_an_entry_of_the_wrong_shape(seated: Api, unchanged: None, body: Any) -> None:
    problem(seated.post(SCORE, body), "bad-request", 400)


BROKEN = {
    "empty": b"",
    "a blank": b" ",
    "null": b"null",
    "half": b'{"ply": 1, "hold": [',
    "two documents": b'{"ply": 1, "hold": []}{}',
    "single quotes": b"{'ply': 1, 'hold': []}",
    "a trailing comma": b'{"ply": 1, "hold": [],}',
    "NaN": b'{"ply": NaN, "hold": []}',
    "Infinity": b'{"ply": Infinity, "hold": []}',
    "an exponent": b'{"ply": 1e999, "hold": []}',
    "a huge exponent": b'{"ply": 1e99999999999999999999, "hold": []}',
    "invalid UTF-8": b'{"ply": 1, "hold": [], "\xff": 1}',
    "invalid UTF-8 in a value": b'{"ply": 1, "box": "\xc3\x28", "name": "\xc3\x28"}',
    "a lone surrogate": b'{"ply": 1, "box": "\\ud800", "name": "\\ud800"}',
    "UTF-16": '{"ply": 1, "hold": []}'.encode("utf-16"),
    "a byte order mark": b'\xef\xbb\xbf{"ply": 1, "hold": []}',
    "deep lists": b'{"ply": 1, "hold": ' + b"[" * 2000 + b"]" * 2000 + b"}",
    "deep objects": b'{"a":' * 600 + b"1" + b"}" * 600,
    "deep and unclosed": b"[" * 4096,
    "binary": bytes(range(256)),
    "a form": b"ply=1&hold=0",
}


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize(("method", "url"), MUTATING)
def test_a_body_that_is_no_proper_json(
    seated: Api, unchanged: None, method: str, url: str, kind: str
) -> None:
    problem(raw(seated, method, url, BROKEN[kind]), "bad-request", 400)


@pytest.mark.parametrize(("method", "url"), MUTATING)
@pytest.mark.parametrize("length", [4097, 5000, 1_000_000])
def test_a_body_over_four_kilobytes(
    seated: Api, unchanged: None, method: str, url: str, length: int
) -> None:
    body = b'{"ply": 1, "hold": []' + b" " * (length - 22) + b"}"
    assert len(body) == length
    problem(raw(seated, method, url, body), "too-large", 413)


def test_a_body_over_four_kilobytes_that_hides_its_length(app: Flask, seated: Api) -> None:
    response = app.test_client().open(
        ROLL,
        method="POST",
        input_stream=io.BytesIO(b" " * 10_000),
        headers={**JSON, "Authorization": f"Bearer {seated.token}", "Transfer-Encoding": "chunked"},
        environ_overrides={"wsgi.input_terminated": True},
    )
    problem(response, "too-large", 413)


def test_a_game_is_begun_without_a_large_body(seated: Api, unchanged: None) -> None:
    problem(raw(seated, "POST", game(ruleset="yams"), b"x" * 5000), "too-large", 413)


def test_a_body_of_four_kilobytes_is_read(seated: Api) -> None:
    body = b'{"ply": 1, "hold": []' + b" " * (4096 - 22) + b"}"
    assert raw(seated, "POST", ROLL, body).status_code == 200


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "application/problem+json",
        "json",
        "",
        "application/json2",
        "\xff",
    ],
)
@pytest.mark.parametrize(("method", "url"), MUTATING)
def test_a_wrong_content_type(
    seated: Api, unchanged: None, method: str, url: str, kind: str
) -> None:
    response = raw(seated, method, url, b'{"ply": 1, "hold": []}', **{"Content-Type": kind})
    problem(response, "wrong-type", 415)


def test_a_charset_may_be_named(seated: Api) -> None:
    kind = {"Content-Type": "application/json; charset=utf-8"}
    assert raw(seated, "POST", ROLL, b'{"ply": 1, "hold": []}', **kind).status_code == 200


@pytest.mark.parametrize(
    "body",
    [b'{"ply": 1, "ply": 1, "hold": []}', b'{"ply": 9, "hold": [], "ply": 1, "hold": [0]}'],
)
def test_duplicate_keys_are_never_an_error_of_the_server(seated: Api, body: bytes) -> None:
    assert raw(seated, "POST", ROLL, body).status_code in (200, 400)
