"""What a phone shows: all of a game up to 15 boxes, without scrolling."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser import hands
from tests.browser.conftest import DESKTOP
from tests.marks import long, some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
TOUCH = 44  # px, the smallest target

TARGETS = "button.cell, label.die, #roll, .menu summary"


@pytest.mark.parametrize("locale", ["de", long("en")])
@pytest.mark.parametrize("sheet", ["yacht", "yatzy", "yatzy-order-b25-side", "yams", "generala"])
def test_a_sheet_of_up_to_15_boxes_is_all_in_sight(visit: Visit, sheet: str, locale: str) -> None:
    page = visit(f"/2026-11-30/{sheet}", locale=locale)
    hands.all_in_sight(page)
    hands.roll(page)
    hands.all_in_sight(page)
    hands.roll(page, 0, 1)
    hands.roll(page, 0, 1)
    hands.all_in_sight(page)
    hands.enter(page)
    hands.all_in_sight(page)


@pytest.mark.parametrize("sheet", some(["yacht", "yatzy", "maxi-yatzy", "yacht-triple"], 1, 3))
def test_every_target_is_large_enough_for_a_thumb(visit: Visit, sheet: str) -> None:
    page = visit(f"/2026-11-30/{sheet}")
    hands.roll(page)
    for box in hands.frames(page, TARGETS):
        assert min(box["width"], box["height"]) >= TOUCH


@pytest.mark.parametrize("width", some([320, 360, 768, 960, 1280], 0, 2))
@pytest.mark.parametrize("sheet", ["yacht", long("maxi-yatzy"), long("yacht-triple")])
def test_nothing_sticks_out_at_any_width(visit: Visit, sheet: str, width: int) -> None:
    page = visit(f"/2026-11-30/{sheet}", size={"width": width, "height": 800}, locale="de")
    hands.roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator(".cell").evaluate_all(
        "cells => cells.every(cell => cell.scrollWidth <= cell.clientWidth + 1)"
    )


@pytest.mark.parametrize("size", [DESKTOP, {"width": 640, "height": 400}], ids=["desktop", "flat"])
@pytest.mark.parametrize("locale", [long("en"), "de"])
def test_the_roll_button_stays_where_it_is_all_turn(visit: Visit, size: Any, locale: str) -> None:
    page = visit("/", size=size, locale=locale)
    tops = []
    for held in ((), (0,), (0, 1, 2, 3)):
        hands.hold(page, *held)
        tops += [frame["top"] for frame in hands.frames(page, "#roll")]
        hands.roll(page, *held)
        tops += [frame["top"] for frame in hands.frames(page, "#roll")]
    assert max(tops) - min(tops) < 1, tops


def test_on_a_desktop_the_sheet_stands_beside_the_dice(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    hands.roll(page)
    sheet, tray = hands.frames(page, ".paper")[0], hands.frames(page, ".tray")[0]
    assert sheet["right"] <= tray["left"] + 1
    assert tray["bottom"] <= DESKTOP["height"]


def test_a_focused_box_is_never_under_the_tray(visit: Visit) -> None:
    page = visit("/2026-11-30/maxi-yatzy")
    hands.roll(page)
    for box in page.locator("button.cell:enabled").all():
        box.focus()
        place = box.bounding_box()
        assert place is not None
        assert place["y"] + place["height"] <= hands.frames(page, ".tray")[0]["top"] + 1
