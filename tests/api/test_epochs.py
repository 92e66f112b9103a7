"""A token is of an epoch: once another one began, it is nobody's, wherever it is sent."""

from __future__ import annotations

import pytest
from flask import Flask

from challenge.service.services import Services
from challenge.web import identity
from tests.api.contract import Api, game, play, problem
from tests.api.dump import dump


@pytest.fixture
def voided(mia: Api, services: Services) -> Api:
    """A player in the middle of a game, whose token is one of the epoch before."""
    play(mia, turns=2)
    services.store.players.next_epoch(mia.player)
    return mia


@pytest.mark.parametrize(
    ("method", "url", "body"),
    [
        ("GET", "/api/v1/me", None),
        ("PATCH", "/api/v1/me", {"name": "Mia"}),
        ("GET", game(), None),
        ("POST", game(), None),
        ("POST", game(ruleset="yatzy"), None),
        ("POST", game(tail="roll"), {"ply": 4, "hold": []}),
        ("POST", game(tail="score"), {"ply": 4, "box": "chance"}),
        ("GET", game(tail="share"), None),
    ],
)
def test_a_token_of_the_epoch_before_is_nobody(
    voided: Api, valkey_url: str, method: str, url: str, body: object
) -> None:
    before = dump(valkey_url)
    more = {} if body is None else {"json": body}
    problem(voided.call(method, url, **more), "not-signed", 401)
    assert dump(valkey_url) == before


def test_a_token_of_the_new_epoch_is_the_same_player(voided: Api, app: Flask) -> None:
    with app.app_context():
        token = identity.token(voided.player, 1)
    again = Api(voided.client, token, voided.player)
    assert again.get(game()).json["ply"] == 4
    assert play(again)["finished"]


def test_an_epoch_ahead_is_nobody_either(mia: Api, app: Flask) -> None:
    play(mia, turns=1)
    with app.app_context():
        token = identity.token(mia.player, 7)
    problem(Api(mia.client, token).get(game()), "not-signed", 401)


def test_an_erased_player_is_nobody(seated: Api, services: Services, valkey_url: str) -> None:
    services.store.players.mark_gone(seated.player)
    before = dump(valkey_url)
    for method, url, body in (
        ("GET", "/api/v1/me", None),
        ("POST", game(ruleset="yatzy"), None),
        ("PATCH", "/api/v1/me", {"name": "Mia"}),
    ):
        more = {} if body is None else {"json": body}
        problem(seated.call(method, url, **more), "not-signed", 401)
    assert dump(valkey_url) == before
