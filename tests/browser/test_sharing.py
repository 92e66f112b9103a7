"""Sharing in a real browser: the link on the result, its page, and the ways to friends."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import ended, hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]


def clean(page: Page) -> None:
    """Axe finds nothing, nothing sticks out, and every button is large enough for a thumb."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [n["html"] for n in each["nodes"]][:3]) for each in found] == []
    width = (page.viewport_size or {})["width"]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for box in hands.frames(page, "main .roll, main .outline, main summary, main input"):
        assert box["height"] >= 44


@pytest.mark.parametrize(
    "look",
    [
        {"size": PHONE, "locale": "de"},
        long({"size": DESKTOP, "color_scheme": "dark"}),
        long({"size": PHONE, "color_scheme": "dark"}),
        long({"size": DESKTOP, "forced_colors": "active"}),
    ],
    ids=str,
)
def test_from_the_link_on_the_result_to_playing_and_comparing(
    visit: Visit, app: Flask, services: Services, site: str, look: dict[str, Any]
) -> None:
    mine = visit("/", **look)
    ended.become(mine.context, app, ended.finished(services, "Mia"), site)
    mine.context.grant_permissions(["clipboard-read", "clipboard-write"])
    mine.goto(ended.PATH)
    mine.locator(".linked summary").click()
    mine.locator("[data-copies=link]").click()
    expect(mine.locator("#link-copied")).to_have_text(re.compile("Copied|Kopiert"))
    link = hands.pasted(mine)
    assert link == mine.locator("#link").input_value()
    clean(mine)

    other = visit(link, **look)
    expect(other.locator("h1")).to_contain_text("Mia")
    expect(other.locator("[data-box]")).to_have_count(0)
    clean(other)
    assert other.context.cookies() == []
    other.locator("a.roll").click()
    expect(other).to_have_url(re.compile(rf"{ended.PATH}\?result="))
    while other.locator("#roll").count():
        hands.roll(other)
        hands.enter(other)
    other.locator("a.beside").click()
    expect(other).to_have_url(link)
    expect(other.locator("[data-box]").first).to_be_visible()
    clean(other)


def test_the_link_is_there_without_a_script(
    visit: Visit, app: Flask, services: Services, site: str
) -> None:
    page = visit("/", java_script_enabled=False)
    ended.become(page.context, app, ended.finished(services), site)
    page.goto(ended.PATH)
    page.locator(".linked summary").click()
    expect(page.locator("#link")).to_be_visible()
    expect(page.locator("[data-copies=link]")).to_be_hidden()
    page.goto(page.locator("#link").input_value())
    expect(page.locator("[data-box]").first).to_be_visible()


@pytest.mark.parametrize("locale", [long("en"), "de"])
def test_the_ways_in_the_head_fit_and_those_of_the_menu_are_for_thumbs(
    visit: Visit, locale: str
) -> None:
    page = visit("/", size=DESKTOP, locale=locale)
    for width in (DESKTOP["width"], 960):
        page.set_viewport_size({"width": width, "height": 800})
        tops = {round(box["top"]) for box in hands.frames(page, ".head nav a")}
        assert len(tops) == 1  # one line
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.set_viewport_size(PHONE)
    page.locator(".menu summary").click()
    ways = hands.frames(page, ".sheet-menu a, .sheet-menu button")
    assert len(ways) >= 11
    assert min(box["height"] for box in ways) >= 44
    assert max(box["bottom"] for box in ways) <= PHONE["height"]
    page.locator(".sheet-menu a[href='/groups']").click()
    expect(page.locator("h1")).to_be_visible()
