"""The store goes away while a player has dice held: the move waits and is made once.

The real application behind the proxy of ``tests/runtime``: no answer of the browser's is made up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
import redis
from playwright.sync_api import Browser, Page, expect

from challenge import bootstrap
from challenge.web import create_app
from tests.browser import hands
from tests.browser.serving import serving
from tests.conftest import Clock, make_settings
from tests.marks import long, some
from tests.runtime.proxy import Proxy, between
from tests.runtime.test_lost_answers import bootstrap_socket

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
PATH = "/2026-11-30/yacht"
WAITS = {
    "en": "No answer. Your move is kept and sent again.",
    "de": "Keine Antwort. Dein Zug ist gemerkt und geht noch einmal raus.",
}
BREAK = {"en": "A short break", "de": "Kurze Pause"}
AGAIN = {"en": "Send it again", "de": "Noch einmal senden"}


@dataclass
class Broken:
    """A site whose line to its store can be broken."""

    url: str
    line: Proxy


@pytest.fixture
def broken(valkey: redis.Redis, valkey_url: str, clock: Clock) -> Iterator[Broken]:
    """The site, its line whole as yet."""
    with between(bootstrap_socket(valkey_url)) as line:
        app = create_app(bootstrap.build(make_settings(line.url), clock))
        with serving(app) as address:
            yield Broken(address, line)
            line.heal()


FAULTS = {
    "down": Proxy.refuse,
    "half-open": Proxy.swallow,
    "answer lost": lambda line: line.lose("EVALSHA", times=2),
}


@pytest.mark.parametrize("fault", some(list(FAULTS), 1, 2))
@pytest.mark.parametrize("locale", ["en", long("de")])
def test_a_move_with_dice_held_waits_for_the_store_and_is_made_once(
    visit: Visit, broken: Broken, locale: str, fault: str
) -> None:
    page = visit("about:blank", locale=locale)
    page.goto(f"{broken.url}{PATH}")
    hands.roll(page)
    hands.hold(page, 0, 4)
    before = hands.faces(page)
    FAULTS[fault](broken.line)
    page.locator("#roll").click()
    expect(page.locator("#status")).to_have_text(WAITS[locale])
    assert hands.held(page) == [0, 4]
    broken.line.heal()
    hands.moved(page, 1)
    after = hands.faces(page)
    assert (after[0], after[4]) == (before[0], before[4])
    assert hands.held(page) == [0, 4]
    state = page.request.get(f"{broken.url}{hands.API}/yacht/game").json()
    assert (state["ply"], state["dice"]) == (2, after)


@pytest.mark.parametrize("locale", [long("en"), "de"])
def test_without_a_script_the_page_of_a_break_keeps_the_form_with_its_holds(
    chromium: Browser, broken: Broken, locale: str
) -> None:
    context = chromium.new_context(java_script_enabled=False, locale=locale)
    page = context.new_page()
    page.goto(f"{broken.url}{PATH}")
    page.locator("button#roll").click()
    expect(page.locator("main")).to_have_attribute("data-ply", "1")
    page.locator("label.die").nth(0).click()
    page.locator("label.die").nth(4).click()
    before = page.locator(".die[data-face]").all()
    faces = [die.get_attribute("data-face") for die in before]
    broken.line.refuse()
    page.locator("button#roll").click()
    expect(page.locator("h1")).to_have_text(BREAK[locale])
    broken.line.heal()
    page.locator("#again button").click()
    expect(page.locator("main")).to_have_attribute("data-ply", "2")
    after = [die.get_attribute("data-face") for die in page.locator(".die[data-face]").all()]
    assert (after[0], after[4]) == (faces[0], faces[4])
    context.close()


@pytest.mark.parametrize("locale", ["en", long("de")])
def test_a_form_of_another_page_goes_out_again_by_itself_and_is_done_once(
    visit: Visit, broken: Broken, locale: str
) -> None:
    page = visit("about:blank", locale=locale)
    page.goto(f"{broken.url}{PATH}")
    hands.roll(page)
    page.goto(f"{broken.url}/groups")
    page.locator("#name").fill("Friends")
    broken.line.refuse()
    page.locator(".search button").click()
    expect(page.locator("h1")).to_have_text(BREAK[locale])
    expect(page.locator("#again button")).to_have_text(AGAIN[locale])
    broken.line.heal()
    page.wait_for_url("**/groups/*/members*")
    found = page.request.get(f"{broken.url}/api/v1/groups").json()["groups"]
    assert [each["name"] for each in found] == ["Friends"]
