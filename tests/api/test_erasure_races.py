"""A player goes while moves, names, groups and codes of the same player are on their way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from threading import Event, Thread
from typing import Any

import pytest

from challenge.service.services import Services
from tests.api.contract import Api, board, game, legal, play
from tests.api.racers import Answer, Call, Racers
from tests.api.test_erasure import mentions

SHEET, OTHER, NEW = "generala", "yacht-12", "yatzy"
ERASED, NOT_SIGNED = 204, 401
QUICK = 4
SOAK = 280
ROUNDS = [QUICK, pytest.param(SOAK, marks=[pytest.mark.soak, pytest.mark.timeout(3600)])]


@pytest.fixture(scope="module")
def started(valkey_url: str) -> Iterator[Racers]:
    """Four processes, started once."""
    with Racers(valkey_url, 4) as running:
        yield running


@pytest.fixture
def racers(started: Racers) -> Racers:
    """Four processes that know nothing of the tests before."""
    started.refresh()
    return started


def one_entry_short(api: Api, sheet: str) -> dict[str, Any]:
    """A game that the next entry finishes; the body of that entry."""
    view = play(api, ruleset=sheet, turns=api_rounds(api, sheet) - 1)
    view = api.post(game(ruleset=sheet, tail="roll"), {"ply": view["ply"], "hold": []}).json
    return {"ply": view["ply"], "box": legal(view)[0]}


def api_rounds(api: Api, sheet: str) -> int:
    """How many entries a sheet takes."""
    return int(api.get(f"/api/v1/rulesets/{sheet}").json["rounds"])


def calls_of(api: Api, invite: str) -> list[Call]:
    """What a player may be doing at any moment, each of it a write."""
    token = api.token or ""
    last = one_entry_short(api, OTHER)
    return [
        Call(token, "/api/v1/me", method="DELETE"),
        Call(token, game(ruleset=OTHER, tail="score"), last),
        Call(token, game(ruleset=NEW)),
        Call(token, "/api/v1/me", {"name": "Maja-Lisa"}, method="PATCH"),
        Call(token, "/api/v1/groups", {"name": "Maja-Lisa's"}),
        Call(token, "/api/v1/groups/join", {"invite": invite}),
        Call(token, "/api/v1/me/transfer"),
        Call(token, "/api/v1/me/recovery"),
        Call(token, "/api/v1/me/sign-out"),
    ]


@pytest.fixture
def working(services: Services) -> Iterator[None]:
    """A worker that settles and closes all the while."""
    done = Event()

    def work() -> None:
        while not done.is_set():
            services.worker.round()

    thread = Thread(target=work)
    thread.start()
    yield
    done.set()
    thread.join()


@pytest.mark.parametrize("rounds", ROUNDS)
def test_nothing_is_left_whatever_was_on_its_way(
    api: Api, racers: Racers, services: Services, valkey_url: str, working: None, rounds: int
) -> None:
    ada = api.signed("Ada")
    play(ada, ruleset=SHEET)
    boards = [board(ruleset=sheet, tail="distribution") for sheet in (SHEET, OTHER, NEW)]
    before = [ada.get(url).json for url in boards]
    family = ada.post("/api/v1/groups", {"name": "Family"}).json
    choices = list(combinations(range(1, 9), 2))
    for number in range(rounds):
        mia = api.signed("Maja-Lisa")
        play(mia, ruleset=SHEET)
        erase, *others = calls_of(mia, family["invite_url"])
        chosen = [others[i - 1] for i in choices[5 * number % len(choices)]]
        # One of two that erase at once may find the player gone already.
        answers = racers.race([erase, *chosen, erase])
        check_answers(answers, chosen)
        if ERASED not in (answers[0].status, answers[-1].status):  # signed out before
            services.erasure.erase(mia.player)
        services.worker.round()
        assert mentions(valkey_url, mia.player, "Maja-Lisa") == [], chosen
        assert [ada.get(url).json for url in boards] == before
    assert [each.members for each in services.groups.mine(ada.player)] == [1]
    started = ada.get(board(ruleset=NEW)).json["started"]
    assert started == 0


def check_answers(answers: list[Answer], chosen: list[Call]) -> None:
    """Who was quicker than the erasure was served, nobody got an error of the server."""
    first, *others, second = answers
    assert {first.status, second.status} <= {ERASED, NOT_SIGNED}
    for call, each in zip(chosen, others, strict=True):
        assert each.status in (200, 201, NOT_SIGNED, 404), (call, each)
    if ERASED not in (first.status, second.status):
        assert any(call.url.endswith("/sign-out") for call in chosen)
