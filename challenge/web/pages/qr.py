"""An address as a QR code: an SVG within the page, dark on light under any theme."""

from __future__ import annotations

import segno
from markupsafe import Markup, escape

BORDER = 4  # modules of quiet around it, as ISO/IEC 18004 wants


def svg(address: str, says: str) -> Markup:
    """The code of an address; ``says`` is what it is to those who cannot see it.

    Colours are attributes: the Content-Security-Policy lets no inline style through.
    """
    code = segno.make(address, error="m", micro=False, boost_error=False)
    drawing = code.svg_inline(
        border=BORDER, omitsize=True, svgclass="qr", lineclass=None, dark="#000", light="#fff"
    )
    spoken = f'<svg role="img" focusable="false" aria-label="{escape(says)}"'
    return Markup(spoken + drawing.removeprefix("<svg"))  # noqa: S704 (drawn here, words escaped)
