"""Practice with the coach, what was possible, and the odds, in a browser: on any screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.game import rulesets
from challenge.service.services import Services
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from tests.browser import ended, hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_access import clean
from tests.browser.test_review import fits, solved_folder
from tests.marks import some
from tests.web.boards import DAY

pytestmark = pytest.mark.browser

__all__ = ["solved_folder"]

Visit = Callable[..., Page]
PAST = f"/2026-11-01/{ended.SHEET}"
BOARD = BoardId(DAY, ended.SHEET)
SCREENS = [
    {"size": PHONE, "locale": "de"},
    {"size": DESKTOP, "color_scheme": "dark"},
    {"size": {"width": 320, "height": 568}, "forced_colors": "active"},
]
NAMES = ["phone", "desktop", "small"]


@pytest.fixture
def services(make_services: Any, solved_folder: Path) -> Services:
    """Services that know the best play of one sheet and its distribution."""
    services: Services = make_services(CHALLENGE_DATA_DIR=str(solved_folder))
    return services


@pytest.mark.parametrize("look", some(SCREENS, 0), ids=NAMES)
def test_a_hint_names_the_best_choice_and_leads_to_all_of_them(
    visit: Visit, look: dict[str, Any]
) -> None:
    page = visit(PAST, **look)
    expect(page.locator("[value=coach]")).to_have_count(0)
    hands.roll(page)
    clean(page)
    before = hands.ply(page)
    hint = page.locator("button[value=coach]")
    box = hint.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["width"] >= 44
    hands.hold(page, 1)
    hint.click()
    expect(page.locator("#coach .best").first).to_be_visible()
    best = page.locator("#status strong").inner_text()
    expect(page.locator("#live")).to_contain_text(best)
    assert hands.ply(page) == before
    assert hands.held(page) == [1]
    fits(page)
    clean(page)
    page.locator("#status a").click()
    expect(page.locator("#coach")).to_be_in_viewport()
    hands.roll(page, 0)
    expect(page.locator("#coach")).to_have_count(0)
    expect(page.locator("button[value=coach]")).to_be_visible()


def test_the_line_about_the_archive_covers_nothing_of_the_sheet(visit: Visit) -> None:
    page = visit("/2026-09-30/yacht", locale="de")
    hands.roll(page)
    hands.all_in_sight(page)
    clean(page)


@pytest.mark.parametrize("look", some(SCREENS, 0), ids=NAMES)
def test_what_was_possible_is_found_from_the_result(
    visit: Visit, site: str, app: Flask, services: Services, look: dict[str, Any]
) -> None:
    player = ended.finished(services, "Mia")
    made = services.store.games.read(BOARD, 1, player).log or b""
    bots = dict.fromkeys(("greedy", "planner", "optimal"), made)
    services.store.insights.write(BOARD, Known(300, made, bots))
    page = visit("/offline", **look)
    ended.become(page.context, app, player, site)
    page.goto(ended.PATH)
    page.locator(f"a[href='{ended.PATH}/hindsight']").click()
    expect(page.locator(".points")).to_contain_text("300")
    clean(page)
    fits(page)
    page.locator(".computers a").first.click()
    rounds = len(rulesets.find(ended.SHEET).boxes)
    expect(page.locator(".replay > li")).to_have_count(rounds)
    clean(page)
    fits(page)
    page.goto(ended.BOARD)
    expect(page.locator(".computers li")).to_have_count(3)
    clean(page)
    fits(page)


@pytest.mark.parametrize("look", some(SCREENS, 0), ids=NAMES)
def test_the_odds_of_a_sheet_are_drawn_and_told(
    visit: Visit, services: Services, look: dict[str, Any]
) -> None:
    services.solved.odds(rulesets.find(ended.SHEET), lambda _done, _states: None)
    page = visit(f"/rules/{ended.SHEET}/odds", **look)
    expect(page.locator(".odds .bar").first).to_be_visible()
    clean(page)
    fits(page)
