"""Whole games by tapping, by keyboard, without JavaScript: each step is held against the API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from challenge.game import rulesets
from tests.browser import hands, sayings
from tests.browser.conftest import DESKTOP, PHONE
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

HINT = {
    "en": "Grey: what a box would give. Tap one to enter it.",
    "de": "Grau steht, was ein Feld brächte. Tipp eins an.",
}
DONE = {"en": "Samedice #334 · ", "de": "Samedice Nr. 334 · "}


class Watcher:
    """Holds what a page shows against what the API says, in the page's language."""

    def __init__(self, page: Page, sheet: str, lang: str) -> None:
        self.page, self.sheet, self.lang = page, sheet, lang
        self.headers = {"Accept-Language": lang}
        boxes = self._get(f"/api/v1/rulesets/{sheet}")["boxes"]
        self.names = {box["box"]: box["name"] for box in boxes}

    def _get(self, path: str) -> Any:
        return self.page.request.get(path, headers=self.headers).json()

    def state(self) -> Any:
        """The game as the API has it."""
        return self._get(f"{hands.API}/{self.sheet}/game")

    def rolled(self) -> None:
        """After a roll: dice, previews, counters, sums, and what the status line says."""
        hands.agrees(self.page, self.sheet)
        state, held = self.state(), hands.held(self.page)
        first = state["round"] == 1 and not held and state["rolls_left"] and not state["notice"]
        said = HINT[self.lang] if first else sayings.with_dice(state, self.lang, held)
        expect(self.page.locator("#status")).to_have_text(said)
        self._sums(state)

    def entered(self, box: str) -> None:
        """After an entry that did not end the game."""
        state = self.state()
        said = sayings.between(state, self.lang, self.names, box)
        expect(self.page.locator("#status")).to_have_text(said)
        self._sums(state)

    def _sums(self, state: Any) -> None:
        rolls = f"{state['rolls_used']}/{state['rolls_used'] + state['rolls_left']}"
        counters = self.page.locator(".counters dd").all_text_contents()
        assert counters == [f"{state['round']}/{state['rounds']}", rolls]
        assert self.page.locator(".total .value").text_content() == str(state["total"])
        upper = state["upper"][0]
        sums = self.page.locator(".line.sum .value, .line.bonus .value")
        assert sums.first.text_content() == str(upper["sum"])
        if not upper["awarded"]:
            short, line = upper["threshold"] - upper["sum"], self.page.locator(".bonus small")
            assert str(short) in (line.text_content() or "").split()


@pytest.mark.parametrize(
    ("sheet", "lang", "script"),
    [
        ("yacht", "en", True),
        long("yacht", "de", False),
        long("yacht", "de", True),
        long("yacht", "en", False),
        long("yatzy-order", "de", True),
        long("yatzy-order", "de", False),
    ],
)
def test_a_whole_game_by_tapping_with_everything_in_sight(
    visit: Visit, sheet: str, lang: str, script: bool
) -> None:
    page = visit(
        f"/2026-11-30/{sheet}", size=PHONE, locale=lang, java_script_enabled=script, has_touch=True
    )
    expect(page.locator("#status")).to_have_text(sayings.FIRST[lang])
    watcher = Watcher(page, sheet, lang)
    for turn in range(rulesets.find(sheet).rounds):
        hands.all_in_sight(page)
        hands.roll(page)
        watcher.rolled()
        hands.all_in_sight(page)
        for _ in range(turn % 3):
            hands.roll(page, *hands.most(page))
            watcher.rolled()
        hands.all_in_sight(page)
        box = hands.enter(page)
        if turn + 1 < rulesets.find(sheet).rounds:
            watcher.entered(box)
    text = page.locator("#text").input_value()
    assert text.startswith(DONE[lang])
    assert text == page.request.get(f"{hands.API}/{sheet}/game/share?lang={lang}").text()
    assert page.locator("html").get_attribute("lang") == lang


@pytest.mark.parametrize("lang", ["de", long("en")])
def test_a_whole_game_by_keyboard_alone_on_a_desktop(visit: Visit, lang: str) -> None:
    page = visit("/", size=DESKTOP, locale=lang)
    watcher = Watcher(page, "yacht", lang)
    for turn in range(13):
        before = hands.ply(page)
        page.keyboard.press("r")
        hands.moved(page, before)
        watcher.rolled()
        for position in hands.most(page):
            page.keyboard.press(str(position + 1))
        watcher.rolled()
        page.keyboard.press("Space")
        hands.moved(page, before + 1)
        watcher.rolled()
        box = _enter_by_keys(page)
        hands.moved(page, before + 2)
        if turn < 12:
            watcher.entered(box)
            assert page.evaluate("document.activeElement.id") == "roll"
    expect(page.locator("#text")).to_be_visible()
    assert page.evaluate("document.activeElement !== document.body")


def _enter_by_keys(page: Page) -> str:
    best = hands.best_box(page)
    page.keyboard.press("ArrowDown")
    for _ in range(13):
        if page.evaluate("document.activeElement.value") == best:
            break
        page.keyboard.press("ArrowDown")
    asks = page.evaluate("document.activeElement.name") == "ask"
    page.keyboard.press("Enter")
    if asks:
        expect(page.locator("#roll")).to_be_focused()
        page.keyboard.press("Shift+Tab")
        page.keyboard.press("Enter")
    return best
