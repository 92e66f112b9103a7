"""Guessing codes: an address has so many wrong ones in an hour, whoever it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from werkzeug.test import TestResponse

from challenge.service.services import Services
from challenge.store.limits import Limits
from challenge.store.link import Link
from challenge.web import create_app
from tests.api.contract import Api, problem
from tests.api.crowds import crowd
from tests.api.dump import dump
from tests.api.test_devices import OFFER, TAKE

HERE = "203.0.113.7"
ALLOWED = 3
GUESSERS = 24


@pytest.fixture
def services(make_services: Callable[..., Services]) -> Services:
    """Services that allow few wrong guesses."""
    return make_services(CHALLENGE_GUESSES_PER_HOUR=str(ALLOWED))


def guess(api: Api, code: str = "0000-0000", address: str = HERE) -> TestResponse:
    """A code entered from an address."""
    return Api(api.client).post(TAKE, {"code": code}, environ_overrides={"REMOTE_ADDR": address})


def counted(valkey_url: str) -> list[Any]:
    """What Redis holds of guesses: type, value, whether it ends by itself."""
    kept = dump(valkey_url).items()
    return [value for key, value in kept if key.startswith(b"sd1:limits") and b"guesses" in key]


def used_up(api: Api, address: str = HERE) -> None:
    """Guesses until no more are allowed."""
    for _ in range(ALLOWED):
        problem(guess(api, address=address), "not-found", 404)


def test_after_so_many_wrong_guesses_an_address_has_to_wait(mia: Api) -> None:
    code = mia.post(OFFER).json["code"]
    used_up(mia)
    response = guess(mia)
    problem(response, "too-many-requests", 429)
    assert 0 < int(response.headers["Retry-After"]) <= 3600
    problem(guess(mia, code), "too-many-requests", 429)
    assert guess(mia, code, "203.0.113.8").status_code == 200


def test_right_codes_do_not_count(mia: Api) -> None:
    for _ in range(2 * ALLOWED):
        assert guess(mia, mia.post(OFFER).json["code"]).status_code == 200
    used_up(mia)


def test_the_network_of_an_ipv6_customer_is_one_address(mia: Api) -> None:
    used_up(mia, "2001:db8:1:2::5")
    problem(guess(mia, address="2001:db8:1:2:ffff::9"), "too-many-requests", 429)
    problem(guess(mia, address="2001:db8:1:3::5"), "not-found", 404)


def test_an_ipv4_address_written_as_ipv6_is_the_same(mia: Api) -> None:
    used_up(mia)
    problem(guess(mia, address=f"::ffff:{HERE}"), "too-many-requests", 429)


@pytest.mark.parametrize("address", [HERE, "[2001:db8::5]"])
def test_an_address_with_a_port_is_the_same_without_it(mia: Api, address: str) -> None:
    """As some proxies hand it on."""
    used_up(mia, address.strip("[]"))
    problem(guess(mia, address=f"{address}:50123"), "too-many-requests", 429)
    problem(guess(mia, address="203.0.113.8:50123"), "not-found", 404)
    problem(guess(mia, address="203.0.113.9:50123"), "not-found", 404)


@pytest.mark.parametrize("address", ["", "[", "[::1", "a:b", ":", "1.2.3.4:5:6", "x" * 500])
def test_what_is_no_address_is_limited_as_one(mia: Api, address: str) -> None:
    used_up(mia, address)
    problem(guess(mia, address="nonsense"), "too-many-requests", 429)


def test_what_is_kept_of_an_address_ends_within_the_hour(mia: Api, valkey_url: str) -> None:
    guess(mia)
    assert counted(valkey_url) == [(b"string", b"1", True)]
    assert HERE not in repr(dump(valkey_url).keys())  # a keyed hash of it is


def test_a_limit_that_cannot_be_asked_is_kept_in_memory(mia: Api, services: Services) -> None:
    nowhere = Limits(Link("unix:///nowhere/valkey.sock"))
    client = create_app(replace(services, limits=nowhere)).test_client(use_cookies=False)
    there = Api(client)
    for _ in range(ALLOWED + 1):
        assert guess(there, mia.post(OFFER).json["code"]).status_code == 200
    used_up(there)
    problem(guess(there, mia.post(OFFER).json["code"]), "too-many-requests", 429)


def test_guesses_at_the_same_time_are_no_more_than_guesses_in_turn(
    mia: Api, services: Services
) -> None:
    answers = crowd(services, GUESSERS, lambda api: guess(api).status_code)
    assert answers.count(404) <= ALLOWED
    assert answers.count(404) + answers.count(429) == GUESSERS
    while guess(mia).status_code == 404:  # those who crowded each other out took no guess
        answers.append(404)
    assert answers.count(404) == ALLOWED


def test_who_is_refused_takes_no_further_guess(mia: Api, valkey_url: str) -> None:
    used_up(mia)
    for _ in range(5):
        problem(guess(mia), "too-many-requests", 429)
    assert counted(valkey_url) == [(b"string", str(ALLOWED).encode(), True)]


def test_right_codes_leave_no_guess_of_an_address(mia: Api, valkey_url: str) -> None:
    assert guess(mia, mia.post(OFFER).json["code"]).status_code == 200
    assert counted(valkey_url) == []
