"""Playing in a real browser: what happens around the moves; whole games are in test_whole_game."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from challenge.game import rulesets
from tests.browser import hands
from tests.browser.conftest import PHONE
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
PATH = "/2026-11-30/yacht"


@pytest.mark.parametrize("sheet", ["maxi-yatzy", long("yacht-triple"), long("yatzy-order")])
def test_a_long_sheet_is_played_with_the_dice_in_sight(visit: Visit, sheet: str) -> None:
    page = visit(f"/2026-11-30/{sheet}")
    for _ in range(rulesets.find(sheet).rounds):
        hands.roll(page)
        expect(page.locator(".dice")).to_be_in_viewport()
        expect(page.locator("#roll")).to_be_in_viewport()
        hands.enter(page)
    assert hands.game(page, sheet)["finished"]


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_double_click_makes_one_player_and_one_action(visit: Visit, script: bool) -> None:
    page = visit("/", java_script_enabled=script)
    page.locator("#roll").dblclick()
    hands.moved(page, 0)
    page.reload()
    hands.agrees(page)
    assert hands.ply(page) == 1
    assert page.request.get(f"{hands.API}/yacht").json()["started"] == 1


def test_a_double_click_never_rolls_dice_away_unseen(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    before = hands.ply(page)
    page.locator("#roll").click()
    hands.moved(page, before)
    page.locator("#roll").dispatch_event("click", {"detail": 2})
    expect(page.locator("#game")).not_to_have_attribute("aria-busy", "true")
    page.reload()
    assert hands.ply(page) == before + 1


def test_the_status_line_says_what_stays_and_what_rolls(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    one = hands.faces(page)[0]
    names = ["one", "two", "three", "four", "five", "six"]
    hands.hold(page, 0)
    said = f"A {names[one - 1]} stays, four dice roll again."
    expect(page.locator("#status")).to_have_text(said)
    expect(page.locator("label.die").first).to_contain_text("held")
    hands.hold(page, 0, 1, 2, 3, 4)
    expect(page.locator("#status")).to_contain_text("Every die is held.")


def test_held_dice_stay_where_they_lie(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    before = hands.faces(page)
    hands.roll(page, 1, 3)
    after = hands.faces(page)
    assert (after[1], after[3]) == (before[1], before[3])
    assert hands.held(page) == [1, 3]


def test_only_the_thrown_dice_tumble_and_only_where_motion_is_welcome(visit: Visit) -> None:
    record = """() => { window.turned = []; const animate = Element.prototype.animate;
        Element.prototype.animate = function (...given) {
            const { duration, delay } = given[1];
            const dice = [...document.querySelectorAll('.die svg')];
            turned.push([dice.indexOf(this), duration + delay]);
            return animate.apply(this, given); } }"""
    page = visit("/", reduced_motion="no-preference")
    hands.roll(page)
    hands.hold(page, 1, 3)
    page.evaluate(record)
    hands.roll(page, 1, 3)
    turned = page.evaluate("turned")
    assert [position for position, _ in turned] == [0, 2, 4]
    assert max(lasts for _, lasts in turned) < 400
    page.evaluate("Promise.all(document.getAnimations().map(turn => turn.finished)).then(() => 0)")
    expect(page.locator(".die .pips circle")).to_have_count(sum(hands.faces(page)))
    calm = visit("/", reduced_motion="reduce")
    calm.evaluate(record)
    hands.roll(calm)
    assert calm.evaluate("turned") == []


def test_a_second_tab_is_shown_how_the_game_stands(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    second = page.context.new_page()
    second.goto(PATH)
    hands.enter(second, "chance")
    page.locator("button.cell[value=ones]").click()
    expect(page.locator("#status")).to_contain_text("The game has moved on elsewhere.")
    expect(page.locator("#live")).to_contain_text("The game has moved on elsewhere.")
    hands.agrees(page)


def test_focus_is_never_lost_after_a_move(visit: Visit) -> None:
    page = visit("/")
    page.locator("#roll").focus()
    page.keyboard.press("Enter")
    hands.moved(page, 0)
    assert page.evaluate("document.activeElement.id") == "roll"
    page.locator("button.cell[value=chance]").focus()
    page.keyboard.press("Enter")
    hands.moved(page, 1)
    assert page.evaluate("document.activeElement.id") == "roll"


def test_the_live_region_says_every_roll_and_entry(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    dice = ", ".join(map(str, hands.faces(page)))
    live = page.locator("#live")
    expect(live).to_contain_text(f"Roll 1 of 3: {dice}.")
    points = hands.previews(page)["chance"]
    hands.enter(page, "chance")
    expect(live).to_have_text(f"{points} points in Chance. On to round 2.")


def test_the_language_is_switched_in_the_menu(visit: Visit) -> None:
    page = visit("/", size=PHONE)
    page.locator(".menu summary").click()
    page.locator(".menu button[lang=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator("#roll")).to_have_text("Würfeln")


def test_the_menu_closes_by_escape_by_a_tap_beside_it_and_behind_the_help(visit: Visit) -> None:
    page = visit("/", size=PHONE)
    button, first = page.locator(".menu summary"), page.locator(".sheet-menu a").first
    button.click()
    first.focus()
    page.keyboard.press("Escape")
    expect(first).to_be_hidden()
    expect(button).to_be_focused()
    button.click()
    page.locator(".where").click()
    expect(first).to_be_hidden()
    button.click()
    page.locator(".menu [popovertarget]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(first).to_be_hidden()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_a_browser_that_stores_nothing_plays_all_the_same(visit: Visit) -> None:
    page = visit("/")
    page.add_init_script(
        """for (const kind of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, kind, { get() { throw new Error('storage is off'); } });"""
    )
    page.reload()
    hands.roll(page)
    hands.roll(page, 0, 2)
    page.keyboard.press("?")
    page.locator("#ask-zero").uncheck()
    page.keyboard.press("Escape")
    hands.enter(page, "chance")
    hands.agrees(page)
