"""The hints of a first visit: three, each in its place, gone after the first entry."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import Clock

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
SCRIPT = pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])

TURN = "Up to 3 rolls a turn, then choose a box."
DICE = "Tap the dice that are to stay."
BOXES = "Grey: what a box would give. Tap one to enter it."


@SCRIPT
def test_three_hints_stand_where_they_are_needed_until_the_first_entry(
    visit: Visit, script: bool
) -> None:
    page = visit("/", java_script_enabled=script)
    expect(page.get_by_text(TURN)).to_be_visible()
    hands.roll(page)
    expect(page.get_by_text(DICE)).to_be_visible()
    expect(page.get_by_text(BOXES)).to_be_visible()
    hands.enter(page)
    hands.roll(page)
    for hint in (TURN, DICE, BOXES):
        expect(page.get_by_text(hint)).to_have_count(0)


@SCRIPT
def test_hints_are_dismissed_for_good(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    page.get_by_role("button", name="Hide the hints").click()
    expect(page.get_by_text(TURN)).to_have_count(0)
    hands.roll(page)
    page.goto("/2026-11-30/yatzy")
    hands.roll(page)
    expect(page.get_by_text(DICE)).to_have_count(0)
    expect(page.locator("#status")).to_have_text("Pick the dice to keep, or choose a box.")


def test_hints_move_nothing(visit: Visit) -> None:
    for size in (PHONE, DESKTOP):
        page = visit("/", size=size)
        hands.roll(page)
        hands.hold(page, 0)
        before = hands.frames(page, ".line, .die, #roll")
        hands.hold(page)
        assert hands.frames(page, ".line, .die, #roll") == before
        if size == PHONE:
            hands.all_in_sight(page)


def test_who_has_a_result_needs_no_hints(visit: Visit, services: Services, clock: Clock) -> None:
    page = visit("/2026-11-30/generala", java_script_enabled=False)
    while page.locator("#game").count():
        hands.roll(page)
        hands.enter(page)
    services.worker.round()
    clock.set("2026-12-01 12:00")
    page.goto("/2026-12-01/generala")
    hands.roll(page)
    expect(page.locator("#status")).to_have_text("Pick the dice to keep, or choose a box.")
    expect(page.get_by_text(DICE)).to_have_count(0)
