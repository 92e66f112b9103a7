"""The histogram of a board as a drawing: bars, the median, one's own score.

Everything is worked out here in units of the drawing (:data:`WIDTH` by :data:`HEIGHT`); the
template only writes it down. A score never hides: what lies far out is counted in the
bar at the edge, and that bar says so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, isqrt

from challenge.daily import ranking

WIDTH, HEIGHT = 328, 168
BASE = 142  # where the bars stand
TALLEST = 88
GAP = 2
_ROOM = 78  # what a label takes beside its line
_FEWEST, _MOST = 8, 26  # bars a drawing aims at
_LEAST = 5  # bars there are even for a single game
_FINEST = 40  # a bar is no finer than this part of the highest score
_TICKS = 5  # spaces between scores below the axis, at most
_MIDDLE_FROM = 3  # games from which a middle tells anything
_TAIL = 200  # of so many players one at either end may lie outside of the bars' range


@dataclass(frozen=True, slots=True)
class Bar:
    """Scores ``low`` … ``high`` were reached by ``count`` players.

    ``below`` and ``above`` say that what lies further out is counted in too.
    """

    low: int
    high: int
    count: int
    own: bool
    below: bool
    above: bool
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A score marked by a line at ``x`` down to ``y``, and where its words stand."""

    score: float
    x: float
    y: float
    text_x: float
    text_y: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A score written below the axis."""

    score: int
    x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A histogram of ``players`` finished games.

    ``median`` is None for two or fewer, ``own`` for who has no score to show.
    """

    players: int
    bars: list[Bar]
    ticks: list[Tick]
    median: Mark | None
    own: Mark | None


@dataclass(frozen=True, slots=True)
class _Scale:
    """``bins`` bars of ``step`` points each, the first from ``start`` on."""

    start: int
    step: int
    bins: int

    def bin_of(self, score: int) -> int:
        return min(max((score - self.start) // self.step, 0), self.bins - 1)

    def x(self, score: float) -> float:
        share = (score - self.start) / (self.step * self.bins)
        return round(min(max(share, 0), 1) * WIDTH, 1)


def draw(histogram: Mapping[int, int], own: int | None) -> Chart | None:
    """The drawing of a histogram (score -> players); None where nobody has finished.

    ``own`` need not be counted in it: a game of the archive is only held against it.
    """
    if not histogram:
        return None
    scale = _scale(histogram, own)
    bars = _bars(histogram, scale, own)
    mine = _own_mark(own, scale, bars)
    return Chart(
        players=sum(histogram.values()),
        bars=bars,
        ticks=_ticks(scale),
        median=_median_mark(histogram, scale, mine),
        own=mine,
    )


def _scale(histogram: Mapping[int, int], own: int | None) -> _Scale:
    low, high = _range(histogram)
    if own is not None:
        low, high = min(low, own), max(high, own)
    aim = min(max(2 * isqrt(sum(histogram.values())), _FEWEST), _MOST)
    step = _nice(max(ceil((high - low + 1) / aim), high // _FINEST))
    start = low // step * step
    bins = (high - start) // step + 1
    # One game alone stands in the middle of a scale, not on all of it.
    short = max(_LEAST - bins, 0)
    return _Scale(max(start - short // 2 * step, 0), step, bins + short)


def _range(histogram: Mapping[int, int]) -> tuple[int, int]:
    """Lowest and highest score, without the furthest out of a large crowd."""
    outside = sum(histogram.values()) // _TAIL
    scores = sorted(histogram)
    return _inner(histogram, scores, outside), _inner(histogram, scores[::-1], outside)


def _inner(histogram: Mapping[int, int], scores: list[int], outside: int) -> int:
    for score in scores:
        outside -= histogram[score]
        if outside < 0:
            return score
    return scores[-1]


def _nice(least: int) -> int:
    """The smallest round number of at least ``least``: 1, 2, 5, 10, 20, 25, 50, …"""
    power = 1
    while 10 * power < least:
        power *= 10
    return next(
        step for step in (power, 2 * power, 5 * power // 2, 5 * power, 10 * power) if step >= least
    )


def _bars(histogram: Mapping[int, int], scale: _Scale, own: int | None) -> list[Bar]:
    counts = [0] * scale.bins
    for score, count in histogram.items():
        counts[scale.bin_of(score)] += count
    end = scale.start + scale.step * scale.bins
    below, above = min(histogram) < scale.start, max(histogram) >= end
    mine = None if own is None else scale.bin_of(own)
    return [
        _bar(
            scale, i, count, max(counts), own=i == mine,
            below=below and i == 0, above=above and i == scale.bins - 1,
        )
        for i, count in enumerate(counts)
    ]  # fmt: skip


def _bar(
    scale: _Scale, i: int, count: int, most: int, *, own: bool, below: bool, above: bool
) -> Bar:
    low, width = scale.start + i * scale.step, WIDTH / scale.bins
    # Whoever reached it is seen, however many reached another.
    height = max(round(TALLEST * count / most, 1), 2.0) if count else 0.0
    return Bar(
        low=low, high=low + scale.step - 1, count=count, own=own, below=below, above=above,
        x=round(i * width + GAP / 2, 1), y=round(BASE - height, 1),
        width=round(width - GAP, 1), height=height,
    )  # fmt: skip


def _own_mark(own: int | None, scale: _Scale, bars: list[Bar]) -> Mark | None:
    if own is None:
        return None
    bar = bars[scale.bin_of(own)]
    x = round(bar.x + bar.width / 2, 1)
    text_x, anchor = _beside(x)
    return Mark(own, x, bar.y - 2, text_x, 14, anchor)


def _median_mark(histogram: Mapping[int, int], scale: _Scale, own: Mark | None) -> Mark | None:
    """Its words stand one line lower, on the side away from one's own line."""
    middle = ranking.median(histogram)
    if middle is None or sum(histogram.values()) < _MIDDLE_FROM:
        return None
    x = scale.x(middle + 0.5)
    if own is None or abs(own.x - x) > _ROOM:
        text_x, anchor = _beside(x)
        return Mark(middle, x, BASE, text_x, 32, anchor)
    left = x <= own.x
    if left and x < _ROOM:  # no room on that side
        return Mark(middle, x, BASE, own.x + 6, 32, "start")
    if not left and x > WIDTH - _ROOM:
        return Mark(middle, x, BASE, own.x - 6, 32, "end")
    return Mark(middle, x, BASE, x - 4 if left else x + 4, 32, "end" if left else "start")


def _beside(x: float) -> tuple[float, str]:
    """Above its line, but within the drawing."""
    if x < _ROOM / 2:
        return 0, "start"
    return (WIDTH, "end") if x > WIDTH - _ROOM / 2 else (x, "middle")


def _ticks(scale: _Scale) -> list[Tick]:
    every = scale.step * next(k for k in (1, 2, 4, 5, 10) if scale.bins <= _TICKS * k)
    end = scale.start + scale.step * scale.bins
    first = ceil(scale.start / every) * every
    return [_tick(score, scale) for score in range(first, end + 1, every)]


def _tick(score: int, scale: _Scale) -> Tick:
    x = scale.x(score)
    return Tick(score, x, "start" if x < 14 else "end" if x > WIDTH - 14 else "middle")
