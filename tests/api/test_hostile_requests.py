"""A run of hostile requests: not one of them is an error of the server."""

from __future__ import annotations

from collections import Counter

import pytest
from flask import Flask
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.contract import Api, game
from tests.hostile import (
    BODIES,
    FORMS,
    HEADERS,
    METHODS,
    PATHS,
    QUERIES,
    Hostile,
    requests,
    signed,
    status_of,
)  # fmt: skip

MANY = 900


def run(app: Flask, token: str) -> Counter[int]:
    """All of them, by a stranger and by a player; how often each status came."""
    seen: Counter[int] = Counter()
    found = list(requests())
    for request in (*found, *signed(found[::3], token)):
        status = status_of(app, request.environ())
        assert status < 500, request
        seen[status] += 1
    return seen


def test_no_hostile_request_is_an_error_of_the_server(app: Flask, mia: Api) -> None:
    mia.post(game())
    seen = run(app, mia.token or "")
    assert seen.total() > MANY
    assert {200, 400, 401, 404, 405, 413, 415} <= set(seen), seen
    assert mia.get(game()).status_code == 200


def test_no_hostile_request_gets_by_two_proxies(make_services, valkey) -> None:
    from challenge.web import create_app

    app = create_app(
        make_services(CHALLENGE_TRUSTED_PROXIES="2", CHALLENGE_BASE_URL="https://dice.example.org")
    )
    for request in list(requests())[::4]:
        assert status_of(app, request.environ()) < 500, request


latin = st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=60)
targets = st.one_of(
    st.sampled_from(PATHS),
    st.tuples(st.sampled_from(PATHS), st.sampled_from(QUERIES)).map("".join),
    latin.map(lambda text: "/" + text.replace(" ", "+")),
)
names = st.one_of(st.sampled_from([name for name, _ in HEADERS]), st.just("Cookie"))
hostile = st.builds(
    Hostile,
    st.sampled_from(("GET", *METHODS)),
    targets,
    st.lists(st.one_of(st.sampled_from(HEADERS), st.tuples(names, latin)), max_size=4).map(tuple),
    st.one_of(st.sampled_from(BODIES + FORMS), st.binary(max_size=200)),
)


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_no_random_request_is_an_error_of_the_server(app: Flask) -> None:
    @settings(max_examples=20_000, deadline=None, suppress_health_check=list(HealthCheck))
    @given(hostile)
    def hold(request: Hostile) -> None:
        assert status_of(app, request.environ()) < 500

    hold()
