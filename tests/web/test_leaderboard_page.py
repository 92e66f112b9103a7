"""The leaderboard as a page: paging, ties, one's own neighbourhood."""

from __future__ import annotations

import re
from datetime import date

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from tests.conftest import Clock
from tests.service.players import play_out
from tests.web.boards import browser_of, crowd

DAY, SHEET = date(2026, 11, 30), "generala"
PATH = f"/2026-11-30/{SHEET}/leaderboard"
PLAYERS = 57

ROW = re.compile(
    r'<td class="rank">(=?)([\d,]+)</td>.*?class="tag">·(\w+)<.*?score-column">(\d+)<', re.DOTALL
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
    body = page.partition("<tbody>")[2].partition("</tbody>")[0]
    return [
        (bool(tie), int(rank.replace(",", "")), tag, int(score))
        for tie, rank, tag, score in ROW.findall(body)
    ]


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
    client = browser_of(app, me)
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


# -- one's own row ---------------------------------------------------------------------


def _own_row(page: str) -> str:
    """The marked row in words."""
    (row,) = re.findall(r'<tr class="me".*?</tr>', page, re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", row).split())


@pytest.fixture
def last(app: Flask, services: Services, valkey: redis.Redis) -> FlaskClient:
    """Who came in last but for a tie, behind 199 others."""
    me = services.players.new_id()
    services.players.rename(me, "Mia")
    total = play_out(services, me, DAY, SHEET).total
    crowd(services, valkey, SHEET, [total + 1 + n for n in range(199)] + [total])
    return browser_of(app, me)


def test_ones_own_row_stands_below_every_page_it_is_not_on(last: FlaskClient) -> None:
    for query in ("?offset=0", "?offset=50", "?offset=100", "?offset=500"):
        page = last.get(PATH + query).text
        if query != "?offset=500":
            assert _own_row(page).startswith("=200 Mia")
            assert "<tfoot>" in page
        assert _ways(page)["Around you"] == f"{PATH}?around=me"


def test_who_stands_further_down_sees_their_neighbourhood_first(last: FlaskClient) -> None:
    page = last.get(PATH).text
    assert "<tfoot>" not in page
    assert _own_row(page).startswith("=200 Mia")
    assert _ways(page) == {
        "Before": f"{PATH}?offset={_first_rank(last) - 1 - 50}",
        "Top": f"{PATH}?offset=0",
    }


def _first_rank(client: FlaskClient) -> int:
    return _rows(client)[0][1]


def test_a_percentile_has_its_bar_and_a_small_board_its_place(
    app: Flask, last: FlaskClient, services: Services
) -> None:
    page = last.get(PATH).text
    assert "Better than 0 %" in page
    assert "Place 200 of 201 so far, shared with 1 other" in page
    assert 'class="percentile"' in page
    other = services.players.new_id()
    play_out(services, other, DAY, "yatzy")
    small = browser_of(app, other).get("/2026-11-30/yatzy/leaderboard").text
    assert "1st of 1 so far" in small
    assert 'class="percentile"' not in small


def test_far_down_a_huge_board_no_way_leads_to_a_refused_page(
    app: Flask, services: Services, valkey: redis.Redis
) -> None:
    me = services.players.new_id()
    total = play_out(services, me, DAY, SHEET).total
    crowd(services, valkey, SHEET, [total + 1] * 10_400)
    client = browser_of(app, me)
    page = client.get(PATH).text
    assert "10,401" in _own_row(page)
    assert _ways(page) == {"Top": f"{PATH}?offset=0"}
    deep = client.get(f"{PATH}?offset=10000").text
    assert set(_ways(deep)) == {"Before", "Top", "Around you"}
    for target in (*_ways(page).values(), *_ways(deep).values()):
        assert client.get(target).status_code == 200


# -- states ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("time", "empty", "words"),
    [
        ("2026-11-30 12:00", True, ["still running", "Nobody has finished this sheet yet."]),
        ("2026-11-30 12:00", False, ["still running", "1 so far"]),
        ("2026-12-01 01:00", True, ["about to close", "Nobody has finished this sheet yet."]),
        ("2026-12-01 01:00", False, ["Games begun in it still count until 03:00 UTC."]),
        ("2026-12-01 04:00", True, ["final", "Nobody finished this sheet on this day."]),
        ("2026-12-01 04:00", False, ["final", "1 game<"]),
    ],
)
def test_every_state_of_a_board_is_said(
    client: FlaskClient, services: Services, clock: Clock, time: str, empty: bool, words: list[str]
) -> None:
    if not empty:
        play_out(services, services.players.new_id(), DAY, SHEET)
    clock.set(time)
    page = client.get(PATH).text
    for each in words:
        assert each in page


def test_it_is_german_all_through(app: Flask, services: Services, valkey: redis.Redis) -> None:
    me = services.players.new_id()
    total = play_out(services, me, DAY, SHEET).total
    crowd(services, valkey, SHEET, [total, *([total - 1] * 1200)])
    page = browser_of(app, me, "de").get(f"{PATH}?offset=50").text
    for words in (
        "Rangliste", "Montag, 30. November ·</span> <span>läuft noch</span>",
        "1.202 bisher", "Besser als 99 %",
        "Platz 1 von bisher 1.202, geteilt mit 1 Person", ">du</b>", "Davor", "Spitze", "Danach",
        "Um dich herum", "Zu deinem Ergebnis",
    ):  # fmt: skip
        assert words in page, words


def test_the_days_before_and_after_are_a_step_away(client: FlaskClient, clock: Clock) -> None:
    before = f"/2026-11-29/{SHEET}/leaderboard"
    page = client.get(PATH).text
    assert f'href="{before}" rel="prev"' in page
    assert 'rel="next"' not in page
    assert f'href="{PATH}" rel="next"' in client.get(before).text
    first = client.get(f"/2026-01-01/{SHEET}/leaderboard").text
    assert 'rel="prev"' not in first
    assert "Thursday 1 January" in first.replace("Thursday,", "Thursday")
