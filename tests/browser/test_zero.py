"""A zero is asked about once where another box would score; the question can be switched off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])


def _press(page: Page, box: str) -> None:
    page.locator(f"button.cell[value='{box}']").click()


@SCRIPT
def test_the_question_stands_in_the_tray_and_nothing_is_entered_yet(
    visit: Visit, script: bool
) -> None:
    page = visit("/", java_script_enabled=script)
    hands.roll(page)
    hands.hold(page, 0, 3)
    tray = hands.frames(page, ".tray")
    _press(page, "yatzy")
    status = page.locator("#status")
    expect(status).to_have_text("Score 0 in Five of a kind? Other boxes would score.")
    expect(page.locator("[data-box=yatzy]")).to_have_class("line preview pending")
    assert hands.held(page) == [0, 3]
    assert hands.game(page)["ply"] == 1
    hands.agrees(page)
    no, other = hands.frames(page, ".split button")
    assert no["right"] < other["left"]
    assert min(no["height"], other["height"]) >= 44
    assert hands.frames(page, ".tray") == tray
    hands.all_in_sight(page)


@pytest.mark.parametrize("locale", ["de", long("en")])
@pytest.mark.parametrize("sheet", ["yacht", "yatzy", long("yams"), long("yatzy-13")])
def test_whatever_the_name_of_the_box_the_question_moves_nothing(
    visit: Visit, sheet: str, locale: str
) -> None:
    page = visit(f"/2026-11-30/{sheet}", locale=locale)
    hands.roll(page)
    tray = hands.frames(page, ".tray, .dice")
    for box in [box for box, points in hands.previews(page).items() if not points]:
        _press(page, box)
        expect(page.locator("button[name=zero]")).to_have_attribute("value", box)
        assert hands.frames(page, ".tray, .dice") == tray, box


@SCRIPT
def test_another_box_leads_back_with_the_holds(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    hands.roll(page)
    hands.hold(page, 0, 3)
    _press(page, "yatzy")
    page.get_by_role("button", name="Another box").click()
    expect(page.get_by_role("button", name="Roll · 2 left")).to_be_visible()
    assert hands.held(page) == [0, 3]
    hands.roll(page, 0, 3)
    hands.agrees(page)


@SCRIPT
def test_score_0_enters_it(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    hands.roll(page)
    _press(page, "yatzy")
    page.get_by_role("button", name="Score 0").click()
    hands.moved(page, 1)
    expect(page.locator("[data-box=yatzy]")).to_contain_text("struck out")
    assert {box["box"]: box["score"] for box in hands.game(page)["boxes"]}["yatzy"] == 0


@SCRIPT
def test_a_second_tap_on_the_box_asks_again_and_enters_nothing(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    hands.roll(page)
    for _ in range(2):
        _press(page, "yatzy")
        expect(page.locator("#game[aria-busy]")).to_have_count(0)  # a press meanwhile is none
        expect(page.locator(".question")).to_be_visible()
    _press(page, "large_straight")
    expect(page.locator("#status")).to_contain_text("Score 0 in Large straight?")
    assert hands.game(page)["ply"] == 1


@SCRIPT
def test_a_box_that_scores_is_not_asked_about(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    hands.roll(page)
    _press(page, "chance")
    hands.moved(page, 1)


@SCRIPT
def test_no_question_where_no_other_box_would_score(visit: Visit, script: bool, app: Flask) -> None:
    page = visit("/2026-11-30/yatzy-order", java_script_enabled=script)
    while True:  # only one box is open at a time on this sheet
        hands.roll(page)
        ((box, points),) = hands.previews(page).items()
        before = hands.ply(page)
        _press(page, box)
        hands.moved(page, before)
        if not points:
            break


@SCRIPT
def test_the_question_is_switched_off_where_it_is_asked(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    hands.roll(page)
    _press(page, "yatzy")
    page.get_by_label("Don’t ask again").check()
    page.get_by_role("button", name="Score 0").click()
    hands.moved(page, 1)
    hands.roll(page)
    page.reload()
    _press(page, hands.worthless_box(page))
    hands.moved(page, 3)
    cookies = {cookie["name"] for cookie in page.context.cookies()}
    assert ("zero" in cookies) is not script


def test_the_question_is_switched_on_again_in_the_help(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    page.keyboard.press("?")
    page.locator("#ask-zero").uncheck()
    page.reload()
    page.keyboard.press("?")
    expect(page.locator("#ask-zero")).not_to_be_checked()
    page.locator("#ask-zero").check()
    page.keyboard.press("Escape")
    hands.roll(page)
    _press(page, "yatzy")
    expect(page.locator(".question")).to_be_visible()


def test_without_a_script_the_help_switches_it_off_and_on(visit: Visit) -> None:
    page = visit("/", size=PHONE, java_script_enabled=False)
    hands.roll(page)
    for name, asks in (("Don’t ask before a 0", False), ("Ask before a 0", True)):
        page.locator(".menu summary").click()
        page.locator(".menu").get_by_role("button", name="How to play").click()
        page.locator("#help").get_by_role("button", name=name).click()
        page.goto("/")
        button = page.locator("button.cell[value=yatzy]")
        expect(button).to_have_attribute("name", "ask" if asks else "box")
    assert "zero" not in {cookie["name"] for cookie in page.context.cookies()}


def test_by_keyboard_the_question_holds_the_focus_and_gives_it_back(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    hands.roll(page)
    box = page.locator("button.cell[value=yatzy]")
    box.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Another box")).to_be_focused()
    expect(page.locator("#live")).to_have_text(
        "Score 0 in Five of a kind? Other boxes would score."
    )
    page.keyboard.press("Enter")
    expect(box).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".question")).to_be_visible()
    page.keyboard.press("Escape")
    expect(box).to_be_focused()
    assert hands.game(page)["ply"] == 1
