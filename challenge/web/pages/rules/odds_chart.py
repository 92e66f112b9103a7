"""The distribution of the optimal player's totals as a drawing."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

WIDTH, HEIGHT = 328, 150
BASE = 126
TALLEST = 100
EDGE = 0.0005  # of all games so few lie outside of the drawing at either end
BARS = 60  # at most
STEPS = (1, 2, 5, 10, 20, 25, 50, 100)


@dataclass(frozen=True, slots=True)
class Bar:
    """Totals ``low`` to ``high`` have the probability ``share``."""

    low: int
    high: int
    share: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Tick:
    """A total written below the axis."""

    total: int
    x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Chart:
    """``mean_x`` is where the mean stands; ``outside`` the share of games not drawn."""

    bars: list[Bar]
    ticks: list[Tick]
    mean_x: float
    outside: float


def draw(chance: list[float]) -> Chart:
    """The drawing of a distribution: ``chance[total]`` from 0 on, of sum 1."""
    low, high = _end(chance), len(chance) - 1 - _end(chance[::-1])
    step = next(each for each in STEPS if (high - low) // each < BARS)
    start = low // step * step
    bins = (high - start) // step + 1
    shares = [sum(chance[start + i * step : start + (i + 1) * step]) for i in range(bins)]
    width, most = WIDTH / bins, max(shares)
    bars = [
        _bar(start + i * step, step, share, i * width, width, share / most)
        for i, share in enumerate(shares)
    ]
    mean = sum(total * probability for total, probability in enumerate(chance))
    scale = WIDTH / (bins * step)
    return Chart(
        bars,
        _ticks(start, start + bins * step, scale),
        round((mean + 0.5 - start) * scale, 1),
        1 - sum(shares),
    )


def _end(chance: list[float]) -> int:
    """How many totals at the beginning are rarer together than what is drawn."""
    reached = 0.0
    for total, probability in enumerate(chance):
        reached += probability
        if reached > EDGE:
            return total
    return 0


def _bar(low: int, step: int, share: float, x: float, width: float, part: float) -> Bar:
    height = round(TALLEST * part, 1)
    gap = min(1.0, width / 4)
    return Bar(
        low=low,
        high=low + step - 1,
        share=share,
        x=round(x + gap / 2, 2),
        y=BASE - height,
        width=round(width - gap, 2),
        height=height,
    )


def _ticks(start: int, end: int, scale: float) -> list[Tick]:
    every = next(each for each in (10, 20, 25, 50, 100, 200, 500) if (end - start) / each <= 6)
    found = []
    for total in range(ceil(start / every) * every, end + 1, every):
        x = round((total + 0.5 - start) * scale, 1)
        anchor = "start" if x < 14 else "end" if x > WIDTH - 14 else "middle"
        found.append(Tick(total, min(x, WIDTH), anchor))
    return found
