"""The end of a game: what the page shows, counts down to and leads on to."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import ended, hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.conftest import Clock
from tests.marks import long, some
from tests.web.boards import crowd

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

LONG_AGO = datetime(2011, 2, 3, 4, 5, 6, tzinfo=UTC)

LOOKS: list[dict[str, Any]] = [
    {"color_scheme": "light", "size": PHONE, "locale": "de"},
    {"color_scheme": "dark", "size": PHONE},
    {"color_scheme": "light", "size": DESKTOP},
    {"color_scheme": "dark", "size": DESKTOP, "locale": "de"},
    {"forced_colors": "active", "size": PHONE},
]


@pytest.fixture
def show(visit: Visit, app: Flask, services: Services, site: str) -> Callable[..., Page]:
    """Opens a path as somebody who has finished the sheet."""

    def open_path(path: str = ended.PATH, *, clock: datetime | None = None, **options: Any) -> Page:
        page = visit("/", **options)
        ended.become(page.context, app, ended.finished(services), site)
        if clock:
            page.clock.set_fixed_time(clock)
        page.goto(path)
        return page

    return open_path


def clean(page: Page) -> None:
    """Axe finds nothing."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [n["html"] for n in each["nodes"]][:3]) for each in found] == []


@pytest.mark.parametrize(
    "look", some(LOOKS, 0, 3), ids=lambda look: "-".join(map(str, look.values()))[:20]
)
@pytest.mark.parametrize("players", [long(0), long(1), 400])
def test_axe_finds_nothing_at_the_end_of_a_game(
    show: Callable[..., Page],
    services: Services,
    valkey: redis.Redis,
    look: dict[str, Any],
    players: int,
) -> None:
    crowd(services, valkey, ended.SHEET, [10 + n % 83 for n in range(players)])
    page = show(**look)
    clean(page)
    page.locator(".figures summary").click()
    page.locator("#copy").click()
    expect(page.locator("#copied")).not_to_be_empty()
    clean(page)


@pytest.mark.parametrize(("locale", "says"), [long("en", "You"), ("de", "Du")])
def test_the_histogram_marks_ones_own_bar_by_line_and_word(
    show: Callable[..., Page], services: Services, valkey: redis.Redis, locale: str, says: str
) -> None:
    crowd(services, valkey, ended.SHEET, [10 + n % 83 for n in range(300)])
    page = show(locale=locale)
    total = page.locator(".total .value").inner_text()
    expect(page.locator(".chart .mine text")).to_have_text(f"{says} {total}")
    line = page.locator(".chart .mine line").bounding_box()
    bar = page.locator(".chart .bar.own").bounding_box()
    assert line is not None
    assert bar is not None
    assert bar["x"] <= line["x"] <= bar["x"] + bar["width"]
    assert line["y"] + line["height"] <= bar["y"] + 1
    expect(page.get_by_role("img", name=total)).to_be_visible()


@pytest.mark.parametrize("width", some([320, 360, 768, 1280], 0, 3))
@pytest.mark.parametrize("own", some([1, 40, 92], 0))
def test_no_word_of_the_histogram_is_cut_or_covered(
    show: Callable[..., Page], services: Services, valkey: redis.Redis, width: int, own: int
) -> None:
    crowd(services, valkey, ended.SHEET, [max(1, own - 3 + n % 7) for n in range(60)])
    page = show(size={"width": width, "height": 800})
    boxes = page.locator(".chart text").evaluate_all(
        """all => all.map(each => each.getBoundingClientRect())
        .map(({left, top, right, bottom}) => [left, top, right, bottom])"""
    )
    assert all(left >= 0 and right <= width for left, _, right, _ in boxes)
    for i, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:i]:
            apart = right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
            assert apart, (boxes[i], other)
    sizes = page.locator(".chart text").evaluate_all(
        "all => all.map(text => parseFloat(getComputedStyle(text).fontSize)"
        " * text.getScreenCTM().a)"
    )
    assert min(sizes) >= 12
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize(
    ("zone", "locale", "when"),
    [
        long("Europe/Berlin", "en", "tomorrow at 01:00"),
        ("Europe/Berlin", "de", "morgen um 01:00"),
        ("Pacific/Auckland", "en", "today at 13:00"),
        long("America/New_York", "de", "heute um 19:00"),
    ],
)
def test_the_countdown_runs_to_the_servers_rollover_and_names_the_local_time(
    show: Callable[..., Page], zone: str, locale: str, when: str
) -> None:
    # A device whose clock is years behind: only its pace is used.
    page = show(locale=locale, timezone_id=zone, clock=LONG_AGO)
    time = page.locator(".next-dice time")
    expect(time).to_have_text("in 12:00:00")
    expect(page.locator("#when")).to_have_text(when)
    for later, left in ((61, "11:58:59"), (43_199, "0:00:01")):
        page.clock.set_fixed_time(LONG_AGO + timedelta(seconds=later))
        expect(time).to_have_text(f"in {left}")


def test_a_finished_game_shows_its_end_at_once_with_all_that_belongs_to_it(visit: Visit) -> None:
    page = visit(ended.PATH)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    while page.locator("#game").count():
        hands.roll(page)
        hands.enter(page)
    expect(page.locator("h1")).to_have_text("1st of 1 so far")
    expect(page.locator(".chart .mine text")).to_be_visible()
    fill = "bar => getComputedStyle(bar).fill"
    assert page.locator(".chart .own").evaluate(fill) == "rgb(31, 63, 166)"
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    assert hands.pasted(page) == ended.golden(page)
    expect(page.locator("#when")).to_contain_text(" at ")


def test_score_text_and_copy_button_come_before_the_first_scroll(show: Callable[..., Page]) -> None:
    page = show()
    for part in (".points", "h1", "#text", "#copy"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for button in page.locator(".actions > :visible").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44


def test_a_result_left_open_over_midnight_leads_to_the_new_dice(
    visit: Visit, app: Flask, services: Services, site: str, clock: Clock
) -> None:
    page = visit("/privacy")
    ended.become(page.context, app, ended.finished(services), site)
    clock.set("2026-11-30 23:59:30")
    page.clock.install(time="2026-11-30T23:59:30Z")
    page.goto(ended.PATH)
    way = page.locator(".next-dice").get_by_role("link", name="are here")
    expect(page.locator(".next-dice time")).to_be_visible()
    expect(way).to_be_hidden()
    page.clock.run_for(31_000)
    expect(page.locator(".next-dice time")).to_be_hidden()
    expect(page.locator("#when")).to_be_empty()
    clock.set("2026-12-01 00:00:01")
    way.click()
    expect(page).to_have_url(f"{site}/")
