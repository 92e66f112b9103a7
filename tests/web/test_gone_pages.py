"""Pages about a day whose games are no longer kept, in words, with what is left of it."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.web import create_app
from tests.service.players import play_out
from tests.web.boards import browser_of

OLD = date(2026, 11, 2)
GAME = f"/{OLD}/yacht"
OTHER = "A" * 22


@pytest.fixture
def mia(services, clock):
    """A player with a finished game of an old day, beside a better one."""
    clock.set(f"{OLD}T12:00")
    player = services.players.new_id()
    play_out(services, player, OLD, seed=1)
    play_out(services, services.players.new_id(), OLD, seed=2)
    return player


@pytest.fixture
def gone(make_services, services, clock, mia):
    """The application once the day is compacted."""
    clock.set("2026-11-30T12:00")
    for board in services.compacting.due(OLD, OLD, 5, clock.now):
        services.compacting.mark(board, clock.now)
        list(services.compacting.sweep(board.id, clock.now))
    return create_app(make_services(CHALLENGE_RETENTION_DAYS="5"))


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "your sheet cannot be shown"), ("de", "lässt sich dein Blatt nicht mehr zeigen")],
)
def test_the_own_result_says_what_is_left(services, gone, mia, language, words):
    page = browser_of(gone, mia, language).get(GAME)
    assert page.status_code == 200
    assert words in page.text
    assert str(services.records.best(mia, "yacht")) in page.text
    assert "2</" in page.text or "of 2" in page.text or "von 2" in page.text
    assert 'class="share"' in page.text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "No longer kept"), ("de", "Nicht mehr aufbewahrt")]
)
@pytest.mark.parametrize("address", [GAME, f"{GAME}/review", f"{GAME}/games/{OTHER}"])
def test_who_has_no_result_there_is_told_so(services, gone, language, words, address):
    page = browser_of(gone, services.players.new_id(), language).get(address)
    assert page.status_code == 410
    assert words in page.text
    assert f'href="{GAME}/leaderboard"' in page.text


def test_no_game_can_begin_there(services, gone):
    browser = browser_of(gone, services.players.new_id())
    page = browser.post(GAME, data={"ply": "0"}, headers={"Sec-Fetch-Site": "same-origin"})
    assert page.status_code == 410


def test_the_leaderboard_stays_and_leads_to_no_game(gone, mia):
    page = browser_of(gone, mia).get(f"{GAME}/leaderboard")
    assert page.status_code == 200
    assert "the best 1000 places are kept" in page.text
    assert "/games/" not in page.text


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Days this long ago are no longer kept"), ("de", "So lange vergangene Tage")],
)
@pytest.mark.parametrize("address", ["/archive?month=2026-11", f"/{OLD}/"])
def test_the_calendar_and_the_day_say_so(services, gone, mia, language, words, address):
    page = browser_of(gone, mia, language).get(address, follow_redirects=True)
    assert page.status_code == 200
    assert words in page.text
    assert str(services.records.best(mia, "yacht")) in page.text


def test_the_calendar_links_no_day_without_an_own_result(services, gone):
    page = browser_of(gone, services.players.new_id()).get("/archive?month=2026-11")
    assert f'href="{GAME}"' not in page.text
    assert 'href="/2026-11-29/yacht"' in page.text


@pytest.mark.parametrize(
    ("language", "words"), [("en", "are deleted 5 days after"), ("de", "werden 5 Tage nach")]
)
def test_the_privacy_page_tells_how_long_games_are_kept(gone, app, services, language, words):
    player = services.players.new_id()
    assert words in browser_of(gone, player, language).get("/privacy").text
    assert words not in browser_of(app, player, language).get("/privacy").text


def test_a_shared_result_still_shows_score_and_place(services, app, gone, mia):
    link = browser_of(app, mia).get(f"/api/v1/challenges/{OLD}/yacht/game/link")
    page = browser_of(gone, services.players.new_id()).get(link.json["url"])
    assert page.status_code == 200
    assert "the sheet cannot be shown" in page.text
    assert str(services.records.best(mia, "yacht")) in page.text
