"""Twice the size, forced colours: everything is reached, nothing lies over anything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import ended, hands
from tests.browser.conftest import PHONE
from tests.marks import some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

# What a window of this size leaves at 200 % zoom.
ZOOMED = [{"width": 640, "height": 400}, {"width": 320, "height": 512}]


@pytest.mark.parametrize("size", some(ZOOMED, 0), ids=["desktop", "tablet"])
@pytest.mark.parametrize("sheet", some(["yacht", "yatzy", "maxi-yatzy", "yacht-triple"], 1, 3))
def test_at_200_percent_nothing_is_cut_off_and_dice_and_roll_stay_in_sight(
    visit: Visit, size: Any, sheet: str
) -> None:
    page = visit(f"/2026-11-30/{sheet}", size=size, locale="de")
    hands.roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    expect(page.locator("#roll")).to_be_in_viewport(ratio=1)
    for box in page.locator("button.cell:enabled").all():
        box.focus()
        place = box.bounding_box()
        assert place is not None
        tray = hands.frames(page, ".tray")[0]
        covered = place["x"] < tray["right"] and place["x"] + place["width"] > tray["left"]
        assert not covered or place["y"] + place["height"] <= tray["top"] + 1
        assert place["y"] >= 0
    hands.enter(page)


def test_text_of_twice_the_size_scrolls_and_is_played(visit: Visit) -> None:
    page = visit("/", size=PHONE, locale="de")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    hands.roll(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    hands.hold(page, 0)
    hands.roll(page, 0)
    hands.enter(page)
    hands.agrees(page)


def _style(page: Page, selector: str, name: str) -> str:
    return str(
        page.locator(selector).first.evaluate(
            "(each, name) => getComputedStyle(each).getPropertyValue(name)", name
        )
    )


def test_in_forced_colours_every_state_has_a_border_of_its_own(visit: Visit) -> None:
    page = visit("/2026-11-30/yatzy-order", forced_colors="active")
    hands.roll(page)
    assert _style(page, ".preview .value", "border-top-style") == "solid"
    assert _style(page, ".barred .value", "border-top-style") == "dashed"
    hands.hold(page, 0)
    assert _style(page, "label.die .frame", "visibility") == "visible"
    assert _style(page, "label.die .frame", "stroke") != _style(page, "label.die .body", "stroke")
    hands.enter(page)
    assert _style(page, ".just .value", "border-top-width") == "2px"


def test_in_forced_colours_the_question_and_a_waiting_move_are_seen(visit: Visit) -> None:
    page = visit("/", forced_colors="active")
    hands.roll(page)
    page.locator("button.cell[value=yatzy]").click()
    expect(page.locator(".question")).to_be_visible()
    assert _style(page, ".pending .value", "border-top-style") == "dashed"
    no, other = (
        _style(page, f".split button:{n}-child", "background-color") for n in ("first", "last")
    )
    assert no != other
    page.context.set_offline(True)
    page.locator("#roll").click()
    expect(page.locator("form.waits")).to_have_count(1)
    assert _style(page, "#roll", "border-top-style") == "dashed"


@pytest.mark.parametrize("path", ["leaderboard", ""])
def test_in_text_of_twice_the_size_a_board_keeps_name_and_tag(
    visit: Visit, app: Flask, services: Services, site: str, path: str
) -> None:
    page = visit("/privacy", size=PHONE, locale="de")
    ended.become(page.context, app, ended.finished(services, "Würfelbaron von und zu W"), site)
    page.goto(f"{ended.PATH}/{path}".rstrip("/"))
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if not path:
        return
    (name,), (tag,) = (hands.frames(page, f".ranks .me .{part}") for part in ("player", "tag"))
    (mark,), (column,) = (hands.frames(page, f".ranks .me .{part}") for part in ("you", "who"))
    assert name["width"] >= 96  # some letters of it
    assert max(tag["right"], mark["right"]) <= column["right"]
    assert name["bottom"] <= min(tag["top"], mark["top"])
    for words in hands.frames(page, ".day-title p span, .day-title h1"):
        assert words["right"] <= PHONE["width"]


@pytest.mark.parametrize(
    "path", some(["/me", "/me/devices", "/me/data", "/transfer", "/groups"], 0, 4)
)
def test_in_text_of_twice_the_size_nothing_of_ones_own_sticks_out(
    visit: Visit, app: Flask, services: Services, site: str, path: str
) -> None:
    page = visit("/privacy", size=PHONE, locale="de")
    ended.become(page.context, app, ended.finished(services, "Mia"), site)
    page.goto(path)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
