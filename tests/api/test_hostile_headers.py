"""Headers no honest client sends: refused or ignored, never an error of the server."""

from __future__ import annotations

import pytest

from tests.api.contract import Api, game, play, problem

HOSTS = ["a b", '"><script>', "", "[::1", "localhost:99999999", "localhost:abc", "é.example"]
HOSTS += ["..", "a..b", "x" * 5000, "a/b", "user@host", "\x00"]
HEADERS = [
    *(
        ("Accept-Language", value)
        for value in ("*", "de;q=abc", "en;q=-1", "x" * 4000, "\xff", "de;q=1e999", "de;q=nan")
    ),
    *(("Accept-Language", value) for value in ("'\"", ",,,;;;", "de;q=0", "-", "*;q=0.5, de")),
    *(
        ("Cookie", f"samedice_player{value}")
        for value in ("", "=", '="a\\"b"', "=x; samedice_player=y", "=\xff", "=" + "x" * 6000)
    ),
    *(("Cookie", value) for value in ("=;;=", "\xff=\xfe", ";" * 2000, "lang=xx")),
    *(("If-None-Match", value) for value in ("*", "W/", '"', "x" * 3000, "\xff", '"a", W/"b"')),
    *(("Authorization", value) for value in ("Bearer", "Bearer  ", "\xff", "Bearer \xff", "b")),
    ("If-Modified-Since", "nonsense"),
    ("Range", "bytes=0-5"),
    ("Range", "bytes=99999-"),
    ("Content-Length", "abc"),
    ("Content-Length", "-1"),
    ("Accept", "application/xml"),
    ("Accept-Encoding", "gzip;q=0,identity;q=0"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("X-Forwarded-Host", "evil.example"),
    ("X-Forwarded-For", "\xff"),
    ("Origin", "http://[::1"),
    ("Origin", "\xff"),
    ("Sec-Fetch-Site", "\xff"),
]
CALLS = [
    ("GET", "/api/v1/rulesets/yacht"),
    ("GET", "/api/v1/challenges/today/yacht"),
    ("GET", game()),
    ("GET", "/api/v1/me"),
    ("POST", "/api/v1/players"),
    ("POST", game()),
    ("GET", "/healthz"),
    ("GET", "/"),
    ("GET", "/nowhere"),
]


@pytest.mark.parametrize("host", HOSTS, ids=lambda host: ascii(host[:20]))
def test_what_can_be_no_host_is_a_bad_request(mia: Api, host: str) -> None:
    for method, url in CALLS:
        response = mia.client.open(url, method=method, headers={"Host": host})
        assert response.status_code == 400, (method, url)
    problem(mia.client.get("/api/v1/me", headers={"Host": host}), "bad-request", 400)


@pytest.mark.parametrize(("name", "value"), HEADERS, ids=lambda text: ascii(text[:20]))
def test_a_hostile_header_is_never_an_error_of_the_server(mia: Api, name: str, value: str) -> None:
    for method, url in CALLS:
        for caller in (mia, Api(mia.client)):
            headers = {"Authorization": f"Bearer {caller.token}"} if caller.token else {}
            response = mia.client.open(url, method=method, headers={**headers, name: value})
            assert response.status_code < 500, (method, url)
            assert response.status_code != 206


def test_a_forwarded_host_is_not_believed_without_a_proxy(mia: Api) -> None:
    play(mia, ruleset="generala")
    forwarded = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https"}
    text = mia.get(game(ruleset="generala", tail="share"), headers=forwarded).text
    assert text.endswith("\nhttp://localhost/2026-11-30/generala")
