"""Help and keys: opened by ? or by a button, also without JavaScript; keys can be switched off."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def test_the_question_mark_opens_the_help_and_closes_it(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    help_ = page.get_by_role("dialog", name="How to play")
    page.locator("#roll").focus()
    page.keyboard.press("?")
    expect(help_).to_be_visible()
    for words in ("hold a die or let it go", "walk over the open boxes", "Keys are on"):
        expect(help_).to_contain_text(words)
    page.keyboard.press("r")
    assert hands.ply(page) == 0
    page.keyboard.press("?")
    expect(help_).to_be_hidden()
    expect(page.locator("#roll")).to_be_focused()
    page.keyboard.press("r")
    hands.moved(page, 0)


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_the_help_is_opened_by_a_button_everywhere(visit: Visit, script: bool) -> None:
    page = visit("/", size=PHONE, java_script_enabled=script)
    page.locator(".menu summary").click()
    page.locator(".menu").get_by_role("button", name="How to play").click()
    help_ = page.get_by_role("dialog", name="How to play")
    expect(help_).to_be_visible()
    help_.get_by_role("button", name="Close").click()
    expect(help_).to_be_hidden()
    wide = visit("/", size=DESKTOP, java_script_enabled=script)
    button = wide.locator(".keys").get_by_role("button", name="? help")
    button.focus()
    wide.keyboard.press("Enter")
    expect(wide.get_by_role("dialog")).to_be_visible()
    wide.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_keys_can_be_switched_off(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    page.keyboard.press("?")
    page.locator("#keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("r")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_hidden()
    page.reload()
    page.keyboard.press("r")
    expect(page.locator("#keys")).not_to_be_checked()
    assert hands.ply(page) == 0


def test_keys_with_a_modifier_belong_to_the_browser(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    for key in ("Alt+r", "Shift+R"):
        page.keyboard.press(key)
    assert hands.ply(page) == 0


def test_a_capital_r_of_caps_lock_rolls(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    page.evaluate(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'R', bubbles: true }))"
    )
    hands.moved(page, 0)


def test_arrows_reach_every_open_box_of_both_columns(visit: Visit) -> None:
    page = visit("/", size=DESKTOP)
    hands.roll(page)
    seen = []
    for _ in range(13):
        page.keyboard.press("ArrowDown")
        seen.append(page.evaluate("document.activeElement.value"))
    assert sorted(seen) == sorted(hands.previews(page))
    page.locator("button.cell[value=ones]").focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.value") == "three_kind"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.value") == "ones"
