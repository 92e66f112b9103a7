"""A tab left open: the turn of the day, a sleep, a wrong clock, a new version, the way back."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from challenge.web import assets
from tests.browser import hands
from tests.conftest import Clock
from tests.marks import some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
PATH = "/2026-11-30/yacht"
COUNTS = "Day over. Finish by 03:00 and it counts."


@pytest.fixture
def late(visit: Visit, clock: Clock) -> Callable[..., Page]:
    """Opens a page half a minute before the rollover; the clock of the device may be wrong."""

    def open_page(path: str = "/", device: str = "2026-11-30T23:59:30Z") -> Page:
        clock.set("2026-11-30 23:59:30")
        page = visit(path)
        page.clock.install(time=device)
        page.reload()
        return page

    return open_page


def _wakes(page: Page) -> None:
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


@pytest.mark.parametrize(
    "device", some(["2026-11-30T23:59:30Z", "2019-05-01T08:00:00Z", "2031-02-03T04:05:06Z"], 1)
)
def test_a_tab_left_open_finishes_the_game_of_its_day_and_offers_the_new_one(
    late: Callable[..., Page], clock: Clock, device: str
) -> None:
    page = late(device=device)
    hands.roll(page)
    hands.hold(page, 0, 4)
    clock.set("2026-12-01 00:00:01")
    page.clock.fast_forward(31_000)
    expect(page.locator(".banner").first).to_contain_text(COUNTS)
    expect(page.locator("#live")).to_contain_text(COUNTS)
    assert hands.held(page) == [0, 4]
    hands.all_in_sight(page)
    hands.roll(page, 0, 4)
    hands.agrees(page)
    while page.locator("#game").count():
        if page.locator("button.cell:enabled").count():
            hands.enter(page)
        else:
            hands.roll(page)
    state = hands.game(page)
    assert (state["mode"], state["standing"]["players"]) == ("daily", 1)
    assert "Samedice #334" in page.locator("#text").input_value()
    page.goto("/")
    expect(page.locator(".where")).to_contain_text("No. 335")
    assert hands.ply(page) == 0


def test_nothing_is_asked_before_the_day_turns(late: Callable[..., Page], clock: Clock) -> None:
    page = late()
    hands.roll(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.fast_forward(20_000)
    assert page.evaluate("document.querySelectorAll('.banner:not([hidden])').length") == 0
    assert asked == []


def test_a_device_clock_set_back_while_we_look_hides_nothing(
    late: Callable[..., Page], clock: Clock
) -> None:
    page = late()
    hands.roll(page)
    page.clock.set_system_time("2026-11-29T23:59:40Z")
    clock.set("2026-12-01 00:00:01")
    page.clock.fast_forward(31_000)
    expect(page.locator(".banner").first).to_contain_text(COUNTS)


def test_a_game_not_begun_before_the_turn_leads_to_the_new_day(
    late: Callable[..., Page], clock: Clock
) -> None:
    page = late()
    clock.set("2026-12-01 00:00:01")
    page.clock.fast_forward(31_000)
    roll = page.locator("#roll")
    expect(roll).to_have_text("To today’s dice")
    roll.click()
    expect(page.locator(".where")).to_contain_text("No. 335")
    page.locator("button#roll").click()
    hands.moved(page, 0)
    assert page.request.get("/api/v1/challenges/2026-12-01/yacht/game").json()["ply"] == 1


def test_a_roll_that_comes_a_moment_too_late_begins_nothing(
    late: Callable[..., Page], clock: Clock
) -> None:
    page = late()
    clock.set("2026-12-01 00:00:01")
    page.locator("#roll").click()
    expect(page.get_by_role("heading", name="This day is over")).to_be_visible()
    assert page.request.get("/api/v1/challenges/2026-12-01/yacht").json()["started"] == 0
    page.get_by_role("link", name="To today’s dice").first.click()
    expect(page.locator(".where")).to_contain_text("No. 335")


def test_after_a_sleep_the_tab_looks_at_once(late: Callable[..., Page], clock: Clock) -> None:
    page = late()
    hands.roll(page)
    hands.hold(page, 2)
    clock.set("2026-12-01 01:30")
    _wakes(page)
    expect(page.locator(".banner").first).to_contain_text(COUNTS)
    assert hands.held(page) == [2]


def test_a_page_taken_out_of_the_browser_s_memory_looks_too(
    late: Callable[..., Page], clock: Clock
) -> None:
    page = late()
    hands.roll(page)
    clock.set("2026-12-01 01:30")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator(".banner").first).to_contain_text(COUNTS)


def test_after_the_close_the_game_goes_on_as_archive(
    late: Callable[..., Page], clock: Clock
) -> None:
    page = late()
    hands.roll(page)
    hands.hold(page, 1, 2)
    clock.set("2026-12-01 03:00")
    _wakes(page)
    expect(page.locator(".banner").first).to_contain_text("Archive of 30 November: off the board.")
    assert hands.held(page) == [1, 2]
    hands.roll(page, 1, 2)
    assert hands.game(page)["mode"] == "archive"


def test_who_loads_the_start_page_after_midnight_finds_yesterday_s_game(
    late: Callable[..., Page], clock: Clock
) -> None:
    page = late()
    hands.roll(page)
    clock.set("2026-12-01 00:10")
    page.reload()
    expect(page.locator(".where")).to_contain_text("No. 335")
    page.get_by_role("link", name="Finish yesterday’s Yacht by 03:00").click()
    expect(page.locator(".where")).to_contain_text("No. 334")
    hands.roll(page)
    clock.set("2026-12-01 03:00")
    page.goto("/")
    expect(page.get_by_text("Finish yesterday’s")).to_have_count(0)


def test_a_new_version_is_offered_and_nothing_is_lost(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("/")
    hands.roll(page)
    expect(page.locator("#newer")).to_be_hidden()
    monkeypatch.setattr(assets, "digest", lambda: "0123456789ab")
    hands.roll(page, 0)
    expect(page.locator("#newer")).to_be_visible()
    hands.hold(page, 1, 3)
    with page.expect_navigation(wait_until="load"):
        page.get_by_role("link", name="Load it again").click()
    expect(page.locator("#newer")).to_be_hidden()
    assert (hands.ply(page), hands.held(page)) == (2, [1, 3])
    expect(page.locator("#status")).to_contain_text("three dice roll again")


def test_a_new_version_is_noticed_on_coming_back(
    visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = visit("/")
    hands.roll(page)
    monkeypatch.setattr(assets, "digest", lambda: "0123456789ab")
    _wakes(page)
    expect(page.locator("#newer")).to_be_visible()


def test_a_tab_that_comes_back_shows_what_another_one_did(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    second = page.context.new_page()
    second.goto(PATH)
    hands.enter(second, "chance")
    _wakes(page)
    hands.moved(page, 1)
    hands.agrees(page)


def test_back_and_forward_lead_to_the_game_as_it_stands_with_its_holds(visit: Visit) -> None:
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 1, 3)
    page.goto(f"{PATH}/leaderboard")
    page.go_back()
    expect(page.locator("label.die")).to_have_count(5)
    assert hands.held(page) == [1, 3]
    hands.roll(page, 1, 3)
    page.go_forward()
    page.go_back()
    expect(page.locator("main")).to_have_attribute("data-ply", "2")
    hands.agrees(page)
