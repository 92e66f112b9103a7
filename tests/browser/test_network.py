"""A bad network: a move waits visibly, goes out again by itself, and is never made twice."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser import hands
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
PATH = "/2026-11-30/yacht"
WAITS = "No answer. Your move is kept and sent again."
OFFLINE = "You are offline. Your dice stay as they lie."


def _lost(route: Route) -> None:
    """The server has it, the page never hears."""
    route.fetch()
    route.abort("internetdisconnected")


def test_a_roll_waits_for_the_connection_and_goes_out_by_itself(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 0, 4)
    page.context.set_offline(True)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS)
    expect(page.locator("#live")).to_have_text(WAITS)
    expect(page.locator("form.waits.throws")).to_have_count(1)
    assert hands.held(page) == [0, 4]
    hands.all_in_sight(page)
    page.context.set_offline(False)
    hands.moved(page, 1)
    assert hands.held(page) == [0, 4]
    hands.agrees(page)


def test_holds_of_a_move_on_its_way_do_not_change(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 0, 4)
    page.context.set_offline(True)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS)
    page.locator("label.die").nth(1).click()
    page.keyboard.press("1")
    assert hands.held(page) == [0, 4]


def test_an_entry_on_its_way_stands_in_dashed_pen(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    page.context.set_offline(True)
    page.locator("button.cell[value=chance]").click()
    expect(page.locator("[data-box=chance]")).to_have_class("line preview pending")
    border = page.locator("[data-box=chance] .value").evaluate(
        "value => getComputedStyle(value).borderTopStyle"
    )
    assert border == "dashed"
    page.context.set_offline(False)
    hands.moved(page, 1)
    expect(page.locator("[data-box=chance]")).to_contain_text("entered")


def test_a_lost_answer_is_asked_for_again_and_nothing_is_done_twice(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    page.route(f"**{PATH}", _lost, times=1)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS)
    hands.moved(page, 1)
    hands.agrees(page)
    assert hands.game(page)["ply"] == 2


def test_a_lost_answer_to_the_first_roll_makes_one_player_and_one_game(visit: Visit) -> None:
    page = visit("/")
    page.route(f"**{PATH}", _lost, times=1)
    page.locator("#roll").click()
    hands.moved(page, 0)
    hands.agrees(page)
    assert page.request.get(f"{hands.API}/yacht").json()["started"] == 1


@pytest.mark.parametrize("status", [long(502), 503])
def test_a_server_that_is_away_for_a_moment_is_asked_again(visit: Visit, status: int) -> None:
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 0, 4)
    away = {"status": status, "body": "<main id=main>"}
    page.route(f"**{PATH}", lambda route: route.fulfill(**away), times=1)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS)
    hands.moved(page, 1)
    assert hands.held(page) == [0, 4]


def test_a_press_while_a_move_waits_only_hurries_it(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    page.route(f"**{PATH}", _lost, times=2)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS)
    page.locator("#roll").click()
    page.locator("button.cell[value=chance]").click()
    hands.moved(page, 1)
    assert hands.game(page)["ply"] == 2


def test_a_page_loaded_again_while_a_move_waits_shows_what_the_server_has(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 0, 4)
    page.route(f"**{PATH}", lambda route: route.abort(), times=1)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS)
    page.reload()
    assert hands.ply(page) == hands.game(page)["ply"]


def test_offline_says_so_and_keeps_the_holds(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 0, 4)
    said = page.locator("#status").inner_text()
    page.context.set_offline(True)
    expect(page.locator("#status")).to_have_text(OFFLINE)
    expect(page.locator("#live")).to_have_text(OFFLINE)
    hands.all_in_sight(page)
    page.context.set_offline(False)
    expect(page.locator("#status")).to_have_text(said)
    assert hands.held(page) == [0, 4]


def test_offline_between_two_turns_the_line_comes_back_too(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    hands.enter(page, "chance")
    said = page.locator("#status").inner_text()
    page.context.set_offline(True)
    expect(page.locator("#status")).to_have_text(OFFLINE)
    page.context.set_offline(False)
    expect(page.locator("#status")).to_have_text(said)
