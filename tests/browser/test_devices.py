"""One player on several devices, in real browsers: by link, by code, in the middle of a game."""

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
from tests.marks import some
from tests.service.players import begin
from tests.web.boards import DAY

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

GAME, DEVICES, TRANSFER = "/2026-11-30/generala", "/me/devices", "/transfer"
WIDEST = "W" * 24
TARGETS = "main button:visible, main .outline:visible, main .roll:visible, main .on a:visible"


def offer(page: Page) -> tuple[str, str]:
    """The code and the link of a press on the button."""
    page.goto(DEVICES)
    page.get_by_role("button", name="Show a code").click()
    return page.locator("#code").input_value(), page.locator("#link").input_value()


def enter(page: Page, code: str) -> None:
    """Types a code."""
    page.goto(TRANSFER)
    page.locator("#code").fill(code)
    page.get_by_role("button", name="Go on here").click()


def test_a_transfer_by_link_and_by_code_in_the_middle_of_a_game(visit: Visit) -> None:
    desk = visit(GAME, size=DESKTOP)
    hands.roll(desk)
    hands.enter(desk)
    hands.roll(desk)

    _, link = offer(desk)
    phone = visit(link)
    expect(phone.get_by_text("This device becomes")).to_be_visible()
    phone.get_by_role("button", name="Go on here").click()
    phone.wait_for_url(f"**{GAME}")
    assert hands.faces(phone) == hands.game(desk, "generala")["dice"]
    hands.enter(phone)
    hands.agrees(phone, "generala")

    desk.goto(GAME)  # the old device goes on as well
    hands.agrees(desk, "generala")
    hands.roll(desk)
    hands.enter(desk)

    code, _ = offer(desk)
    tablet = visit(GAME, size={"width": 768, "height": 1024}, locale="de")
    tablet.goto(TRANSFER)
    tablet.locator("#code").fill(code.upper().replace("-", " "))
    tablet.keyboard.press("Enter")
    tablet.wait_for_url(f"**{GAME}")
    assert hands.ply(tablet) == hands.game(desk, "generala")["ply"]
    ids = {page.request.get("/api/v1/me").json()["player"]["id"] for page in (desk, phone, tablet)}
    assert len(ids) == 1

    late = visit("/")
    enter(late, code)
    expect(late.get_by_role("alert")).to_contain_text("This code does not work.")
    late.goto(link)
    expect(late.get_by_role("alert")).to_contain_text("This code does not work.")


def test_who_has_a_player_already_is_asked_and_can_leave_it(visit: Visit) -> None:
    desk, other = visit(GAME), visit(GAME)
    hands.roll(desk)
    hands.roll(other)
    before = other.request.get("/api/v1/me").json()
    code, _ = offer(desk)
    enter(other, code)
    expect(other.get_by_text("This device has a player already.")).to_be_visible()
    other.get_by_role("link", name="Leave it as it is").click()
    other.wait_for_url("**/")
    assert other.request.get("/api/v1/me").json() == before
    enter(other, code)
    other.get_by_role("button", name="Go on here").click()
    other.wait_for_url(f"**{GAME}")
    assert other.request.get("/api/v1/me").json() == desk.request.get("/api/v1/me").json()


def test_the_codes_are_copied_and_signing_out_leaves_this_device_in(visit: Visit) -> None:
    desk, lost = visit(GAME), visit(GAME)
    desk.context.grant_permissions(["clipboard-read", "clipboard-write"])
    hands.roll(desk)
    code, link = offer(desk)
    desk.get_by_role("button", name="Copy link").click()
    expect(desk.locator("#link-said")).to_have_text("Copied")
    assert hands.pasted(desk) == link
    enter(lost, code)
    lost.wait_for_url(f"**{GAME}")

    desk.get_by_role("button", name="Make a recovery code").click()
    recovery = desk.locator("#recovery").input_value()
    desk.get_by_role("button", name="Sign out all others").click()
    expect(desk.get_by_text("All other devices are signed out.")).to_be_visible()
    desk.goto(GAME)
    hands.roll(desk)
    assert lost.request.get("/api/v1/me").status == 401
    enter(lost, recovery)
    lost.wait_for_url(f"**{GAME}")
    assert hands.ply(lost) == hands.ply(desk)


LOOKS: list[dict[str, Any]] = [
    {"color_scheme": "light", "size": PHONE, "locale": "de"},
    {"color_scheme": "dark", "size": DESKTOP},
    {"forced_colors": "active", "size": PHONE},
]


@pytest.mark.parametrize("look", some(LOOKS, 0), ids=["phone", "desktop", "forced"])
def test_axe_finds_nothing_and_everything_fits(
    visit: Visit, app: Flask, services: Services, site: str, look: dict[str, Any]
) -> None:
    mia, wide = (services.players.create(name).id for name in ("Mia", WIDEST))
    begin(services, mia, DAY, "generala")
    link_of_wide = services.devices.transfer(wide, 0, services.clock()).code
    page = visit(DEVICES, **look)
    sound(page)
    page.goto(TRANSFER)
    sound(page)
    page.locator("#code").fill("0000-0000")
    page.locator("main button").click()
    sound(page)
    ended.become(page.context, app, mia, site)
    page.locator("#code").fill(link_of_wide)
    page.locator("main button").click()
    expect(page.locator("[name=sure]")).to_have_count(1)
    sound(page)
    page.goto(DEVICES)
    page.locator("form[action$=transfer] button").click()
    sound(page)
    page.locator("form[action*=recovery] button").click()
    sound(page)
    page.goto(f"/players/{wide}/report")
    sound(page)
    page.locator("main button").click()
    expect(page.get_by_role("status").filter(has_text=re.compile("."))).not_to_have_count(0)
    sound(page)


def sound(page: Page) -> None:
    """Axe finds nothing, nothing sticks out to the side, and what is pressed is large enough."""
    found = Axe().run(page).response["violations"]
    assert [(each["id"], [n["html"] for n in each["nodes"]][:3]) for each in found] == []
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == page.evaluate("document.documentElement.clientWidth"), page.url
    assert all(box["height"] >= 44 for box in hands.frames(page, TARGETS)), page.url
