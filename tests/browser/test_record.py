"""The record in a browser: looked at on a phone and a desktop, named, exported, erased."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.api.test_erasure import mentions
from tests.browser import ended, hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_access import clean
from tests.conftest import Clock
from tests.marks import long
from tests.service.players import play_out
from tests.web.boards import DAY

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
LONGEST = "yatzy-order-b25-side"


@pytest.fixture
def player(services: Services, clock: Clock) -> str:
    """Four days of two sheets, one of them of the longest name."""
    found = services.players.new_id()
    services.players.rename(found, "W" * 24)
    for ago in (3, 2, 1, 0):
        day = DAY - timedelta(days=ago)
        clock.set(f"{day} 12:00")
        play_out(services, found, day, ended.SHEET, seed=ago)
        if ago % 2:
            play_out(services, found, day, LONGEST, seed=ago)
    return found


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and everything to press can be hit."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    pressed = "main :is(.outline, .roll, input, summary, .links a, .sheet-by-sheet a)"
    for box in hands.frames(page, pressed):
        assert box["height"] >= 44, box
        assert box["width"] >= 44, box


@pytest.mark.parametrize(
    "look",
    [
        {"size": PHONE, "locale": "de"},
        long({"size": DESKTOP, "color_scheme": "dark"}),
        long({"size": {"width": 320, "height": 568}, "forced_colors": "active", "locale": "de"}),
    ],
    ids=["phone", "desktop", "narrow"],
)
def test_every_state_fits_and_axe_finds_nothing(
    visit: Visit, app: Flask, site: str, player: str, look: dict[str, Any]
) -> None:
    page = visit("/me", **look)
    fits(page)
    clean(page)
    ended.become(page.context, app, player, site)
    for path in ("/me", "/me/data", "/me/data/erase"):
        page.goto(path)
        fits(page)
        clean(page)
    page.goto("/me")
    page.locator("summary").last.click()
    page.get_by_label("Wie er auf" if look.get("locale") else "As boards and").fill("\u200b")
    page.locator(".named button").click()
    expect(page.get_by_role("alert")).to_be_visible()
    fits(page)
    clean(page)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_player_takes_a_name_takes_everything_along_and_goes(
    visit: Visit, app: Flask, site: str, player: str, valkey_url: str, tmp_path: Path, script: bool
) -> None:
    page = visit("/me", java_script_enabled=script)
    ended.become(page.context, app, player, site)
    page.goto("/me")
    page.get_by_label("As boards and friends show it").fill("Zoë")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("status").filter(has_text="That is your name now.")).to_be_visible()
    expect(page.locator(".whose .player")).to_have_text("Zoë")
    page.get_by_role("link", name="Yatzy in order").first.click()
    expect(page.get_by_role("heading", name="Yatzy in order")).to_be_visible()
    expect(page.locator(".chart svg")).to_be_visible()
    page.get_by_role("link", name="Your data").click()
    with page.expect_download() as started:
        page.get_by_role("link", name="Export everything").click()
    file = tmp_path / "export.json"
    started.value.save_as(file)
    assert started.value.suggested_filename == "samedice-2026-11-30.json"
    assert len(json.loads(file.read_text("utf-8"))["games"]) == 6
    page.get_by_role("link", name="Erase everything").click()
    page.get_by_role("link", name="Keep everything").click()
    page.get_by_role("link", name="Erase everything").click()
    page.get_by_role("button", name="Erase everything").click()
    expect(page.get_by_role("status").filter(has_text="Everything is erased.")).to_be_visible()
    assert mentions(valkey_url, player, "Zoë") == []
    page.goto("/me")
    expect(page.get_by_text("There is no player in this browser")).to_be_visible()
