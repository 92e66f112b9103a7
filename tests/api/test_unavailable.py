"""What is answered while Redis is away, or holds a board of another secret."""

from __future__ import annotations

import pytest

from challenge import bootstrap
from challenge.service.services import Services
from challenge.store.keys import BoardId
from challenge.web import create_app
from tests.api.contract import Api, board, game, play, problem
from tests.api.dump import dump
from tests.conftest import Clock, make_settings

CALLS = [
    ("GET", "/api/v1/me", None),
    ("PATCH", "/api/v1/me", {"name": "Mia"}),
    ("POST", "/api/v1/players", {"name": "Mia"}),
    ("GET", "/api/v1/challenges/today", None),
    ("GET", board(), None),
    ("GET", board(tail="leaderboard"), None),
    ("GET", board(tail="leaderboard?around=me"), None),
    ("GET", board(tail="distribution"), None),
    ("GET", board(tail="games/" + "A" * 22), None),
    ("GET", board(tail="hindsight"), None),
    ("GET", board(tail="bots"), None),
    ("GET", game(), None),
    ("POST", game(), None),
    ("POST", game(tail="roll"), {"ply": 0, "hold": []}),
    ("POST", game(tail="score"), {"ply": 0, "box": "chance"}),
    ("GET", game(tail="share"), None),
    ("GET", game(tail="link"), None),
    ("GET", "/readyz", None),
    ("POST", "/api/v1/me/transfer", None),
    ("POST", "/api/v1/me/recovery", None),
    ("POST", "/api/v1/me/sign-out", None),
    ("POST", "/api/v1/transfer", {"code": "0000-0000"}),
    ("POST", "/api/v1/transfer", {"code": "0000-0000-0000-0000-0000"}),
    ("DELETE", "/api/v1/me", None),
    ("GET", "/api/v1/me/stats", None),
    ("GET", "/api/v1/me/export", None),
    ("GET", game(tail="review"), None),
]


@pytest.fixture
def away(mia: Api, clock: Clock) -> Api:
    """A signed-in player whose server cannot reach its Redis."""
    services = bootstrap.build(make_settings("unix:///nowhere/valkey.sock"), clock)
    return Api(create_app(services).test_client(use_cookies=False), mia.token)


@pytest.mark.parametrize(("method", "url", "body"), CALLS)
def test_a_store_that_is_away_is_a_problem_with_a_time_to_retry(
    away: Api, method: str, url: str, body: object
) -> None:
    response = away.call(method, url, **({} if body is None else {"json": body}))
    problem(response, "store-unavailable", 503)
    assert int(response.headers["Retry-After"]) >= 1


@pytest.mark.parametrize(
    "url", ["/healthz", "/api/v1/version", "/api/v1/rulesets", "/api/v1/openapi.json"]
)
def test_what_needs_no_store_is_answered_without_it(away: Api, url: str) -> None:
    assert away.get(url).status_code == 200


def test_bad_input_is_named_even_while_the_store_is_away(away: Api) -> None:
    problem(away.post(game("2026-02-30")), "bad-request", 400)
    problem(away.patch("/api/v1/me", {"name": ""}), "bad-request", 400)


def test_a_board_opened_under_another_secret_is_refused(mia: Api, valkey_url: str) -> None:
    play(mia, turns=2)
    before = dump(valkey_url)
    settings = make_settings(valkey_url, CHALLENGE_STREAM_SECRET="another" * 6)
    services = bootstrap.build(settings, Clock())
    other = Api(create_app(services).test_client(use_cookies=False), mia.token)
    problem_of = {"type": "/problems/store-unavailable", "status": 503}
    for method, url, body in CALLS[4:16]:
        response = other.call(method, url, **({} if body is None else {"json": body}))
        assert problem_of.items() <= response.json.items(), url
    assert dump(valkey_url) == before


def test_a_game_that_a_failover_takes_back_while_it_begins_is_begun_by_the_next_request(
    mia: Api, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = services.store.games
    begin = games.begin

    def taken_back(where: BoardId, shards: int, player: str) -> tuple[bool, bytes] | None:
        found = begin(where, shards, player)
        games.erase(where, shards, player, score=None, mark="taken back")
        monkeypatch.setattr(games, "begin", begin)
        return found

    monkeypatch.setattr(games, "begin", taken_back)
    problem(mia.post(game()), "store-unavailable", 503)
    assert mia.post(game()).status_code == 201
