"""Games that are over before the browser opens: played by the services, seen by their player."""

from __future__ import annotations

from flask import Flask
from playwright.sync_api import BrowserContext, Page

from challenge.service.services import Services
from challenge.web import identity
from tests.service.players import play_out
from tests.web.boards import DAY, token_of

SHEET = "generala"
PATH = f"/2026-11-30/{SHEET}"
BOARD = f"{PATH}/leaderboard"


def finished(services: Services, name: str | None = None, seed: int = 1) -> str:
    """A player who has finished the sheet."""
    player = services.players.new_id()
    if name:
        services.players.rename(player, name)
    play_out(services, player, DAY, SHEET, seed)
    return player


def become(context: BrowserContext, app: Flask, player: str, site: str) -> None:
    """Gives a browser the cookie of a player."""
    value = token_of(app, player)
    context.add_cookies([{"name": identity.COOKIE, "value": value, "url": site}])


def golden(page: Page, language: str = "en") -> str:
    """The text to paste as the API has it."""
    return page.request.get(f"/api/v1/challenges{PATH}/game/share?lang={language}").text()
