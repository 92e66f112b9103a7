"""Accessibility: axe finds nothing, forced colours keep their borders."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.marks import some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

LOOKS: list[dict[str, Any]] = [
    {"color_scheme": "light", "size": PHONE},
    {"color_scheme": "dark", "size": PHONE},
    {"color_scheme": "light", "size": DESKTOP},
    {"color_scheme": "dark", "size": DESKTOP, "locale": "de"},
    {"forced_colors": "active", "size": PHONE},
]


def clean(page: Page) -> None:
    """Axe finds nothing on the page as it stands."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [n["html"] for n in each["nodes"]][:3]) for each in found] == []


@pytest.mark.parametrize(
    "look", some(LOOKS, 0, 3), ids=lambda look: "-".join(map(str, look.values()))[:20]
)
def test_axe_finds_nothing_in_any_state_of_a_game(visit: Visit, look: dict[str, Any]) -> None:
    page = visit("/2026-11-30/generala", **look)
    clean(page)
    hands.roll(page)
    hands.hold(page, 0, 1)
    clean(page)
    hands.roll(page, 0)
    hands.roll(page, 0)
    clean(page)
    hands.enter(page)
    clean(page)
    for _ in range(10):
        hands.roll(page)
        hands.enter(page)
    expect(page.locator("#text")).to_be_visible()
    clean(page)


@pytest.mark.parametrize(
    "path",
    ["/2026-11-30", "/2026-11-30/yacht/leaderboard", "/2026-11-30/yatzy-order", "/nothing",
     "/2026-12-01/yacht", "/2026-10-30/yacht-triple"],
)  # fmt: skip
@pytest.mark.parametrize("look", some(LOOKS[:3:2], 0), ids=["phone", "desktop"])
def test_axe_finds_nothing_on_any_page(visit: Visit, path: str, look: dict[str, Any]) -> None:
    page = visit(path, **look)
    clean(page)
    if page.locator("#roll").count():
        hands.roll(page)
        clean(page)


def test_the_game_reads_like_a_game(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    first = hands.faces(page)[0]
    expect(page.get_by_role("checkbox", name=str(first)).first).to_be_visible()
    points = hands.previews(page)["chance"]
    expect(page.get_by_role("button", name=f"Chance {points} points possible")).to_be_visible()
    expect(page.get_by_role("button", name="Roll · 2 left")).to_be_visible()
    hands.enter(page, "chance")
    expect(page.locator("[data-box=chance]")).to_contain_text(f"{points} points entered")
    expect(page.get_by_role("heading", level=1, name="Yacht")).to_have_count(1)
