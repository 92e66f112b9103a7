"""The leaderboard in a browser: columns that stand still, one's own row always in sight."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
import redis
from flask import Flask
from playwright.sync_api import Page, expect

from challenge.service.services import Services
from tests.browser import ended
from tests.browser.test_result import LOOKS, Visit, clean
from tests.conftest import Clock
from tests.marks import some
from tests.service.players import play_out
from tests.web.boards import DAY, crowd

pytestmark = pytest.mark.browser

LONG = "Würfelbaron von und zu W"
WIDE = "WWWWWWWWWWWWWWWWWWWWWWWW"


@pytest.fixture
def show(visit: Visit, app: Flask, services: Services, site: str) -> Callable[..., Page]:
    """Opens a path as this player, or as a stranger."""

    def open_path(path: str = ended.BOARD, player: str | None = None, **options: Any) -> Page:
        page = visit("/", **options)
        if player:
            ended.become(page.context, app, player, site)
        page.goto(path)
        return page

    return open_path


@pytest.fixture
def board(services: Services, valkey: redis.Redis) -> str:
    """A board of 130 with long names; who stands at place 71, tied with one other."""
    me = services.players.new_id()
    services.players.rename(me, LONG)
    total = play_out(services, me, DAY, ended.SHEET).total
    names = [WIDE, "Ly", LONG]
    ahead = [total + 1 + n for n in range(70)]
    players = crowd(services, valkey, ended.SHEET, [*ahead, *([max(total - 1, 0)] * 58), total])
    for i, player in enumerate(players[:100]):
        services.players.rename(player, names[i % 3])
    return me


@pytest.mark.parametrize("query", ["", "?offset=0", "?offset=50", "?offset=100", "?around=me"])
def test_ones_own_row_is_in_sight_wherever_one_scrolls(
    show: Callable[..., Page], board: str, query: str
) -> None:
    page = show(ended.BOARD + query, board)
    table = page.locator(".ranks")
    for place in ("first", "last"):
        row = getattr(table.locator("tbody tr:not(.me)"), place)
        row.evaluate("row => row.scrollIntoView({ block: 'center' })")
        expect(table.locator(".me .score-column")).to_be_in_viewport(ratio=1)
    expect(table.locator(".me")).to_have_count(1)
    expect(table.locator(".me .rank")).to_have_text("=71")


@pytest.mark.parametrize("width", some([320, 360, 768, 1280], 0, 3))
def test_long_names_never_shift_the_columns(
    show: Callable[..., Page], board: str, width: int
) -> None:
    page = show(f"{ended.BOARD}?offset=0", board, size={"width": width, "height": 640})
    for column in (".rank", ".who", ".score-column"):
        lefts = page.locator(f".ranks td{column}").evaluate_all(
            "cells => cells.map(cell => cell.getBoundingClientRect().left)"
        )
        assert len(set(lefts)) == 1
    heights = page.locator(".ranks tbody tr").evaluate_all("rows => rows.map(r => r.offsetHeight)")
    assert len(set(heights)) == 1
    cut = page.locator(".tag").evaluate_all(
        "tags => tags.some(tag => tag.scrollWidth > tag.clientWidth + 1"
        " || tag.getBoundingClientRect().right > tag.closest('td').getBoundingClientRect().right)"
    )
    assert cut is False
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_what_is_in_focus_never_lies_under_ones_own_row(
    show: Callable[..., Page], board: str
) -> None:
    page = show(f"{ended.BOARD}?offset=0", board)
    links = page.locator(".ranks tbody a")
    links.first.focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        focused = page.locator(":focus").bounding_box()
        own = page.locator(".me .who").bounding_box()
        assert focused is not None
        assert own is not None
        assert focused["y"] + focused["height"] <= own["y"] + 1


def test_one_pages_through_the_board_and_back_to_oneself(
    show: Callable[..., Page], board: str
) -> None:
    page = show(player=board)
    page.get_by_role("link", name="Top").click()
    expect(page.locator(".rank").nth(1)).to_have_text("1")
    page.get_by_role("link", name="After", exact=True).click()
    expect(page).to_have_url(re.compile(r"\?offset=50$"))
    page.get_by_role("link", name="After", exact=True).click()
    page.get_by_role("link", name="Before", exact=True).click()
    page.get_by_role("link", name="Top").click()
    page.get_by_role("link", name="Around you").click()
    expect(page.locator("tbody .me .score-column")).to_be_in_viewport(ratio=1)


def test_one_compares_with_another_and_comes_back(
    show: Callable[..., Page], services: Services
) -> None:
    ended.finished(services, "Oma Hilde", seed=3)
    page = show(player=ended.finished(services, "Mia", seed=4))
    page.get_by_role("link", name="Oma Hilde").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Oma Hilde")
    clean(page)
    page.get_by_role("link", name="Leaderboard").last.click()
    page.get_by_role("link", name="Mia").click()
    expect(page.locator("#text")).to_be_visible()


@pytest.mark.parametrize(
    "look", some(LOOKS, 3), ids=lambda look: "-".join(map(str, look.values()))[:20]
)
def test_axe_finds_nothing_on_a_leaderboard(
    show: Callable[..., Page], board: str, look: dict[str, Any]
) -> None:
    page = show(player=board, **look)
    clean(page)
    page.goto(f"{ended.BOARD}?offset=0")
    clean(page)
    page.goto(f"{ended.BOARD}?offset=500")
    clean(page)


@pytest.mark.parametrize("look", some(LOOKS[:2], 1), ids=["light", "dark"])
@pytest.mark.parametrize("time", ["2026-11-30 12:00", "2026-12-01 01:00", "2026-12-01 12:00"])
def test_axe_finds_nothing_in_any_state_of_a_board(
    show: Callable[..., Page], services: Services, clock: Clock, look: dict[str, Any], time: str
) -> None:
    player = ended.finished(services)
    clock.set(time)
    page = show(**look)
    clean(page)
    for path in ("/2026-11-30/yams/leaderboard", f"{ended.PATH}/games/{player}"):
        page.goto(path)
        clean(page)
