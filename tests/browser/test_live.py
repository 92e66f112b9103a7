"""What a screen reader hears: the lines of a whole game, word for word."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
GOLDEN = Path(__file__).parent / "golden"

RECORD = """() => {
  window.heard = [];
  new MutationObserver(() => heard.push(document.querySelector('#live').textContent))
    .observe(document.querySelector("#live"), { childList: true, subtree: true });
}"""


def _played(page: Page) -> list[str]:
    """A whole game: two rolls a turn, a zero thought over, then the best box."""
    page.evaluate(RECORD)
    for turn in range(13):
        hands.roll(page)
        for _ in range(1 + turn % 2):
            hands.roll(page, *hands.most(page))
        if turn == 1:
            page.locator(f"button.cell[value={hands.worthless_box(page)}]").click()
            page.get_by_role("button", name=re.compile("Another box|Anderes Feld")).click()
            expect(page.locator(".question")).to_have_count(0)
        hands.enter(page)
    return list(page.evaluate("heard"))


@pytest.mark.parametrize("lang", [long("en"), "de"])
def test_the_lines_of_a_whole_game_are_as_written_down(visit: Visit, lang: str) -> None:
    heard = _played(visit("/", locale=lang))
    golden = GOLDEN / f"live-{lang}.txt"
    assert heard == golden.read_text(encoding="utf-8").splitlines()


def test_the_region_is_polite_and_alone(visit: Visit) -> None:
    page = visit("/")
    expect(page.get_by_role("status")).to_have_count(1)
    hands.roll(page)
    expect(page.locator("#live")).to_have_attribute("role", "status")
