"""The review in a browser: reached from the result, read on a phone and a desktop."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import ended, hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.browser.test_access import clean
from tests.marks import long
from tests.solved import solved_folder_of

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def solved_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory in which one small sheet is solved."""
    return solved_folder_of(ended.SHEET, tmp_path_factory)


@pytest.fixture
def services(make_services: Any, solved_folder: Path) -> Services:
    """Services that know the best play of that sheet."""
    services: Services = make_services(CHALLENGE_DATA_DIR=str(solved_folder))
    return services


def fits(page: Page) -> None:
    """Nothing is wider than the screen, and everything to press can be hit."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for box in hands.frames(page, "main :is(.outline, summary)"):
        assert box["height"] >= 44, box
        assert box["width"] >= 44, box


@pytest.mark.parametrize(
    "look",
    [
        {"size": PHONE, "locale": "de"},
        long({"size": DESKTOP, "color_scheme": "dark"}),
        long({"size": {"width": 320, "height": 568}, "forced_colors": "active", "locale": "de"}),
    ],
    ids=["phone", "desktop", "small"],
)
def test_the_review_is_found_from_the_result_and_can_be_read(
    visit: Visit, site: str, app: Flask, services: Services, look: dict[str, Any]
) -> None:
    page = visit("/nothing", **look)
    page.goto(f"{ended.PATH}/review")
    clean(page)
    fits(page)
    ended.become(page.context, app, ended.finished(services), site)
    page.goto(ended.PATH)
    page.locator(f'main a[href="{ended.PATH}/review"]').click()
    expect(page).to_have_url(f"{site}{ended.PATH}/review")
    expect(page.locator(".costly li")).to_have_count(3)
    expect(page.locator(".decisions .turn")).to_have_count(11)
    clean(page)
    fits(page)
    page.goto("/me")
    expect(page.locator("#skill dd")).to_have_count(3)
    clean(page)
    fits(page)


def test_no_script_is_needed(visit: Visit, site: str, app: Flask, services: Services) -> None:
    page = visit("/nothing", java_script_enabled=False)
    ended.become(page.context, app, ended.finished(services), site)
    page.goto(f"{ended.PATH}/review")
    expect(page.locator(".course polyline")).to_have_count(1)
    expect(page.locator(".decisions .turn")).to_have_count(11)
