"""The page as ``challenge serve`` serves it: gunicorn, worker processes, the embedded store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser import hands
from tests.runtime.processes import Serve

pytestmark = [pytest.mark.browser, pytest.mark.soak]  # test_readme.py plays on `serve` daily


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """The real thing, on an empty data directory."""
    folder: Path = tmp_path_factory.mktemp("data")
    with Serve(folder) as serve:
        yield serve.wait_until_ready()


@pytest.fixture
def site(served: Serve) -> str:
    """Its address, in place of the one of the test's own server."""
    return served.url


@pytest.mark.parametrize("script", [True, False], ids=["script", "no-script"])
def test_a_game_is_played_to_the_end_by_clicking(visit: Callable[..., Page], script: bool) -> None:
    page = visit("/", java_script_enabled=script, has_touch=True)
    for _ in range(13):
        hands.roll(page)
        hands.roll(page, 0)
        hands.enter(page)
    expect(page.locator("#text")).to_be_visible()
    total = page.locator(".total .value").inner_text()
    assert f" · {total} points\n" in page.locator("#text").input_value()
    page.get_by_role("link", name="Leaderboard").last.click()
    expect(page.locator(".me .score-column")).to_have_text(total)
