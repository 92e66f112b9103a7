"""The picture beside a link, as chats show it: a printed sheet over its dice, 1200 by 630 pixels.

It says what it is given and nothing else: no name, no entry, none of the day's dice. The dice
it shows are always the same threes, as in the mark of the site.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 1200, 630
FONTS = Path(__file__).parents[2] / "fonts"
REMEMBERED = 128  # pictures a process keeps, about 35 kB each

PAPER, TRAY, INK, MUTED = "#F6F1E4", "#E9DFC9", "#26211B", "#5E5546"
PEN, EDGE, RULE = "#1F3FA6", "#85785F", "#D3C8B0"
DIE, SIDE, PIP = "#FFFBEF", "#CDBF9E", "#231E19"

_FINE = 2  # drawn so much larger and shrunk: Pillow's curves have hard edges
_LEFT, _RIGHT = 72, WIDTH - 72
_TRAY = 446  # where the dice's part begins
_FACE = ((27, 27), (50, 50), (73, 73))  # a three, in hundredths of a die
_COLUMN = 470  # where words stand beside a score, or further right
SERIF, _SANS, _BOLD = "NotoSerif-Bold.ttf", "NotoSans-Regular.ttf", "NotoSans-Bold.ttf"


@dataclass(frozen=True, slots=True)
class Caption:
    """What stands on a picture, in words of one language.

    ``score`` (with its ``unit``, "points") is None for what nobody has played yet; ``lines``
    stand below the title or beside the score, the first of them large.
    """

    corner: str
    title: str
    score: str | None
    unit: str
    lines: tuple[str, ...]
    dice: int


@lru_cache(maxsize=REMEMBERED)
def draw(caption: Caption) -> bytes:
    """The picture as PNG."""
    image = Image.new("RGB", (WIDTH * _FINE, HEIGHT * _FINE), PAPER)
    pen = _Pen(ImageDraw.Draw(image))
    pen.head(caption.corner)
    if caption.score is None:
        pen.announcement(caption)
    else:
        pen.result(caption, caption.score)
    pen.tray(caption.dice)
    small = image.reduce(_FINE).quantize(64, dither=Image.Dither.NONE)
    written = BytesIO()
    small.save(written, "PNG", optimize=True)
    return written.getvalue()


class _Pen:
    """Draws in pixels of the finished picture."""

    def __init__(self, draw: ImageDraw.ImageDraw) -> None:
        self._draw = draw

    def head(self, corner: str) -> None:
        """Wordmark and number over a heavy rule."""
        for x in (_LEFT, _LEFT + 52):
            self._outline(x, 50, 44)
        self.text(_LEFT + 116, 90, "Samedice", SERIF, 44, INK)
        self.text(_RIGHT, 90, corner, _SANS, 36, MUTED, anchor="rs")
        self._rule(118, 3, INK)

    def announcement(self, caption: Caption) -> None:
        """A title over one or two lines, and small words below."""
        rows, size = fitting(caption.title, SERIF, _RIGHT - _LEFT, (92, 76, 64))
        y = 262 if len(rows) == 1 else 222
        for row in rows:
            self.text(_LEFT, y, row, SERIF, size, INK)
            y += round(size * 1.15)
        for line in caption.lines:
            _, size = fitting(line, _SANS, _RIGHT - _LEFT, (40, 36, 32, 28))
            self.text(_LEFT, y, line, _SANS, size, MUTED)
            y += 54

    def result(self, caption: Caption, score: str) -> None:
        """The sheet above, the score in pen to the left, what it is worth beside it."""
        _, size = fitting(caption.title, SERIF, _RIGHT - _LEFT, (60, 52, 44, 38))
        self.text(_LEFT, 188, caption.title, SERIF, size, INK)
        self._rule(214, 2, RULE)
        self.text(_LEFT, 382, score, _BOLD, 190, PEN)
        self.text(_LEFT, 424, caption.unit, _SANS, 32, MUTED)
        self._worth(max(_COLUMN, _LEFT + _width(score, _BOLD, 190) + 48), caption.lines)

    def _worth(self, x: float, lines: tuple[str, ...]) -> None:
        first, *others = lines
        rows, size = fitting(first, SERIF, _RIGHT - x, (60, 52, 46, 40))
        y = 340 if len(rows) + len(others) == 1 else 312
        for row in rows:
            self.text(x, y, row, SERIF, size, INK)
            y += round(size * 1.15)
        for line in others:
            _, size = fitting(line, _SANS, _RIGHT - x, (36, 32, 28))
            self.text(x, y - 4, line, _SANS, size, MUTED)
            y += 48

    def tray(self, dice: int) -> None:
        """The dice below, as many as the sheet has."""
        self._box((0, _TRAY, WIDTH, HEIGHT), TRAY)
        self._box((0, _TRAY, WIDTH, _TRAY + 3), INK)
        side, gap = 116, 30
        x = (WIDTH - dice * side - (dice - 1) * gap) / 2
        for _ in range(dice):
            self._die(x, _TRAY + 33, side)
            x += side + gap

    def text(
        self, x: float, y: float, words: str, font: str, size: int, colour: str, anchor: str = "ls"
    ) -> None:
        """Words with their base line at ``y``."""
        at = (x * _FINE, y * _FINE)
        self._draw.text(at, words, colour, _font(font, size * _FINE), anchor=anchor)

    def _rule(self, y: float, thickness: float, colour: str) -> None:
        self._box((_LEFT, y, _RIGHT, y + thickness), colour)

    def _box(self, box: tuple[float, float, float, float], colour: str) -> None:
        left, top, right, bottom = (edge * _FINE for edge in box)
        self._draw.rectangle((left, top, right - 1, bottom - 1), colour)

    def _die(self, x: float, y: float, side: float) -> None:
        """An ivory die with its printed thickness."""
        self._square(x, y + side * 0.06, side, SIDE, EDGE, 3)
        self._square(x, y, side, DIE, EDGE, 3)
        self._pips(x, y, side, PIP)

    def _outline(self, x: float, y: float, side: float) -> None:
        self._square(x, y, side, None, INK, 3)
        self._pips(x, y, side, INK)

    def _square(
        self, x: float, y: float, side: float, fill: str | None, edge: str, width: int
    ) -> None:
        box = (x * _FINE, y * _FINE, (x + side) * _FINE, (y + side) * _FINE)
        radius = side * 0.2 * _FINE
        self._draw.rounded_rectangle(box, radius, fill, edge, width * _FINE)

    def _pips(self, x: float, y: float, side: float, colour: str) -> None:
        for across, down in _FACE:
            centre = ((x + side * across / 100) * _FINE, (y + side * down / 100) * _FINE)
            self._draw.circle(centre, side * 0.092 * _FINE, colour)


def fitting(words: str, font: str, room: float, sizes: tuple[int, ...]) -> tuple[list[str], int]:
    """The largest of ``sizes`` at which the words stand in one row; in two rows if none does."""
    for size in sizes:
        if _width(words, font, size) <= room:
            return [words], size
    return _two_rows(words), sizes[-1]


def _two_rows(words: str) -> list[str]:
    """Broken at the blank that leaves both rows most alike."""
    breaks = [i for i, each in enumerate(words) if each == " "]
    middle = min(breaks, key=lambda i: abs(i - len(words) / 2), default=len(words))
    return [row for row in (words[:middle], words[middle + 1 :]) if row]


def _width(words: str, font: str, size: int) -> float:
    return _font(font, size * _FINE).getlength(words) / _FINE


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONTS / name, size)
