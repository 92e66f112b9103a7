"""The leaderboard as a page: paging, ties, one's own neighbourhood."""

from __future__ import annotations

import re
from datetime import date

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from challenge.web import identity

DAY, SHEET = date(2026, 11, 30), "generala"
PATH = f"/2026-11-30/{SHEET}/leaderboard"
PLAYERS = 57

ROW = re.compile(
    r'<td class="rank">(=?)(\d+)</td>.*?class="tag">·(\w+)<.*?score-column">(\d+)<', re.DOTALL
)


@pytest.fixture
def players(services: Services) -> list[str]:
    """A board with more players than a page shows; many of them tie."""
    return [_play(services, n) for n in range(PLAYERS)]


def _play(services: Services, n: int) -> str:
    play, now = services.play, services.clock()
    player = services.players.new_id()
    view, _ = play.begin(player, DAY, SHEET, now)
    while not view.finished:
        view = play.roll(player, DAY, SHEET, view.ply, [], now)
        legal = [box.box for box in view.boxes if box.legal]
        view = play.score(player, DAY, SHEET, view.ply, legal[n % 4 % len(legal)], now)
    return player


def _rows(client: FlaskClient, query: str = "") -> list[tuple[bool, int, str, int]]:
    page = client.get(PATH + query).text
    return [(bool(tie), int(rank), tag, int(score)) for tie, rank, tag, score in ROW.findall(page)]


def _as(app: Flask, player: str) -> FlaskClient:
    client = app.test_client()
    with app.test_request_context():
        client.set_cookie(identity.COOKIE, identity.token(player))
    return client


def test_pages_never_repeat_or_skip_a_player(client: FlaskClient, players: list[str]) -> None:
    first, second = _rows(client), _rows(client, "?offset=50")
    assert (len(first), len(second)) == (50, PLAYERS - 50)
    listing = client.get(f"/api/v1/challenges{PATH}?limit=100").get_json()["entries"]
    expected = [(each["rank"], each["name"].split("·")[1], each["score"]) for each in listing]
    assert [row[1:] for row in first + second] == expected


def test_a_tie_is_shown_as_a_tie_across_the_edge_of_a_page(
    client: FlaskClient, players: list[str]
) -> None:
    rows = _rows(client) + _rows(client, "?offset=50")
    scores = [score for *_, score in rows]
    assert [tie for tie, *_ in rows] == [scores.count(score) > 1 for score in scores]
    assert _rows(client, "?offset=49")[0] == rows[49]


def test_one_sees_ones_own_neighbourhood(app: Flask, players: list[str]) -> None:
    me = players[PLAYERS // 2]
    client = _as(app, me)
    page = client.get(f"{PATH}?around=me").text
    assert page.count('class="me"') == 1
    assert len(_rows(client, "?around=me")) <= 21


def _ways(page: str) -> dict[str, str]:
    """Words of each way on -> its address."""
    found = re.search(r'<nav class="paging".*?</nav>', page, re.DOTALL)
    links = re.findall(r'<a [^>]*href="([^"]+)">(.*?)</a>', found[0] if found else "", re.DOTALL)
    return {re.sub("<.*?>", "", inside, flags=re.DOTALL).strip(): to for to, inside in links}


def test_the_ways_on_lead_through_the_whole_list(client: FlaskClient, players: list[str]) -> None:
    assert _ways(client.get(PATH).text) == {"After": f"{PATH}?offset=50"}
    last = client.get(f"{PATH}?offset=50").text
    assert _ways(last) == {"Before": f"{PATH}?offset=0", "Top": f"{PATH}?offset=0"}


def test_a_page_behind_the_end_says_so(client: FlaskClient, players: list[str]) -> None:
    answer = client.get(f"{PATH}?offset=500")
    assert answer.status_code == 200
    assert "The list ends before this page." in answer.text


def test_an_empty_board_says_so(client: FlaskClient) -> None:
    assert "Nobody has finished this sheet yet." in client.get(PATH).text


@pytest.mark.parametrize("offset", ["-1", "x", "10001", "99999999999"])
def test_an_offset_out_of_range_is_refused(client: FlaskClient, offset: str) -> None:
    assert client.get(f"{PATH}?offset={offset}").status_code == 400
