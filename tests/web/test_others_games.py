"""The finished games of others: linked and shown to those who may compare, and to nobody else."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from tests.api.dump import dump
from tests.conftest import Clock
from tests.service.players import begin, play_out
from tests.web.boards import DAY, browser_of

SHEET = "generala"
PATH = f"/2026-11-30/{SHEET}/leaderboard"


def _games(page: str) -> list[str]:
    return re.findall(rf'href="(/2026-11-30/{SHEET}/games/[^"]+)"', page)


def test_games_are_linked_once_one_has_finished_that_board(
    app: Flask, client: FlaskClient, services: Services
) -> None:
    theirs, me = services.players.new_id(), services.players.new_id()
    services.players.rename(theirs, "Oma Hilde")
    total = play_out(services, theirs, DAY, SHEET, seed=3).total
    begin(services, me, DAY, SHEET)
    mine = browser_of(app, me)
    assert _games(client.get(PATH).text) == _games(mine.get(PATH).text) == []
    assert "Finish this sheet yourself" in mine.get(PATH).text
    own = play_out(services, me, DAY, SHEET, seed=4).total
    page = mine.get(PATH).text
    assert _games(page) == [f"/2026-11-30/{SHEET}/games/{theirs}"]
    assert "Finish this sheet yourself" not in page
    answer = mine.get(_games(page)[0])
    assert answer.status_code == 200
    assert "Oma Hilde" in answer.text
    apart = abs(total - own)
    assert f"{apart} points {'more' if total > own else 'less'} than you" in answer.text


def test_before_that_the_page_of_a_game_says_play_first(
    app: Flask, client: FlaskClient, services: Services
) -> None:
    theirs = services.players.new_id()
    play_out(services, theirs, DAY, SHEET)
    path = f"/2026-11-30/{SHEET}/games/{theirs}"
    answer = client.get(path)
    assert answer.status_code == 403
    assert "Play first, then compare" in answer.text
    assert "From Tue 03:00 UTC on everyone may look." in answer.text
    assert 'class="points"' not in answer.text
    german = client.get(path, headers={"Accept-Language": "de"}).text
    assert "Erst spielen, dann vergleichen" in german


def test_a_closed_board_shows_its_games_to_everyone(
    client: FlaskClient, services: Services, clock: Clock
) -> None:
    theirs = services.players.new_id()
    total = play_out(services, theirs, DAY, SHEET).total
    clock.set("2026-12-02 12:00")
    (path,) = _games(client.get(PATH).text)
    page = client.get(path).text
    assert f'class="points">{total}<' in page
    assert "1st of 1" in page
    assert "than you" not in page


def test_ones_own_game_is_the_result_page(app: Flask, services: Services) -> None:
    me = services.players.new_id()
    play_out(services, me, DAY, SHEET)
    answer = browser_of(app, me).get(f"/2026-11-30/{SHEET}/games/{me}")
    assert (answer.status_code, answer.location) == (303, f"/2026-11-30/{SHEET}")


@pytest.mark.parametrize("stranger", ["nobody", "A" * 22, "%00", "x" * 300])
def test_a_game_that_is_none_is_not_found(
    client: FlaskClient, services: Services, clock: Clock, stranger: str
) -> None:
    begun = services.players.new_id()
    begin(services, begun, DAY, SHEET)
    clock.set("2026-12-02 12:00")
    for player in (stranger, begun):
        assert client.get(f"/2026-11-30/{SHEET}/games/{player}").status_code == 404


def test_looking_at_boards_and_games_writes_nothing(
    app: Flask, services: Services, valkey_url: str
) -> None:
    theirs, me = services.players.new_id(), services.players.new_id()
    for player in (theirs, me):
        play_out(services, player, DAY, SHEET)
    before = dump(valkey_url)
    client = browser_of(app, me)
    for path in (PATH, f"{PATH}?around=me", f"/2026-11-30/{SHEET}/games/{theirs}", PATH[:-12]):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
    assert dump(valkey_url) == before
