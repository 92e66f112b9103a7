"""Away: no network, no store, a new version; the page says so and comes back by itself."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from challenge import bootstrap
from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore
from challenge.web import assets, create_app
from tests.browser import hands
from tests.browser.conftest import LAUNCH, find_chromium
from tests.browser.serving import serving
from tests.browser.test_access import clean
from tests.conftest import Clock, make_settings
from tests.marks import long

pytestmark = pytest.mark.browser

Visit = Callable[..., Page]

KEPT = """async () => {
  const kept = {};
  for (const name of await caches.keys())
    kept[name] = (await (await caches.open(name)).keys()).map((each) => new URL(each.url).pathname);
  return kept;
}"""
READY = "navigator.serviceWorker.ready.then((found) => found.active.state)"
HEADS = {"en": "No connection", "de": "Keine Verbindung"}


def installed(visit: Visit, path: str = "/", **options: Any) -> Page:
    """A page whose service worker is at work."""
    page = visit(path, service_workers="allow", **options)
    page.evaluate(READY)
    page.wait_for_function("navigator.serviceWorker.controller")
    return page


def test_the_service_worker_keeps_the_shell_and_never_a_game(visit: Visit) -> None:
    page = installed(visit)
    hands.roll(page)
    for path in (
        "/2026-11-30/yacht",
        "/2026-11-29/yacht/fairness",
        "/2026-11-30/yacht/leaderboard",
    ):
        page.goto(path)
    kept = page.evaluate(KEPT)
    assert list(kept) == [f"samedice-{assets.digest()}"]
    (paths,) = kept.values()
    assert all(path == "/offline" or path.startswith("/assets/") for path in paths)
    assert f"/assets/{assets.digest()}/page.js" in paths
    bodies = page.evaluate(
        """async () => {
        const cache = await caches.open((await caches.keys())[0]);
        const all = await Promise.all((await cache.keys()).map((each) => cache.match(each)));
        return (await Promise.all(all.map((each) => each.text()))).join("");
        }"""
    )
    assert 'name="player"' not in bodies
    assert 'id="game"' not in bodies


@pytest.mark.parametrize("locale", [long("en"), "de"])
def test_offline_a_page_says_so_and_goes_on_by_itself(visit: Visit, locale: str) -> None:
    page = installed(visit, locale=locale)
    hands.roll(page)
    dice = hands.faces(page)
    page.context.set_offline(True)
    page.goto("/2026-11-30/yacht")
    expect(page.locator("h1")).to_have_text(HEADS[locale])
    expect(page.locator("html")).to_have_attribute("lang", locale)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 241, 228)"
    clean(page)
    page.context.set_offline(False)
    expect(page.locator("#game")).to_be_visible()
    assert hands.faces(page) == dice


def test_a_chosen_language_holds_offline_too(visit: Visit) -> None:
    page = installed(visit, locale="en")
    page.locator(".menu summary").click()
    page.locator(".sheet-menu button[value=de]").click()
    expect(page.locator("html")).to_have_attribute("lang", "de")
    page.context.set_offline(True)
    page.goto("/2026-11-30/yacht")
    expect(page.locator("h1")).to_have_text(HEADS["de"])


def test_a_redeploy_replaces_what_is_kept(visit: Visit, monkeypatch: pytest.MonkeyPatch) -> None:
    page = installed(visit)
    monkeypatch.setattr(assets, "digest", lambda: "0123456789ab")
    page.goto("/2026-11-30")
    page.evaluate("navigator.serviceWorker.getRegistration().then((found) => found.update())")
    page.wait_for_function(
        "caches.keys().then((names) => names.join() === 'samedice-0123456789ab')"
    )
    page.goto("/2026-11-30/yacht")
    hands.roll(page)
    paths = page.evaluate(KEPT)["samedice-0123456789ab"]
    assert "/assets/0123456789ab/page.js" in paths
    assert all(path == "/offline" or "/0123456789ab/" in path for path in paths)


def test_off_localhost_over_http_there_is_no_service_worker_and_no_complaint(
    visit: Visit, site: str
) -> None:
    page = visit("/", service_workers="allow")
    page.goto(site.replace("127.0.0.1", "dice.test"))
    hands.roll(page)
    assert page.evaluate("'serviceWorker' in navigator") is False


@dataclass
class Asleep:
    """A site whose store is not started yet."""

    url: str
    store: EmbeddedStore


@pytest.fixture
def asleep(clock: Clock) -> Iterator[Asleep]:
    """The site before its store."""
    with tempfile.TemporaryDirectory(prefix="samedice-away-") as folder:
        data_dir = DataDir(Path(folder))
        data_dir.prepare()
        store = EmbeddedStore(data_dir)
        app = create_app(bootstrap.build(make_settings(data_dir.socket_url), clock))
        with serving(app) as address:
            yield Asleep(address, store)
        store.stop()


@pytest.mark.parametrize(("locale", "words"), [long("en", "A short break"), ("de", "Kurze Pause")])
def test_the_page_of_a_break_comes_back_once_the_store_does(
    visit: Visit, asleep: Asleep, locale: str, words: str
) -> None:
    page = visit("about:blank", locale=locale)
    page.goto(f"{asleep.url}/2026-11-30/yatzy?lang={locale}")
    expect(page.locator("h1")).to_have_text(words)
    clean(page)
    asleep.store.start()
    expect(page.locator("#game")).to_be_visible()
    assert page.url.endswith(f"/2026-11-30/yatzy?lang={locale}")


def test_without_a_script_it_comes_back_too(chromium: Browser, asleep: Asleep) -> None:
    # Only so does Chromium read what stands in <noscript>; Playwright's own switch does not.
    browser = chromium.browser_type.launch(
        executable_path=find_chromium(chromium.browser_type.executable_path),
        args=[*LAUNCH, "--blink-settings=scriptEnabled=false"],
    )
    page = browser.new_page()
    page.goto(f"{asleep.url}/2026-11-30/yatzy")
    assert "A short break" in page.title()
    asleep.store.start()
    page.wait_for_event("response", lambda answer: answer.status == 200 and "yatzy" in answer.url)
    browser.close()
