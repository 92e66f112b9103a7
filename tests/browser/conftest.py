"""A Chromium and a site to visit: the real application over a real Valkey, on a real port."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.serving import serving

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
LAUNCH = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP dice.test 127.0.0.1",  # a host that is not localhost
)
# A busy machine may take long; what is waited for comes in milliseconds elsewhere.
expect.set_options(timeout=30_000)

PHONE = {"width": 360, "height": 640}
DESKTOP = {"width": 1280, "height": 800}


def find_chromium(bundled: str) -> str | None:
    """The Chromium that is named, installed, or Playwright's own; None where there is none."""
    named = [os.environ.get("SAMEDICE_CHROMIUM"), *map(shutil.which, NAMES), bundled]
    return next((path for path in named if path and Path(path).exists()), None)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        if path is None:
            pytest.skip("no Chromium found: install one or set SAMEDICE_CHROMIUM to its path")
        launched = playwright.chromium.launch(executable_path=path, args=LAUNCH)
        yield launched
        launched.close()


@pytest.fixture
def site(app: Flask) -> Iterator[str]:
    """The address of the running application."""
    with serving(app) as address:
        yield address


@pytest.fixture
def visit(chromium: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Opens a page in a fresh browser profile; a complaint in its console fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def open_page(path: str = "/", *, size: Any = PHONE, **options: Any) -> Page:
        context = chromium.new_context(
            base_url=site,
            viewport=size,
            locale=options.pop("locale", "en"),
            reduced_motion=options.pop("reduced_motion", "reduce"),
            # What a service worker fetches, a test cannot intercept; its own tests let it in.
            service_workers=options.pop("service_workers", "block"),
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda m: m.type in ("error", "warning") and complaints.append(m.text))
        page.goto(path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    # An answer like 409, or none at all, is for the page to show; the console names it too.
    usual = (
        "Failed to load resource",
        "Service Worker registration blocked by Playwright",
        "The Cross-Origin-Opener-Policy header has been ignored",  # over plain http
    )
    assert [each for each in complaints if not each.startswith(usual)] == []
