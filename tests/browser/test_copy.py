"""Copying the result: wherever a browser lets us, and a way out wherever it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from challenge.service.services import Services
from tests.browser import ended, hands
from tests.browser.conftest import LAUNCH, PHONE, find_chromium
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
HOST = "samedice.example"  # plain http that is not localhost

MISSING = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })"
SAYS = {
    "en": "Your browser does not let us copy. The text is selected: copy it yourself.",
    "de": "Dein Browser lässt uns nicht kopieren. Der Text ist markiert: Kopier ihn selbst.",
}


@pytest.fixture
def at_result(visit: Visit, app: Flask, services: Services, site: str) -> Callable[..., Page]:
    """Opens the result of a finished game, once the browser is as the test wants it."""

    def open_result(prepare: Callable[[Page], Any] = lambda page: None, **options: Any) -> Page:
        page = visit("/", **options)
        ended.become(page.context, app, ended.finished(services), site)
        prepare(page)
        page.goto(ended.PATH)
        return page

    return open_result


def _allow(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])


def _refuse(page: Page) -> None:
    page.context.grant_permissions(["geolocation"])  # this one and no other


def _stands_selected(page: Page | Frame, language: str = "en") -> None:
    """The way out: all of the text selected in its box, and a line that says so."""
    expect(page.locator("#copied")).to_have_text(SAYS[language])
    box = page.locator("#text")
    expect(box).to_be_focused()
    expect(box).to_be_visible()
    text = box.input_value()
    assert page.evaluate("getSelection().toString()") == text
    ends = box.evaluate("box => [box.selectionStart, box.selectionEnd]")
    assert ends == [0, len(text)]


@pytest.mark.parametrize(("language", "done"), [long("en", "Copied"), ("de", "Kopiert")])
def test_what_is_copied_is_the_golden_text_to_the_byte(
    at_result: Callable[..., Page], site: str, language: str, done: str
) -> None:
    page = at_result(_allow, locale=language)
    expect(page.locator("#copied")).to_be_empty()
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_have_text(done)
    copied = hands.pasted(page)
    assert copied.encode() == ended.golden(page, language).encode()
    points = page.locator(".total .value").inner_text()
    head = {
        "en": f"Samedice #334 · Generala · {points} points\n1st of 1 so far\n",
        "de": f"Samedice Nr. 334 · Generala · {points} Punkte\nPlatz 1 von bisher 1\n",
    }[language]
    assert copied == f"{head}{site}{ended.PATH}"


@pytest.mark.parametrize("language", [long("en"), "de"])
def test_where_it_is_refused_the_text_stands_selected(
    at_result: Callable[..., Page], language: str
) -> None:
    page = at_result(_refuse, locale=language)
    page.locator("#copy").click()
    _stands_selected(page, language)


def test_where_the_clipboard_is_missing_the_text_stands_selected(
    at_result: Callable[..., Page],
) -> None:
    page = at_result(lambda page: page.add_init_script(MISSING))
    page.locator("#copy").click()
    _stands_selected(page)
    page.locator("#copy").click()  # and once more
    _stands_selected(page)


def test_what_stands_selected_is_copied_by_hand(at_result: Callable[..., Page]) -> None:
    page = at_result(lambda page: page.add_init_script(MISSING))
    page.locator("#copy").click()
    _stands_selected(page)
    page.keyboard.press("Control+c")
    page.evaluate("document.body.append(document.createElement('textarea'))")
    page.locator("textarea").last.focus()
    page.keyboard.press("Control+v")
    expect(page.locator("textarea").last).to_have_value(ended.golden(page))


@pytest.fixture
def plain(chromium: Browser) -> Iterator[BrowserContext]:
    """A browser that finds the site under a name of its own, over plain http."""
    path = find_chromium(chromium.browser_type.executable_path)
    rule = f"--host-resolver-rules=MAP {HOST} 127.0.0.1"
    browser = chromium.browser_type.launch(executable_path=path, args=[*LAUNCH, rule])
    yield browser.new_context(viewport=PHONE, locale="en", reduced_motion="reduce")
    browser.close()


def test_over_plain_http_off_localhost_the_text_stands_selected(
    plain: BrowserContext, app: Flask, services: Services, site: str
) -> None:
    address = site.replace("127.0.0.1", HOST)
    ended.become(plain, app, ended.finished(services), address)
    page = plain.new_page()
    page.goto(address + ended.PATH)
    assert page.evaluate("isSecureContext") is False
    page.locator("#copy").click()
    _stands_selected(page)
    assert page.locator("#text").input_value().endswith(f"\n{address}{ended.PATH}")


FRAMED = '<!doctype html><title>Frame</title><iframe allow="{allow}" width="360" src="{src}">'


def _in_frame(page: Page, site: str, allow: str) -> Frame:
    """The result in a frame of a page of the same origin."""
    body = FRAMED.format(allow=allow, src=ended.PATH)
    page.route("**/framing", lambda route: route.fulfill(body=body, content_type="text/html"))
    page.goto(f"{site}/framing")
    frame = page.frame(url=f"{site}{ended.PATH}")
    assert frame is not None
    return frame


@pytest.fixture
def framing(chromium: Browser, app: Flask, services: Services, site: str) -> Iterator[Page]:
    """A page whose console may complain of what its frame is forbidden."""
    context = chromium.new_context(viewport=PHONE, locale="en", service_workers="block")
    ended.become(context, app, ended.finished(services), site)
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    yield context.new_page()
    context.close()


def test_in_a_frame_without_the_permission_the_text_stands_selected(
    framing: Page, site: str
) -> None:
    frame = _in_frame(framing, site, "clipboard-write 'none'")
    frame.locator("#copy").click()
    _stands_selected(frame)


def test_in_a_frame_with_the_permission_it_is_copied(framing: Page, site: str) -> None:
    frame = _in_frame(framing, site, "clipboard-write; clipboard-read")
    frame.locator("#copy").click()
    expect(frame.locator("#copied")).to_have_text("Copied")
    assert hands.pasted(frame) == frame.locator("#text").input_value()


def test_without_a_script_the_text_is_there_and_no_button_that_does_nothing(
    at_result: Callable[..., Page],
) -> None:
    page = at_result(java_script_enabled=False)
    expect(page.locator("#copy")).to_be_hidden()
    expect(page.locator("#share")).to_be_hidden()
    expect(page.locator("#text")).to_be_visible()
    assert page.locator("#text").input_value() == ended.golden(page)


# -- the share sheet, which no headless browser has: its answers are set up ---------------

SHARE = """Navigator.prototype.share = data => {{
  window.given = data;
  return {answer};
}}"""


def _sharing(answer: str) -> Callable[[Page], None]:
    def prepare(page: Page) -> None:
        _refuse(page)
        page.add_init_script(SHARE.format(answer=answer))

    return prepare


def test_the_share_sheet_gets_the_text_alone(at_result: Callable[..., Page]) -> None:
    page = at_result(_sharing("Promise.resolve()"))
    page.locator("#share").click()
    expect(page.locator("#copied")).to_have_text("Shared")
    assert page.evaluate("window.given") == {"text": ended.golden(page)}


def test_who_closes_the_share_sheet_is_told_nothing(at_result: Callable[..., Page]) -> None:
    page = at_result(_sharing("Promise.reject(new DOMException('', 'AbortError'))"))
    page.locator("#share").click()
    page.wait_for_function("window.given")
    expect(page.locator("#copied")).to_be_empty()


def test_where_sharing_fails_there_is_still_the_text(at_result: Callable[..., Page]) -> None:
    page = at_result(_sharing("Promise.reject(new DOMException('', 'NotAllowedError'))"))
    page.locator("#share").click()
    _stands_selected(page)


def test_no_share_button_where_there_is_no_share_sheet(at_result: Callable[..., Page]) -> None:
    page = at_result(lambda page: page.add_init_script("delete Navigator.prototype.share"))
    expect(page.locator("#copy")).to_be_visible()
    expect(page.locator("#share")).to_be_hidden()
