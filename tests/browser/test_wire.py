"""What a first visit costs over the wire, and that nothing moves under the player's hands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.browser import hands
from tests.browser.conftest import DESKTOP, PHONE
from tests.marks import long, some

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]
FIRST_VISIT_AT_MOST = 60_000  # bytes with all headers
SCRIPTS_AT_MOST = 20_000

SHIFTS = """() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      shifts.push([entry.value, entry.sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]);
  }).observe({ type: "layout-shift", buffered: true });
}"""


class Wire:
    """Everything a page's requests cost, by what they were for."""

    def __init__(self, page: Page) -> None:
        self.kinds: dict[str, str] = {}
        self.urls: dict[str, str] = {}
        self.sizes: dict[str, float] = {}
        session: CDPSession = page.context.new_cdp_session(page)
        session.send("Network.enable")
        session.on("Network.requestWillBeSent", self._asked)
        session.on("Network.loadingFinished", self._loaded)

    def _asked(self, event: Any) -> None:
        self.kinds[event["requestId"]] = event.get("type", "Other")
        self.urls[event["requestId"]] = event["request"]["url"]

    def _loaded(self, event: Any) -> None:
        self.sizes[event["requestId"]] = event["encodedDataLength"]

    def bytes(self, kind: str | None = None) -> float:
        """Bytes of all requests, or of those of one kind, heads of answers included."""
        return sum(size for id, size in self.sizes.items() if kind in (None, self.kinds.get(id)))

    @property
    def hosts(self) -> set[str]:
        """Who was asked."""
        return {urlsplit(url).netloc for url in self.urls.values()}


@pytest.mark.parametrize("size", some([PHONE, DESKTOP], 0), ids=["phone", "desktop"])
@pytest.mark.parametrize("locale", ["de", long("en")])
def test_a_first_visit_is_light_and_asks_no_other_host(
    visit: Visit, site: str, size: Any, locale: str
) -> None:
    page = visit("about:blank", size=size, locale=locale)
    wire = Wire(page)
    page.goto("/", wait_until="networkidle")
    assert {"Document", "Stylesheet", "Script"} <= set(wire.kinds.values())
    assert len(wire.sizes) == len(wire.urls)
    print(f"\nfirst visit: {wire.bytes():.0f} bytes, scripts {wire.bytes('Script'):.0f}")  # noqa: T201
    assert 5_000 < wire.bytes("Script") <= SCRIPTS_AT_MOST
    assert [url for url in wire.urls.values() if url.endswith("/copy.js")] == []  # not used here
    assert wire.bytes() <= FIRST_VISIT_AT_MOST
    assert wire.hosts == {urlsplit(site).netloc}


def test_a_second_visit_fetches_the_page_alone(visit: Visit) -> None:
    page = visit("/")
    wire = Wire(page)
    page.goto("/2026-11-30/yatzy", wait_until="networkidle")
    fetched = {url for id, url in wire.urls.items() if wire.sizes.get(id)}
    assert [url for url in fetched if url.endswith(".js")] == []
    assert wire.bytes() <= 20_000


def of_a_held_die(shift: Any) -> bool:
    """The key under a die makes room for the word "held".

    The player did that; a busy machine paints it too late for the browser to know.
    """
    return all(node and node.startswith("<kbd") for node in shift[1])


@pytest.mark.parametrize(
    ("sheet", "rounds", "size"),
    [
        ("yacht", 13, PHONE),
        long("yatzy", 15, DESKTOP),
        long("yacht", 13, DESKTOP),
        long("yatzy", 15, PHONE),
    ],
)
def test_nothing_shifts_in_a_whole_game(visit: Visit, size: Any, sheet: str, rounds: int) -> None:
    page = visit(f"/2026-11-30/{sheet}", size=size, reduced_motion="no-preference")
    page.evaluate(SHIFTS)
    for _ in range(rounds - 1):
        hands.roll(page)
        hands.roll(page, 0, 2)
        hands.enter(page)
    hands.roll(page)
    assert [shift for shift in page.evaluate("shifts") if not of_a_held_die(shift)] == []
    hands.enter(page)
    expect(page.locator("#text")).to_be_visible()


@pytest.mark.parametrize(
    "path", [long("/2026-11-29/yacht/fairness"), long("/privacy"), "/2026-11-30"]
)
@pytest.mark.parametrize("size", some([PHONE, DESKTOP], 0), ids=["phone", "desktop"])
def test_nothing_shifts_while_a_page_loads(visit: Visit, path: str, size: Any) -> None:
    page = visit("about:blank", size=size)
    page.goto(path, wait_until="networkidle")
    page.evaluate(SHIFTS)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    assert page.evaluate("shifts") == []
