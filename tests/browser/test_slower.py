"""A move too many: the page waits as long as it is told, and sends it again once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import hands

pytestmark = pytest.mark.browser

SLOWER = "Too many moves at once. Your move is kept and sent again."


@pytest.fixture
def services(make_services: Callable[..., Services]) -> Services:
    """Services that allow one move a minute."""
    return make_services(CHALLENGE_MOVES_PER_MINUTE="1")


def test_a_move_too_many_waits_and_goes_out_by_itself(
    app: Flask, visit: Callable[..., Page]
) -> None:
    moment = 0.0
    app.extensions["samedice-limits"].moves.clock = lambda: moment
    page = visit("/")
    hands.roll(page)
    hands.hold(page, 0, 4)
    moment = 58.5
    with page.expect_response(lambda answer: answer.status == 429) as refused:
        page.locator("#roll").click()
    assert refused.value.headers["retry-after"] == "2"
    expect(page.locator("#status")).to_have_text(SLOWER)
    assert hands.held(page) == [0, 4]
    moment = 60.0
    hands.moved(page, 1)
    assert hands.held(page) == [0, 4]
    hands.agrees(page)
