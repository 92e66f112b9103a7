"""Accessibility of what the game page shows now and then: axe finds nothing there either."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from challenge.web import assets
from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import Clock
from tests.marks import some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

LOOKS: list[dict[str, Any]] = [
    {"color_scheme": "light", "size": PHONE},
    {"color_scheme": "dark", "size": DESKTOP, "locale": "de"},
    {"forced_colors": "active", "size": DESKTOP},
]


def _clean(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [n["html"] for n in each["nodes"]][:3]) for each in found] == []


@pytest.mark.parametrize(
    "look", some(LOOKS, 0, 2), ids=["phone-light", "desktop-dark", "desktop-forced"]
)
def test_axe_finds_nothing_in_question_help_waiting_and_banners(
    visit: Visit, clock: Clock, monkeypatch: pytest.MonkeyPatch, look: dict[str, Any]
) -> None:
    page = visit("/", **look)
    hands.roll(page)
    page.locator("button.cell[value=yatzy]").click()
    expect(page.locator(".question")).to_be_visible()
    _clean(page)
    page.locator("#roll").click()
    expect(page.locator(".question")).to_have_count(0)
    page.evaluate("document.querySelector('#help').showPopover()")
    expect(page.get_by_role("dialog")).to_be_visible()
    _clean(page)
    page.keyboard.press("Escape")
    page.context.set_offline(True)
    page.locator("button.cell[value=chance]").click()
    expect(page.locator("form.waits")).to_have_count(1)
    _clean(page)
    clock.set("2026-12-01 00:10")
    monkeypatch.setattr(assets, "digest", lambda: "0123456789ab")
    page.context.set_offline(False)
    hands.moved(page, 1)
    expect(page.locator("#newer")).to_be_visible()
    expect(page.locator("#banner")).to_be_visible()
    _clean(page)
    page.goto("/2026-11-30/yatzy")
    expect(page.locator("a#roll")).to_be_visible()
    _clean(page)
    page.goto("/")
    expect(page.locator("#banner")).to_be_visible()
    _clean(page)
