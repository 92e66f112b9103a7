"""What a failover of the store took back is made again, without a reload."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis
from playwright.sync_api import Page, expect

from tests.browser import hands

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

GAMES = "sd1:{2026-11-30:yacht}:games"


def test_a_game_whose_beginning_was_lost_begins_again(visit: Visit, valkey: redis.Redis) -> None:
    page = visit("/")
    hands.roll(page)
    valkey.delete(GAMES)
    page.locator("button.cell[value=chance]").click()
    expect(page.locator("#status")).to_contain_text("This game has not begun.")
    expect(page.locator("#live")).to_contain_text("This game has not begun.")
    hands.roll(page)
    hands.agrees(page)
    assert valkey.hlen(GAMES) == 1


def test_moves_that_were_lost_are_made_again(visit: Visit, valkey: redis.Redis) -> None:
    page = visit("/")
    hands.roll(page)
    hands.enter(page, "chance")
    ((player, log),) = valkey.hgetall(GAMES).items()
    valkey.hset(GAMES, player, log[:1])
    page.locator("button#roll").click()
    expect(page.locator("#status")).to_contain_text("The game has moved on elsewhere.")
    hands.enter(page, "chance")
    hands.agrees(page)
    assert valkey.hget(GAMES, player) == log
