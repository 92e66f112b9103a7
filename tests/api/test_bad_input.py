"""Bad input of every kind: its problem document, and nothing changed in Redis."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from itsdangerous import TimestampSigner

from challenge.service.services import Services
from tests.api.contract import TODAY, Api, board, game, play, problem
from tests.api.dump import dump

ROLL = game(tail="roll")
SCORE = game(tail="score")
ORDER = game(ruleset="yatzy-order", tail="score")
ME = "/api/v1/me"
PLAYERS = "/api/v1/players"
JSON = {"Content-Type": "application/json"}
MUTATING = [("POST", ROLL), ("POST", SCORE), ("PATCH", ME), ("POST", PLAYERS)]


@pytest.fixture
def unchanged(valkey_url: str) -> Iterator[None]:
    """The test leaves all of Redis as it was."""
    before = dump(valkey_url)
    yield
    assert dump(valkey_url) == before


@pytest.fixture
def seated(api: Api) -> Api:
    """A player with dice on the table: today's default sheet and one in fixed order."""
    player = api.signed("Mia")
    for ruleset in ("yacht", "yatzy-order"):
        player.post(game(ruleset=ruleset))
        player.post(game(ruleset=ruleset, tail="roll"), {"ply": 0, "hold": []})
    return player


def raw(api: Api, method: str, url: str, data: bytes, **headers: str) -> Any:
    """A request with a body of one's own making."""
    return api.call(method, url, data=data, headers={**JSON, **headers})


# -- paths --------------------------------------------------------------------------------


@pytest.mark.parametrize("date", ["2026-02-30", "today ", "2026-11-31", "0000-01-01", "%00", "é"])
@pytest.mark.parametrize("tail", ["", "/roll", "/score"])
def test_an_unknown_date(seated: Api, unchanged: None, date: str, tail: str) -> None:
    body = {"/roll": {"ply": 1, "hold": []}, "/score": {"ply": 1, "box": "chance"}}.get(tail)
    problem(seated.post(f"{game(date)}{tail}", body), "bad-request", 400)


@pytest.mark.parametrize("sheet", ["nope", "YACHT", "%00", "x" * 1000, "yacht%20", "é", "..%2Fx"])
@pytest.mark.parametrize("tail", ["", "/roll", "/score"])
def test_an_unknown_sheet(seated: Api, unchanged: None, sheet: str, tail: str) -> None:
    body = {"/roll": {"ply": 1, "hold": []}, "/score": {"ply": 1, "box": "chance"}}.get(tail)
    response = seated.post(f"/api/v1/challenges/{TODAY}/{sheet}/game{tail}", body)
    slug = "not-found" if "%2F" in sheet else "unknown-ruleset"
    problem(response, slug, 404)


# -- bodies -------------------------------------------------------------------------------

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


# -- moves --------------------------------------------------------------------------------


@pytest.mark.parametrize("ply", [2, 3, 77, 2**31 - 1])
def test_a_ply_ahead(seated: Api, unchanged: None, ply: int) -> None:
    now = seated.get(game()).json
    problem(seated.post(ROLL, {"ply": ply, "hold": []}), "ply-conflict", 409, game=now)
    problem(seated.post(SCORE, {"ply": ply, "box": "chance"}), "ply-conflict", 409, game=now)


def test_a_ply_behind(seated: Api, unchanged: None) -> None:
    now = seated.get(game()).json
    problem(seated.post(ROLL, {"ply": 0, "hold": [1]}), "ply-conflict", 409, game=now)
    problem(seated.post(SCORE, {"ply": 0, "box": "chance"}), "ply-conflict", 409, game=now)


@pytest.fixture
def variants(seated: Api, api: Api) -> dict[str, Callable[[], Any]]:
    """Reason -> a call the rules forbid for it, all set up."""
    for ply in (1, 2):
        seated.post(ROLL, {"ply": ply, "hold": []})
    fresh = api.signed()
    fresh.post(game())
    filled = api.signed()
    play(filled, turns=1)
    filled.post(ROLL, {"ply": 2, "hold": []})
    done = api.signed()
    end = play(done, ruleset="generala")["ply"]
    generala = game(ruleset="generala", tail="roll")
    return {
        "roll_first": lambda: fresh.post(SCORE, {"ply": 0, "box": "chance"}),
        "first_roll_takes_all_dice": lambda: fresh.post(ROLL, {"ply": 0, "hold": [0]}),
        "no_rolls_left": lambda: seated.post(ROLL, {"ply": 3, "hold": []}),
        "nothing_to_roll": lambda: filled.post(ROLL, {"ply": 3, "hold": [0, 1, 2, 3, 4]}),
        "box_filled": lambda: filled.post(SCORE, {"ply": 3, "box": "ones"}),
        "box_barred": lambda: seated.post(ORDER, {"ply": 1, "box": "twos"}),
        "game_finished": lambda: done.post(generala, {"ply": end, "hold": []}),
    }


@pytest.mark.parametrize(
    "reason",
    [
        "roll_first",
        "first_roll_takes_all_dice",
        "no_rolls_left",
        "nothing_to_roll",
        "box_filled",
        "box_barred",
        "game_finished",
    ],
)
def test_what_the_rules_forbid(
    variants: dict[str, Callable[[], Any]], valkey_url: str, reason: str
) -> None:
    before = dump(valkey_url)
    problem(variants[reason](), "illegal-action", 422, reason=reason)
    assert dump(valkey_url) == before


# -- signatures ---------------------------------------------------------------------------


def other_character(value: str, at: int) -> str:
    """The value with one character changed; a middle one, since the last has spare bits."""
    return value[:at] + ("A" if value[at] != "A" else "B") + value[at + 1 :]


def forgeries(token: str, services: Services) -> dict[str, str]:
    """Values that look like a player's and are none."""
    player, stamp, signature = token.rsplit(".", 2)
    middle = len(player) + len(stamp) + 2 + len(signature) // 2
    keys = list(services.signing_keys)
    signed = {
        salt: TimestampSigner(keys, salt=salt).sign(player).decode()
        for salt in ("samedice.invite", "samedice.transfer", "samedice.fresh", "itsdangerous")
    }
    return {
        "the signature altered": other_character(token, middle),
        "the player altered": other_character(token, len(player) // 2),
        "the time altered": other_character(token, len(player) + 2),
        "truncated": token[:-5],
        "without its signature": f"{player}.{stamp}",
        "the player alone": player,
        "an empty signature": f"{player}.{stamp}.",
        "two signatures": f"{token}.{signature}",
        "a signature of another key": TimestampSigner(b"x" * 32).sign(player).decode(),
        "nothing": "",
        "dots": "...",
        "10,000 characters": token * 100,
        "no ASCII": token[:-5] + "éééé",
        **{f"the salt {salt}": value for salt, value in signed.items()},
    }


KINDS = list(forgeries("a.b.c" * 9, type("Keys", (), {"signing_keys": (b"k" * 32,)})()))


@pytest.mark.parametrize("way", ["bearer", "cookie"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_forged_player(
    seated: Api, services: Services, unchanged: None, kind: str, way: str
) -> None:
    assert seated.token
    value = forgeries(seated.token, services)[kind]
    headers = (
        {"Authorization": f"Bearer {value}"}
        if way == "bearer"
        else {"Cookie": f"samedice_player={value}", "Sec-Fetch-Site": "same-origin"}
    )
    nobody = Api(seated.client)
    problem(nobody.get(ME, headers=headers), "not-signed", 401)
    problem(nobody.patch(ME, {"name": "Eve"}, headers=headers), "not-signed", 401)
    problem(nobody.post(game(), headers=headers), "not-signed", 401)
    problem(nobody.post(ROLL, {"ply": 1, "hold": []}, headers=headers), "not-signed", 401)
    problem(nobody.get(board(tail="leaderboard?around=me"), headers=headers), "not-signed", 401)


def test_a_forged_player_reads_what_everybody_reads(seated: Api) -> None:
    response = Api(seated.client, "forged.forged.forged").get(board(tail="leaderboard"))
    assert (response.status_code, response.json["me"]) == (200, None)


# -- names --------------------------------------------------------------------------------

NAMES = {
    "nothing": "",
    "a blank": " ",
    "zero width": "\u200b",
    "zero width inside": "Mi\u200ba",
    "joiners": "\u200d\u200c",
    "10,000 characters": "x" * 10_000,
    "3,000 characters": "x" * 3_000,
    "25 characters": "x" * 25,
    "direction marks": "\u202eaiM",
    "isolates": "\u2066Mia\u2069",
    "stacked accents": "Z" + "\u0301" * 30 + "a",
    "an accent first": "\u0301a",
    "an accent first once normalised": "\u00b4<",
    "accents alone": "\u0301\u0301",
    "a control": "Mi\x07a",
    "a null": "Mi\x00a",
    "a line break": "Mi\na",
    "a tab": "Mi\ta",
    "a soft hyphen": "Mi\u00ada",
    "a braille blank": "\u2800",
    "hangul fillers": "\u3164\u3164",
    "tags": "Mia\U000e0041",
    "private use": "\ue000",
    "unassigned": "\U000e0fff",
    "variation selectors": "\ufe0f",
}


@pytest.mark.parametrize("kind", NAMES)
def test_a_hostile_name(seated: Api, unchanged: None, kind: str) -> None:
    slug, status = ("too-large", 413) if kind.startswith("10,000") else ("bad-request", 400)
    problem(seated.patch(ME, {"name": NAMES[kind]}), slug, status)
    problem(seated.post(PLAYERS, {"name": NAMES[kind]}), slug, status)


@pytest.mark.parametrize("name", [None, 1, True, 1.5, [], ["Mia"], {"name": "Mia"}])
def test_a_name_that_is_no_text(seated: Api, unchanged: None, name: Any) -> None:
    problem(seated.patch(ME, {"name": name}), "bad-request", 400)
    problem(seated.post(PLAYERS, {"name": name}), "bad-request", 400)


def test_markup_in_a_name_is_text_like_any_other(seated: Api) -> None:
    name = "<b onclick=x>&amp;"
    assert seated.patch(ME, {"name": name}).json["player"]["name"].startswith(f"{name}·")
