"""An open board gives no value, review, hint or hindsight away: every route is walked.

The board has everything there is to give away: a table, its best game, the computer players'
games, and another player's finish. Strangers and players in the middle of a game look at
every address of the application, in both languages, while it is open and while it closes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from challenge.game import log, rulesets
from challenge.service.services import Services
from challenge.service.solved import Solved
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from challenge.web import create_app
from challenge.web.signing import sign
from tests.conftest import Clock
from tests.marks import long
from tests.service.players import begin, play_out, step
from tests.web.boards import DAY, browser_of

SHEET = rulesets.find("generala")
BOARD = BoardId(DAY, SHEET.id)
BEST = 987654  # no other figure of any page
WORDS = (
    # What only a page about optimal play says, in either language.
    "Every choice", "Alle Möglichkeiten", "What each choice is worth", "Was jede Möglichkeit",
    "Expected total", "Erwartete Summe", "Gives away", "Verschenkt", "Optimal computer",
    "Optimaler Computer", "given_away", "value_best", "optimal_mean",
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the table of the sheet."""
    made = tmp_path_factory.mktemp("given-away")
    Solved(made / "solver").solve(SHEET, lambda _done, _states: None)
    return made


@pytest.fixture
def services(make_services: Callable[..., Services], folder: Path) -> Services:
    return make_services(CHALLENGE_DATA_DIR=str(folder))


@pytest.fixture
def app(services: Services) -> Flask:
    return create_app(services)


@pytest.fixture
def finisher(services: Services) -> str:
    """A player who has finished the board, whose insight is complete."""
    player = services.players.new_id()
    play_out(services, player, DAY, SHEET.id)
    made = services.store.games.read(BOARD, 1, player).log or b""
    bots = dict.fromkeys(("greedy", "planner", "optimal"), made)
    services.store.insights.write(BOARD, Known(BEST, made, bots))
    return player


@pytest.fixture
def half(services: Services) -> str:
    """A player in the middle of a game on the board, with dice on the table."""
    player = services.players.new_id()
    view = begin(services, player, DAY, SHEET.id)
    while view.round < 5 or view.dice is None:
        view = step(services, player, view, _Same())
    return player


class _Same:
    """Chance that always says the same: roll once, then take the first box."""

    def random(self) -> float:
        return 0.9

    def choice(self, choices: list[Any]) -> Any:
        return choices[0]


def secrets(services: Services) -> list[str]:
    """What must not be read anywhere: the best total, any log of the board but one's own."""
    (known,) = services.store.insights.read([BOARD])
    assert known.line is not None
    return [str(BEST), log.to_text(known.line), json.dumps(log.to_text(known.line))]


def addresses(app: Flask, finisher: str) -> Iterator[tuple[str, str]]:
    """(method, address) of every route, its variables filled in to hit the board."""
    with app.test_request_context():
        result = sign("result", f"{DAY}.{SHEET.id}.{finisher}")
    values = {
        "date": str(DAY), "ruleset": SHEET.id, "id": SHEET.id, "player": finisher,
        "strength": "optimal", "signed": result, "group": "A" * 22, "filename": "page.css",
        "week": "2026-W48", "month": "2026-11",
    }  # fmt: skip
    adapter = app.url_map.bind("localhost")
    for rule in app.url_map.iter_rules():
        filled = {name: values.get(name, "1") for name in rule.arguments}
        for method in sorted((rule.methods or set()) & {"GET", "POST", "PUT", "PATCH", "DELETE"}):
            yield method, _address(adapter, rule, filled)


def _address(adapter: Any, rule: Rule, filled: dict[str, str]) -> str:
    built = rule.build(filled)
    assert built is not None, rule
    return str(built[1])


TAILS = ("", "?coach=1", "?lang=de")


def look(client: FlaskClient, method: str, address: str) -> Iterator[TestResponse]:
    """Answers to everything that might be asked at an address, erasing and signing out apart."""
    if method == "GET":
        for tail in TAILS if str(DAY) in address else TAILS[:1]:
            yield client.get(address + tail)
        yield client.get(f"{address}?coach=1", headers={"Samedice-Swap": "1"})
        return
    if method == "POST" and address == f"/{DAY}/{SHEET.id}":
        for do in ("coach", "back", "hint", "review", "hindsight"):
            yield client.post(address, data={"do": do, "ply": "1", "hold": ["0"]})
            yield client.post(address, data={"do": do}, headers={"Samedice-Swap": "1"})
    if method == "POST" and address.endswith("/game/roll"):
        yield client.post(address, json={"ply": 0, "hold": []})


def holds_nothing(answer: TestResponse, hidden: list[str], address: str) -> None:
    """Neither body nor headers have any of what is hidden."""
    if (
        answer.mimetype.startswith(("text/css", "image/", "font/"))
        or "javascript" in answer.mimetype
    ):
        return
    whole = f"{answer.headers}\n{answer.get_data(as_text=True)}"
    if address.startswith(("/static/", "/api/v1/openapi.json")):
        return
    for word in hidden:
        assert word not in whole, (address, word)
    if not address.startswith(("/rules", "/fairness", "/privacy")):
        for word in WORDS:
            assert word not in whole, (address, word)


@pytest.mark.parametrize(
    ("who", "now"),
    [
        ("stranger", "2026-11-30 12:00"),
        ("half", "2026-11-30 12:00"),
        ("half", "2026-12-01 01:00"),
        long("stranger", "2026-12-01 01:00"),
    ],
)
def test_no_route_gives_anything_of_an_open_board_away(
    app: Flask, services: Services, finisher: str, half: str, clock: Clock, who: str, now: str
) -> None:
    clock.set(now)
    client = app.test_client() if who == "stranger" else browser_of(app, half)
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    hidden, asked = secrets(services), 0
    for method, address in addresses(app, finisher):
        for answer in look(client, method, address):
            holds_nothing(answer, hidden, address)
            asked += 1
    assert asked > 200


INSIGHT = ("hindsight", "bots", "game/review")


@pytest.mark.parametrize("tail", INSIGHT)
def test_who_may_not_know_gets_the_same_answer_whether_or_not_anything_is_known(
    app: Flask, services: Services, finisher: str, half: str, valkey: Any, tail: str
) -> None:
    url = f"/api/v1/challenges/{DAY}/{SHEET.id}/{tail}"
    for client in (app.test_client(), browser_of(app, half)):
        full = client.get(url)
        kept = valkey.hgetall(BOARD.insight)
        valkey.delete(BOARD.insight)
        empty = client.get(url)
        valkey.hset(BOARD.insight, mapping=kept)
        assert full.status_code == empty.status_code
        assert full.status_code in (401, 403, 409)
        assert full.data == empty.data
        assert "ETag" not in full.headers
        assert full.headers["Cache-Control"] in ("no-store", "no-cache")


def test_the_walk_would_find_what_it_looks_for(
    app: Flask, services: Services, finisher: str
) -> None:
    client = browser_of(app, finisher)
    found = client.get(f"/api/v1/challenges/{DAY}/{SHEET.id}/hindsight")
    with pytest.raises(AssertionError):
        holds_nothing(found, secrets(services), "hindsight")
    page = client.get(f"/{DAY}/{SHEET.id}/hindsight")
    with pytest.raises(AssertionError):
        holds_nothing(page, [], "hindsight")


def test_a_sheet_finished_on_another_board_opens_nothing_here(
    app: Flask, services: Services, finisher: str
) -> None:
    player = services.players.new_id()
    play_out(services, player, DAY, "yatzy-13")
    play_out(services, player, date(2026, 11, 1), SHEET.id)
    client = browser_of(app, player)
    for tail in INSIGHT:
        assert client.get(f"/api/v1/challenges/{DAY}/{SHEET.id}/{tail}").status_code >= 400
    for tail in ("hindsight", "review", "bots/optimal"):
        assert client.get(f"/{DAY}/{SHEET.id}/{tail}").status_code >= 400
