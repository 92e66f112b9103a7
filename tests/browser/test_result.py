"""The end of a game: the text to copy, and the leaderboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.browser import hands

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
SHEET = "/2026-11-30/generala"
LONG = "Würfelbaron von und zu W"


def _finish(page: Page) -> None:
    while page.locator("#game").count():
        hands.roll(page)
        hands.enter(page)


def test_the_copied_text_is_the_text_of_the_api(visit: Visit) -> None:
    page = visit(SHEET)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    _finish(page)
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.request.get(f"{hands.API}/generala/game/share?lang=en").text()


@pytest.mark.parametrize(
    "broken",
    [
        "() => { navigator.clipboard.writeText = () => Promise.reject(new Error('refused')); }",
        "() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); }",
    ],
    ids=["refused", "missing"],
)
def test_where_copying_is_refused_the_text_stands_selected(visit: Visit, broken: str) -> None:
    page = visit(SHEET)
    _finish(page)
    page.evaluate(broken)
    page.locator("#copy").click()
    expect(page.locator("#copied")).to_contain_text("the text is selected")
    assert page.evaluate("getSelection().toString()") == page.locator("#text").input_value()


def test_without_a_script_the_text_is_there_and_no_button_that_does_nothing(visit: Visit) -> None:
    page = visit(SHEET, java_script_enabled=False)
    _finish(page)
    expect(page.locator("#copy")).to_be_hidden()
    expect(page.locator("#text")).to_be_visible()


def test_long_names_never_shift_the_columns_of_the_leaderboard(visit: Visit, app: Flask) -> None:
    pages = [visit(SHEET) for _ in range(2)]
    for page in pages:
        _finish(page)
    pages[0].request.patch("/api/v1/me", data={"name": LONG}, headers={"Origin": _origin(pages[0])})
    page = pages[0]
    page.goto(f"{SHEET}/leaderboard")
    cells = page.locator(".ranks .score-column").evaluate_all(
        "cells => cells.map(cell => [cell.getBoundingClientRect().left, innerWidth])"
    )
    assert len({left for left, _ in cells}) == 1
    expect(page.locator(".me .player")).to_have_text(LONG)
    expect(page.locator(".me .tag")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def _origin(page: Page) -> str:
    return str(page.evaluate("location.origin"))
