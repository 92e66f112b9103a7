"""Groups in a browser: two friends meet, a third sees nothing; the pages hold on any screen."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import ended, hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_access import clean
from tests.marks import long
from tests.service.players import play_out
from tests.web.boards import DAY

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
SHEET = "generala"
BOARD = f"/api/v1/challenges/2026-11-30/{SHEET}/leaderboard"
NAMES = ["Mia", "Würfelbaron von und zu H", "日本太郎", "<b>Bobby</b>", None]


@pytest.fixture
def services(make_services: Callable[..., Services]) -> Services:
    """A site whose sheet of the day is a short one."""
    return make_services(CHALLENGE_RULESETS=f"{SHEET},yatzy")


def _me(page: Page) -> str:
    return str(page.request.get("/api/v1/me").json()["player"]["id"])


def _ranks(page: Page) -> list[list[str]]:
    """Place, player and points of each row of the board, the place without its mark of a tie."""
    rows = page.locator(".ranks tbody tr").evaluate_all(
        """rows => rows.map((row) => ["rank", "player", "tag", "score-column"]
        .map((part) => row.querySelector("." + part).textContent))"""
    )
    return [[rank.lstrip("="), name + tag, score] for rank, name, tag, score in rows]


def _api_ranks(page: Page, group: str) -> list[list[str]]:
    entries = page.request.get(f"{BOARD}?group={group}").json()["entries"]
    return [[str(e["rank"]), e["name"], str(e["score"])] for e in entries]


def _play(page: Page) -> None:
    """A whole game, one roll a turn."""
    while page.locator("button#roll").count():
        hands.roll(page)
        hands.enter(page)


def test_two_friends_meet_in_a_group_and_a_third_sees_no_trace_of_it(
    visit: Visit, services: Services
) -> None:
    mia = visit("/groups", size=DESKTOP)
    mia.get_by_label("Name of the group").fill("Die Runde")
    mia.get_by_role("button", name="Create").click()
    expect(mia.get_by_role("img", name="The invite as a QR code")).to_be_visible()
    invite = mia.get_by_role("textbox").input_value()
    play_out(services, _me(mia), DAY, SHEET)

    ben = visit(invite, size=PHONE)
    expect(ben.get_by_text("Die Runde")).to_be_visible()
    ben.get_by_role("button", name="Join and play").click()
    expect(ben.locator("#banner")).to_contain_text("You are in: Die Runde")
    hands.all_in_sight(ben)
    _play(ben)
    expect(ben.locator("#text")).to_be_visible()

    ben.goto(invite)
    expect(ben.get_by_role("heading", level=1, name="Die Runde")).to_be_visible()
    group = ben.url.rpartition("/")[2]
    mia.goto(f"/groups/{group}")
    expect(mia.get_by_text("2 of 2 done")).to_be_visible()
    expected = _api_ranks(mia, group)
    assert len(expected) == 2
    assert _ranks(mia) == _ranks(ben) == _api_ranks(ben, group) == expected
    for page, other in ((mia, _me(ben)), (ben, _me(mia))):
        page.locator(".ranks tr:not(.me) a").click()
        expect(page).to_have_url(re.compile(f"/games/{other}$"))

    stranger = visit(f"/2026-11-30/{SHEET}")
    hands.roll(stranger)
    unknown = "A" * len(group)
    for path in ("/groups/{}", "/api/v1/groups/{}", BOARD + "?group={}"):
        there, nothing = (stranger.request.get(path.format(each)) for each in (group, unknown))
        assert there.status == nothing.status == 404
        assert there.text().replace(group, unknown) == nothing.text()
        assert "Die Runde" not in there.text()


@pytest.fixture
def season(app: Flask, services: Services, clock: Any) -> tuple[str, list[str]]:
    """A group with a few days behind it: its id and its members."""
    players = [services.players.new_id() for _ in NAMES]
    group = services.groups.create(players[0], "Würfelverein am Kanal", clock()).id
    invite = services.groups.invitation(players[0], group)
    for player, name in zip(players, NAMES, strict=True):
        services.groups.join(player, invite, clock())
        if name:
            services.players.rename(player, name)
    for back in (2, 1, 0):
        clock.set("2026-11-30T12:00")
        clock.forward(days=-back)
        for seed, player in enumerate(players[: 2 + back % 2]):
            play_out(services, player, date(2026, 11, 30) - timedelta(days=back), SHEET, seed)
    return group, players


def _pages(group: str, players: list[str]) -> list[str]:
    tails = ["", "/members", f"/members/{players[1]}", "/leave", "/versus",
             "/weeks/2026-W49", "/months/2026-11"]  # fmt: skip
    return ["/groups", *(f"/groups/{group}{tail}" for tail in tails)]


@pytest.mark.parametrize(
    "look",
    [
        {"size": PHONE, "color_scheme": "dark", "locale": "de"},
        long({"size": DESKTOP, "color_scheme": "light"}),
    ],
    ids=["phone", "desktop"],
)
def test_the_pages_of_a_group_fit_and_can_be_used_by_anyone(
    visit: Visit, app: Flask, site: str, season: tuple[str, list[str]], look: dict[str, Any]
) -> None:
    page = visit("/privacy", **look)
    ended.become(page.context, app, season[1][0], site)
    for path in _pages(*season):
        assert page.goto(path).ok, path
        clean(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= look["size"]["width"]
        controls = "main :is(button, select, input, summary, .links a, .outline, .who a, .on a)"
        small = [box for box in hands.frames(page, controls) if box["height"] < 43.9]
        assert small == [], path
        if look["size"] is PHONE:
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path


def test_a_long_name_shifts_no_column_and_keeps_its_tag(
    visit: Visit, app: Flask, site: str, season: tuple[str, list[str]]
) -> None:
    page = visit("/privacy", size={"width": 320, "height": 568})
    ended.become(page.context, app, season[1][0], site)
    page.goto(f"/groups/{season[0]}")
    for part in (".ranks .score-column", ".table td.main", ".table td:last-child"):
        edges = {round(box["right"]) for box in hands.frames(page, f"{part}:not(th)")}
        assert len(edges) == 1, part
    for tag in hands.frames(page, ".who .tag"):
        assert tag["width"] > 15
        assert tag["right"] <= 320
