"""Makes the picture of README: a game on a phone and on a desktop, as they look now.

    python -m tests.browser.make_picture [deploy/picture.png]

Needs a Chromium, see ``conftest.find_chromium``; starts its own store and takes its own day.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from challenge import bootstrap
from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore
from challenge.web import create_app
from tests.browser import hands
from tests.browser.conftest import DESKTOP, LAUNCH, PHONE, find_chromium
from tests.browser.serving import serving
from tests.conftest import Clock, make_settings

TARGET = Path("deploy/picture.png")
ROUNDS = 7

FRAME = """<body style="margin:0;padding:32px;display:flex;gap:32px;align-items:center;
background:#D9CBAE;width:max-content"><img width="960" src="{desktop}"
style="border-radius:6px"><img width="324" src="{phone}" style="border-radius:12px"></body>"""


@contextmanager
def site() -> Iterator[str]:
    """The application over a store of its own."""
    with tempfile.TemporaryDirectory(prefix="samedice-picture-") as folder:
        data_dir = DataDir(Path(folder))
        data_dir.prepare()
        store = EmbeddedStore(data_dir)
        store.start()
        app = create_app(bootstrap.build(make_settings(data_dir.socket_url), Clock()))
        with serving(app) as address:
            yield address
        store.stop()


def half_played(page: Page) -> None:
    """Seven rounds, then a roll with its best pair held."""
    for _ in range(ROUNDS):
        hands.roll(page)
        for _ in range(2):
            hands.roll(page, *hands.most(page))
        hands.enter(page)
    hands.roll(page)
    hands.hold(page, *hands.most(page))


def shots(browser: Browser, address: str) -> dict[str, str]:
    """The same game on both sizes, as data addresses."""
    options = {"base_url": address, "locale": "en", "reduced_motion": "reduce"}
    phone = browser.new_context(viewport=PHONE, device_scale_factor=2, **options)
    page = phone.new_page()
    page.goto("/")
    half_played(page)
    held = hands.held(page)
    state = phone.storage_state()
    desktop = browser.new_context(
        viewport=DESKTOP, device_scale_factor=2, storage_state=state, **options
    )
    wide = desktop.new_page()
    wide.goto("/")
    hands.hold(wide, *held)
    return {"phone": _data(page.screenshot()), "desktop": _data(wide.screenshot())}


def _data(picture: bytes) -> str:
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


def main(target: Path) -> None:
    """Writes the picture."""
    with sync_playwright() as playwright, site() as address:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=LAUNCH)
        page = browser.new_page(viewport={"width": 1412, "height": 664})
        page.set_content(FRAME.format(**shots(browser, address)))
        page.locator("body").screenshot(path=target)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else TARGET)
