"""The archive: a calendar of past days with one's own results."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.game import rulesets
from tests.conftest import Clock
from tests.web.reader import Page, play_on, read

CELL = re.compile(r'<td class="([^"]*)">(.*?)</td>', re.DOTALL)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser that says where a form was sent from."""
    client = app.test_client()
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return client


def _play(client: FlaskClient, path: str, turns: int) -> Page:
    page = read(client.get(path))
    for _ in range(turns):
        page = play_on(client, path, page, do="roll")
        page = play_on(client, path, page, box=next(iter(page.choices)))
    return page


def _cells(client: FlaskClient, path: str) -> dict[str, tuple[str, str, str]]:
    """Date -> class, address and words of its cell."""
    found = {}
    for kind, inside in CELL.findall(client.get(path).text):
        day = re.search(r'datetime="([\d-]+)"', inside)[1]
        target = re.search(r'href="([^"]+)"', inside)
        found[day] = kind, target[1] if target else "", read_words(inside)
    return found


def read_words(inside: str) -> str:
    """The words of a piece of a page."""
    return Page(inside).words


def test_a_month_has_all_its_days_under_the_weekdays_of_the_language(client: FlaskClient) -> None:
    page = client.get("/archive?lang=de").text
    assert re.findall(r'<abbr title="(\w+)">', page)[0] == "Montag"
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)[1:]
    assert [len(re.findall("<td", row)) for row in rows] == [7] * 6
    assert 'datetime="2026-11-01"' in rows[0]
    assert rows[0].rindex("<td") < rows[0].index("2026-11-01")  # a Sunday
    assert len(_cells(client, "/archive")) == 30
    assert len(_cells(client, "/archive?month=2026-02")) == 28


def test_past_days_today_and_days_ahead_are_told_apart(client: FlaskClient, clock: Clock) -> None:
    clock.set("2026-11-20 12:00")
    cells = _cells(client, "/archive?sheet=yatzy&lang=en")
    assert cells["2026-11-18"][:2] == ("past none", "/2026-11-18/yatzy")
    assert cells["2026-11-20"] == ("today none", "/2026-11-20/yatzy", "20 today")
    assert cells["2026-11-21"] == ("ahead", "", "21 not open yet")


def test_own_results_stand_in_their_days_and_those_of_the_archive_are_marked(
    client: FlaskClient,
) -> None:
    score = re.search(r"\d+", _play(client, "/2026-11-05/generala", 11).words)
    assert score
    _play(client, "/2026-11-07/generala", 3)
    _play(client, "/2026-11-30/generala", 11)
    cells = _cells(client, "/archive?sheet=generala&lang=en")
    done = client.get("/api/v1/challenges/2026-11-05/generala/game").get_json()["total"]
    assert cells["2026-11-05"][0] == "past done"
    assert cells["2026-11-05"][2].startswith(f"5 {done} A")
    assert cells["2026-11-05"][2].endswith(", archive")
    assert cells["2026-11-07"][2] == "7 4/11 A half-played, round 4, archive"
    assert "archive" not in cells["2026-11-30"][2]
    page = read(client.get("/archive?sheet=generala&lang=en")).words
    assert "2 days done · best" in page
    assert "1 half-played" in page
    assert "No game of yours" in client.get("/archive?sheet=yatzy&lang=en").text


def test_a_day_that_is_closing_leads_only_to_a_game_that_was_begun(
    client: FlaskClient, clock: Clock
) -> None:
    _play(client, "/2026-11-30/yacht", 1)
    clock.set("2026-12-01 01:00")
    path = "/archive?month=2026-11&lang=en"
    assert _cells(client, path)["2026-11-30"][:2] == ("closing begun", "/2026-11-30/yacht")
    assert _cells(client, f"{path}&sheet=yatzy")["2026-11-30"][:2] == ("closing none", "")
    clock.set("2026-12-01 03:00")
    assert _cells(client, f"{path}&sheet=yatzy")["2026-11-30"][1] == "/2026-11-30/yatzy"


def test_who_has_not_played_is_told_how_to_begin(client: FlaskClient) -> None:
    assert "You have not played in this browser yet." in client.get("/archive?lang=en").text
    assert "noch nicht gespielt" in client.get("/archive?lang=de").text


def test_months_are_turned_from_the_first_day_to_today(client: FlaskClient) -> None:
    def ways(path: str) -> dict[str, str]:
        page = client.get(path).text.replace("&amp;", "&")
        return dict(re.findall(r'rel="(prev|next)" href="([^"]+)"', page))

    assert ways("/archive") == {"prev": "/archive?month=2026-10&sheet=yacht"}
    assert ways("/archive?month=2026-01&sheet=yams") == {
        "next": "/archive?month=2026-02&sheet=yams"
    }
    assert len(ways("/archive?month=2026-06")) == 2


def test_the_turn_of_the_year_is_a_month_like_others(client: FlaskClient, clock: Clock) -> None:
    clock.set("2027-01-02 12:00")
    page = client.get("/archive?lang=en").text
    assert "January 2027" in page
    assert "/archive?month=2026-12" in page
    assert len(_cells(client, "/archive?month=2026-12")) == 31


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("month=2025-12", 404),
        ("month=2026-12", 404),
        ("month=9999-12", 404),
        ("month=2026-13", 400),
        ("month=0000-01", 400),
        ("month=2026-1", 400),
        ("month=٢٠٢٦-11", 400),
        ("sheet=nothing", 404),
        ("month=&sheet=", 200),
    ],
)
def test_a_month_or_sheet_that_is_not_there_is_said_in_a_page(
    client: FlaskClient, query: str, status: int
) -> None:
    answer = client.get(f"/archive?{query}")
    assert answer.status_code == status
    assert answer.content_type.startswith("text/html")


def test_any_sheet_can_be_chosen_and_the_choice_stays_while_turning(client: FlaskClient) -> None:
    page = client.get("/archive?month=2026-10&sheet=maxi-yatzy-saved&lang=en").text
    assert '<option value="maxi-yatzy-saved" selected>' in page
    assert page.count("<option") == len(rulesets.RULESETS)
    assert '<input type="hidden" name="month" value="2026-10">' in page
    assert "/archive?month=2026-09&amp;sheet=maxi-yatzy-saved" in page


# -- the sheets of a day ------------------------------------------------------------------


def _states(client: FlaskClient, path: str) -> dict[str, str]:
    page = client.get(path).text
    rows = re.findall(r'href="/[\d-]+/([\w-]+)"><span>.*?<small>(.*?)</small>', page, re.DOTALL)
    return {sheet: words.strip() for sheet, words in rows}


def test_each_sheet_of_a_day_says_how_far_one_is(client: FlaskClient) -> None:
    assert set(_states(client, "/2026-11-30?lang=en").values()) == {"open"}
    _play(client, "/2026-11-30/generala", 11)
    _play(client, "/2026-11-30/yacht", 4)
    states = _states(client, "/2026-11-30?lang=en")
    total = client.get("/api/v1/challenges/2026-11-30/generala/game").get_json()["total"]
    assert states["generala"] == f"{total} points"
    assert states["yacht"] == "half-played, round 5"
    assert states["yatzy"] == "open"
    assert "1 half-played · 1 done" in read(client.get("/2026-11-30?lang=en")).words
    assert "1 angefangen · 1 fertig" in read(client.get("/2026-11-30?lang=de")).words


def test_the_sheets_of_a_past_day_are_marked_as_archive(client: FlaskClient) -> None:
    _play(client, "/2026-11-05/yacht", 1)
    page = client.get("/2026-11-05?lang=en").text
    assert "This day is over: what you play now is archive" in page
    assert _states(client, "/2026-11-05?lang=en")["yacht"] == "half-played, round 2 · archive"
    assert "archive" not in _states(client, "/2026-11-30?lang=en")["yacht"]


def test_on_a_day_that_is_closing_only_begun_games_can_be_gone_on_with(
    client: FlaskClient, clock: Clock
) -> None:
    _play(client, "/2026-11-30/yacht", 1)
    clock.set("2026-12-01 01:00")
    page = client.get("/2026-11-30?lang=en").text
    assert "games you have begun can still be finished" in page
    assert _states(client, "/2026-11-30?lang=en") == {"yacht": "half-played, round 2"}
    assert page.count("<small>over</small>") == len(rulesets.RULESETS) - 1


def test_days_are_turned_up_to_today(client: FlaskClient) -> None:
    page = client.get("/2026-11-30").text
    assert 'rel="prev" href="/2026-11-29"' in page
    assert 'rel="next"' not in page
    assert 'rel="next" href="/2026-01-02"' in client.get("/2026-01-01").text
    assert 'rel="prev"' not in client.get("/2026-01-01").text


def test_the_menu_marks_where_one_is(client: FlaskClient) -> None:
    for path, name in (("/archive", "Archive"), ("/rules", "Rules"), ("/2026-11-30", "Sheets")):
        page = client.get(f"{path}?lang=en").text
        assert page.count(f'aria-current="page">{name}</a>') == 2
    assert 'href="/2026-11-30/yams/leaderboard"' in client.get("/rules/yams").text
    assert 'href="/2026-11-30/yacht/leaderboard"' in client.get("/2026-11-30").text
    page = client.get("/2026-11-30/yatzy").text
    assert page.count('href="/rules/yatzy"') == 2
    assert page.count('href="/archive?sheet=yatzy"') == 2
