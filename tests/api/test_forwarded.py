"""Forged X-Forwarded-For: no limit is evaded by it, and nobody else's is used up.

Played through 0, 1 and 2 proxies, each of which appends the address it sees.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from werkzeug.datastructures import Headers
from werkzeug.test import TestResponse

from challenge.web import create_app
from challenge.web.proxies import address
from tests.api.contract import TODAY
from tests.api.test_devices import TAKE

ATTACKER, VICTIM = "203.0.113.7", "198.51.100.9"
PROXIES = ("10.0.0.1", "10.0.0.2")  # the outer and the inner
FORGED: tuple[tuple[str, ...], ...] = (
    (),
    (VICTIM,),
    ("1.1.1.1", "2.2.2.2"),
    (f"1.1.1.1, {VICTIM}",),
    ('"',),
    (f'"{VICTIM}',),
    (f'{VICTIM}, "',),
    ('"a', 'b"'),
    ("\\",),
    (",",),
    (",,,,",),
    ("",),
    (" ",),
    ("unknown",),
    ("_hidden",),
    ("[::1]:80",),
    ("[",),
    ("::1%eth0",),
    (f"{VICTIM}:80",),
    ("x" * 3000,),
    ("1.1.1.1," * 300,),
    ("\xff",),
    ("'; DROP TABLE",),
)
ALLOWED = 2
Ask = Callable[[Flask, Headers, str], TestResponse]


def sent(hops: int, client: str, forged: tuple[str, ...] = ()) -> tuple[Headers, str]:
    """Headers and peer of a request as it reaches us through so many proxies."""
    headers = Headers([("X-Forwarded-For", value) for value in forged])
    chain = [client, *PROXIES[:hops]]
    for seen in chain[:-1]:
        values = [*headers.getlist("X-Forwarded-For"), seen]
        headers.setlist("X-Forwarded-For", [", ".join(values)])
    return headers, chain[-1]


def arrive(app: Flask, headers: Headers, peer: str) -> TestResponse:
    """A new player."""
    return _open(app, "POST", "/api/v1/players", headers, peer)


def guess(app: Flask, headers: Headers, peer: str) -> TestResponse:
    """A wrong code."""
    return _open(app, "POST", TAKE, headers, peer, json={"code": "0000-0000"})


def read(app: Flask, headers: Headers, peer: str) -> TestResponse:
    """A page."""
    return _open(app, "GET", "/rules", headers, peer)


def _open(
    app: Flask, method: str, path: str, headers: Headers, peer: str, **more: Any
) -> TestResponse:
    client = app.test_client(use_cookies=False)
    over = {"REMOTE_ADDR": peer}
    return client.open(path, method=method, headers=headers, environ_overrides=over, **more)


@pytest.fixture
def site(make_services: Callable[..., Any]) -> Callable[[int], Flask]:
    """A service behind so many proxies that allows two of each."""
    names = ("IDENTITIES_PER_DAY", "GUESSES_PER_HOUR", "PAGES_PER_MINUTE")
    limits = {f"CHALLENGE_{name}": str(ALLOWED) for name in names}
    return lambda hops: create_app(make_services(CHALLENGE_TRUSTED_PROXIES=str(hops), **limits))


@pytest.mark.parametrize("hops", [0, 1, 2])
@pytest.mark.parametrize("ask", [arrive, guess, read])
def test_no_forged_header_evades_a_limit(site: Callable[[int], Flask], ask: Ask, hops: int) -> None:
    app = site(hops)
    answers = [ask(app, *sent(hops, ATTACKER, forged)).status_code for forged in FORGED]
    assert 429 not in answers[:ALLOWED]
    assert set(answers[ALLOWED:]) == {429}


@pytest.mark.parametrize("hops", [0, 1, 2])
@pytest.mark.parametrize("ask", [arrive, guess, read])
def test_no_forged_header_uses_up_the_limit_of_another(
    site: Callable[[int], Flask], ask: Ask, hops: int
) -> None:
    app = site(hops)
    for forged in FORGED:
        ask(app, *sent(hops, ATTACKER, forged))
    answers = [ask(app, *sent(hops, VICTIM)).status_code for _ in range(ALLOWED + 1)]
    assert [answer == 429 for answer in answers] == [False, False, True]


def test_who_comes_round_a_proxy_is_known_by_the_peer(site: Callable[[int], Flask]) -> None:
    """Two are counted, but only one value is there: what it names is not believed."""
    app = site(2)
    for forged in ((VICTIM,), (), ("1.1.1.1",)):
        arrive(app, Headers([("X-Forwarded-For", value) for value in forged]), ATTACKER)
    alone = Headers()
    assert arrive(app, alone, ATTACKER).status_code == 429
    assert arrive(app, *sent(2, VICTIM)).status_code == 201


@pytest.mark.parametrize("hops", [1, 2])
def test_networks_and_ports_are_told_apart_behind_proxies_too(
    site: Callable[[int], Flask], hops: int
) -> None:
    app = site(hops)
    same = ("[2001:db8:1:2::5]:4711", "2001:db8:1:2:ffff::1", "2001:DB8:1:2::9")
    assert [arrive(app, *sent(hops, one)).status_code for one in same] == [201, 201, 429]
    assert arrive(app, *sent(hops, "2001:db8:1:3::5")).status_code == 201
    same = (VICTIM, f"{VICTIM}:4711", f"::ffff:{VICTIM}")
    assert [arrive(app, *sent(hops, one)).status_code for one in same] == [201, 201, 429]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("203.0.113.7:80", "203.0.113.7"),
        ("[2001:db8::1]:80", "2001:db8::1"),
        ("2001:db8::1", "2001:db8::1"),
        *((text, "None") for text in ("", "[", "[::1", "a:b", "1.2.3", "0x7f.1", "1.2.3.4.5")),
        *((text, "None") for text in ("unknown", '"1.1.1.1"', "1.1.1.1 ", "\xff", "١.1.1.1")),
    ],
)
def test_what_is_an_address(text: str, found: str) -> None:
    assert str(address(text)) == found


def test_the_name_of_the_host_is_taken_from_the_counted_proxy_alone(
    site: Callable[[int], Flask],
) -> None:
    for hops, host in ((0, "localhost"), (1, "dice.example.org")):
        app = site(hops)
        headers, peer = sent(hops, VICTIM)
        headers.set("X-Forwarded-Host", "dice.example.org")
        headers.set("X-Forwarded-Proto", "https")
        text = _open(app, "GET", f"/{TODAY}/yacht", headers, peer).text
        assert f"//{host}/picture.png" in text, hops
