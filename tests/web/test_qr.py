"""QR codes: the drawing is the code, module by module, with room around it."""

from __future__ import annotations

import re

import segno

from challenge.web.pages import qr

ADDRESS = "https://dice.example/join/" + "a" * 22 + "." + "b" * 16 + "." + "c" * 43
STROKE = re.compile(r"([Mm])(-?\d+) (-?[\d.]+)|h(\d+)")


def _modules(drawing: str) -> set[tuple[int, int]]:
    """Row and column of every dark module that the strokes of the drawing cover."""
    (path,) = re.findall(r'stroke="#000" d="([^"]+)"', drawing)
    x, y, dark = 0, 0.0, set()
    for move, dx, dy, length in STROKE.findall(path):
        if length:
            dark |= {(int(y), column) for column in range(x, x + int(length))}
            x += int(length)
        elif move == "M":
            x, y = int(dx), float(dy)
        else:
            x, y = x + int(dx), y + float(dy)
    return dark


def test_the_drawing_is_the_code_of_the_address_with_a_quiet_border() -> None:
    code = segno.make(ADDRESS, error="m", micro=False, boost_error=False)
    expected = {
        (row + qr.BORDER, column + qr.BORDER)
        for row, line in enumerate(code.matrix)
        for column, module in enumerate(line)
        if module
    }
    drawing = str(qr.svg(ADDRESS, "The link"))
    assert _modules(drawing) == expected
    size = len(code.matrix) + 2 * qr.BORDER
    assert f'viewBox="0 0 {size} {size}"' in drawing
    assert f'fill="#fff" d="M0 0h{size}v{size}h-{size}z"' in drawing


def test_what_it_says_is_escaped_and_nothing_is_styled_inline() -> None:
    drawing = str(qr.svg(ADDRESS, '"><script>'))
    assert 'aria-label="&#34;&gt;&lt;script&gt;"' in drawing
    assert "style" not in drawing
