"""Reporting a name: the way there, the question, and who may."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from tests.api.dump import dump
from tests.service.players import play_out
from tests.web.boards import DAY, browser_of
from tests.web.test_devices_page import post

BOARD = "/2026-11-30/generala"


@pytest.fixture
def rude(services: Services) -> str:
    """A player with a name that somebody may want to report."""
    player = services.players.create("Rude").id
    play_out(services, player, DAY, "generala")
    return player


@pytest.fixture
def mia(services: Services) -> str:
    """A player who has finished the same board."""
    player = services.players.create("Mia").id
    play_out(services, player, DAY, "generala", seed=2)
    return player


def test_a_name_is_reported_once_by_each_player(
    app: Flask, services: Services, rude: str, mia: str
) -> None:
    browser, path = browser_of(app, mia), f"/players/{rude}/report"
    assert "Report this name?" in browser.get(path).text
    for _ in range(2):
        assert "Thank you" in post(browser, path).text
    assert [(each.player, each.reports) for each in services.reports.open()] == [(rude, 1)]


def test_every_name_of_a_board_leads_to_where_it_is_reported(
    app: Flask, rude: str, mia: str, client: FlaskClient
) -> None:
    for browser in (browser_of(app, mia), client):
        board = browser.get(f"{BOARD}/leaderboard").text
        assert f"{BOARD}/leaderboard?report=1&amp;offset=0" in board
        assert f"/players/{rude}/report" not in board
        assert f"/players/{rude}/report" in browser.get(f"{BOARD}/leaderboard?report=1").text
    own = browser_of(app, mia).get(f"{BOARD}/leaderboard?report=1").text
    assert f"/players/{mia}/report" not in own
    assert f"/players/{rude}/report" in browser_of(app, mia).get(f"{BOARD}/games/{rude}").text


def test_a_name_that_means_nameless_to_the_reader_can_be_reported(
    app: Flask, services: Services, mia: str
) -> None:
    guest = services.players.create("Gast").id
    play_out(services, guest, DAY, "generala", seed=3)
    german = browser_of(app, mia, "de")
    for page in ("leaderboard?report=1", f"games/{guest}"):
        assert f"/players/{guest}/report" in german.get(f"{BOARD}/{page}").text


def test_where_there_is_no_name_none_is_offered_for_reporting(
    app: Flask, services: Services, mia: str
) -> None:
    nameless = services.players.create(None).id
    play_out(services, nameless, DAY, "generala", seed=3)
    browser = browser_of(app, mia)
    for path in (f"{BOARD}/leaderboard?report=1", f"{BOARD}/games/{nameless}"):
        page = browser.get(path)
        assert page.status_code == 200
        assert f"/players/{nameless}/report" not in page.text


def test_a_stranger_is_told_that_only_players_can_report(
    client: FlaskClient, rude: str, valkey_url: str
) -> None:
    before = dump(valkey_url)
    page = client.get(f"/players/{rude}/report")
    assert page.status_code == 200
    assert "Only players can report" in page.text
    assert '<form method="post" action="/players' not in page.text
    assert post(client, f"/players/{rude}/report").status_code == 401
    assert dump(valkey_url) == before


def test_looking_reports_nothing(app: Flask, rude: str, mia: str, valkey_url: str) -> None:
    before = dump(valkey_url)
    browser_of(app, mia).get(f"/players/{rude}/report")
    assert dump(valkey_url) == before


def test_there_is_no_name_to_report_of_oneself_of_the_nameless_and_of_the_hidden(
    app: Flask, services: Services, rude: str, mia: str
) -> None:
    nameless = services.players.create(None).id
    services.reports.hide(rude)
    browser = browser_of(app, mia)
    for player in (mia, nameless, rude, "A" * 22, "x"):
        assert browser.get(f"/players/{player}/report").status_code == 404
        assert post(browser, f"/players/{player}/report").status_code == 404
    assert services.reports.open() == []


def test_a_hidden_name_stands_nowhere(app: Flask, services: Services, rude: str, mia: str) -> None:
    services.reports.hide(rude)
    browser = browser_of(app, mia)
    paths = (
        f"{BOARD}/leaderboard",
        f"{BOARD}/games/{rude}",
        f"/api/v1/challenges{BOARD}/leaderboard",
    )
    assert all("Rude" not in browser.get(path).text for path in paths)
    assert "Rude" not in browser_of(app, rude).get("/api/v1/me").text
