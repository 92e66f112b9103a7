"""Sheets, rules and archive in a browser: by keyboard, without overflow, without violations."""

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

PATHS = (
    "/2026-11-30",
    "/2026-11-05",
    "/rules",
    "/rules?q=yam",
    "/rules?q=qqqq",
    "/rules/yacht",
    "/rules/maxi-yatzy-order",
    "/rules/yacht-triple",
    "/rules/yams-joker-premium",
    "/rules/generala",
    "/archive",
    "/archive?month=2026-01&sheet=yatzy-order-b25-side",
)
LOOKS: list[dict[str, Any]] = [
    {"color_scheme": "light", "size": PHONE, "locale": "de"},
    {"color_scheme": "dark", "size": PHONE},
    {"color_scheme": "light", "size": DESKTOP},
    {"color_scheme": "dark", "size": DESKTOP, "locale": "de"},
    {"forced_colors": "active", "size": PHONE},
]


@pytest.mark.parametrize(
    "look", some(LOOKS, 0), ids=lambda look: "-".join(map(str, look.values()))[:24]
)
def test_axe_finds_nothing(visit: Visit, look: dict[str, Any]) -> None:
    page = visit("/2026-11-05/yacht", **look)
    hands.roll(page)
    hands.enter(page)
    for path in PATHS:
        page.goto(path)
        found = Axe().run(page).response["violations"]
        assert [(path, each["id"], [n["html"] for n in each["nodes"]][:2]) for each in found] == []


@pytest.mark.parametrize("locale", some(["de", "en"], 0))
@pytest.mark.parametrize("width", some([320, 360, 768, 960, 1280], 0, 3))
def test_nothing_sticks_out_at_any_width(visit: Visit, width: int, locale: str) -> None:
    page = visit("/rules", size={"width": width, "height": 640}, locale=locale)
    for path in PATHS:
        page.goto(path)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        wide = page.locator("main :is(td, tbody th, a, dd, li)").evaluate_all(
            "all => all.filter(each => each.scrollWidth > each.clientWidth + 1 "
            "&& getComputedStyle(each).display !== 'inline').map(each => each.outerHTML)"
        )
        assert wide == [], path


def test_every_target_is_large_enough_for_a_thumb(visit: Visit) -> None:
    for path in ("/2026-11-30", "/rules", "/archive"):
        page = visit(path)
        for box in page.locator(
            "main :is(.links a, .month a, .ways a, button, select, input)"
        ).all():
            place = box.bounding_box()
            if place is not None:
                assert min(place["width"], place["height"]) >= 44, (path, box.inner_text())


def test_a_sheet_is_found_and_read_by_keyboard_alone(visit: Visit) -> None:
    page = visit("/rules", size=DESKTOP)
    page.get_by_label("Find a sheet by its name").focus()
    page.keyboard.type("Yams")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="4 sheets")).to_be_visible()
    page.get_by_label("Find a sheet by its name").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1, name="French sheet")).to_be_visible()
    expect(page.get_by_role("img", name="Dice: 4, 4, 4, 4, 4").first).to_be_visible()


def test_a_past_day_is_reached_by_keyboard_and_its_result_stands_in_the_calendar(
    visit: Visit,
) -> None:
    page = visit("/archive?sheet=generala", size=DESKTOP)
    page.get_by_role("link", name="5", exact=True).focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/2026-11-05/generala")
    for _ in range(11):
        hands.roll(page)
        hands.enter(page)
    expect(page.locator("#text")).to_be_visible()
    points = page.request.get("/api/v1/challenges/2026-11-05/generala/game").json()["total"]
    page.goto("/archive?sheet=generala")
    expect(page.get_by_role("link", name=f"5 {points} points, archive")).to_be_visible()


def test_the_sheet_of_the_calendar_is_chosen_without_javascript(visit: Visit) -> None:
    page = visit("/archive?month=2026-10", java_script_enabled=False)
    page.get_by_label("Results on this sheet").select_option("Yatzy")
    page.get_by_role("button", name="Show").click()
    assert "sheet=yatzy" in page.url
    assert "month=2026-10" in page.url
    expect(page.get_by_role("table", name="October 2026, Yatzy")).to_be_visible()
    page.get_by_role("link", name="September 2026").click()
    expect(page.get_by_role("table", name="September 2026, Yatzy")).to_be_visible()


def test_dice_keep_their_pips_in_every_look(visit: Visit) -> None:
    for look in LOOKS:
        page = visit("/rules/yacht", **look)
        expect(page.locator(".throw").first).to_be_visible()
        spots, body = page.locator("#face-1").evaluate(
            "each => ['.spots', '.body'].map(part => "
            "getComputedStyle(each.querySelector(part)).fill)"
        )
        assert spots != body


def test_the_menu_of_a_phone_leads_to_sheets_archive_and_rules(visit: Visit) -> None:
    page = visit("/", locale="de")
    for name, heading in (
        ("Archiv", "Archiv"),
        ("Blöcke", "Blöcke"),
        ("Regeln", "Yacht-Würfelspiel"),
    ):
        page.locator(".menu summary").click()
        page.locator(".sheet-menu").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1, name=heading)).to_be_visible()
