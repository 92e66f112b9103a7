"""Makes the icons of the installed site out of the drawing of a die.

    python -m tests.browser.make_icons

Needs a Chromium, see ``conftest.find_chromium``, and Pillow to write few colours.
"""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from challenge.web import assets
from tests.browser.conftest import LAUNCH, find_chromium

PAPER = "#F6F1E4"
# Name: pixels, share of the side the die takes. A maskable icon may lose all but its middle.
ICONS = {
    "icon-192.png": (192, 0.86),
    "icon-512.png": (512, 0.86),
    "icon-maskable-512.png": (512, 0.56),
}
FRAME = """<body style="margin:0;background:{paper};display:grid;place-items:center;
width:{size}px;height:{size}px"><div style="width:{die}px">{drawing}</div></body>"""


def draw(page: Page, size: int, share: float) -> bytes:
    """One icon as PNG of few colours."""
    drawing = (assets.FOLDER / "icon.svg").read_text("utf-8")
    page.set_viewport_size({"width": size, "height": size})
    page.set_content(FRAME.format(paper=PAPER, size=size, die=size * share, drawing=drawing))
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(32)
    out = io.BytesIO()
    picture.save(out, "PNG", optimize=True)
    return out.getvalue()


def main(folder: Path = assets.FOLDER) -> None:
    """Writes every icon."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        browser = playwright.chromium.launch(executable_path=path, args=LAUNCH)
        page = browser.new_page()
        for name, (size, share) in ICONS.items():
            (folder / name).write_bytes(draw(page, size, share))
        browser.close()


if __name__ == "__main__":
    main()
