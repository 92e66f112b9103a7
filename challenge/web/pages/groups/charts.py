"""Charts of a group, in units of the drawing; the templates only write them down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

WIDTH, HEIGHT = 328, 176
LEFT, TOP, BASE = 30, 10, 148  # the field of the points: its left edge, its top, its foot
_STEPS = 4  # spaces between the lines across, at most
_LARGEST, _SMALLEST = 5.0, 1.5  # radius of a mark: few days give large ones


@dataclass(frozen=True, slots=True)
class Pair:
    """The scores of two players on a day; None for who did not finish."""

    day: date
    a: int | None
    b: int | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A score as a mark around ``x``, ``y``."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Between:
    """A line between the two scores of a day."""

    x: float
    top: float
    foot: float


@dataclass(frozen=True, slots=True)
class Line:
    """A line across, with the score it stands for."""

    score: int
    y: float


@dataclass(frozen=True, slots=True)
class Day:
    """A day written below."""

    day: date
    x: float
    anchor: str


@dataclass(frozen=True, slots=True)
class Duel:
    """Two players' scores day by day; ``size`` is the radius of a mark."""

    a: list[Mark]
    b: list[Mark]
    between: list[Between]
    lines: list[Line]
    days: list[Day]
    size: float


@dataclass(frozen=True, slots=True)
class _Scale:
    """Scores ``low`` … ``high`` over the height, ``count`` days over the width."""

    low: int
    high: int
    count: int

    @property
    def pitch(self) -> float:
        return (WIDTH - LEFT) / self.count

    def x(self, i: int) -> float:
        return round(LEFT + self.pitch * (i + 0.5), 1)

    def y(self, score: int) -> float:
        return round(BASE - (BASE - TOP) * (score - self.low) / (self.high - self.low), 1)


def duel(pairs: Sequence[Pair]) -> Duel | None:
    """The drawing of two players' days, in their order; None where neither finished any."""
    scores = [score for pair in pairs for score in (pair.a, pair.b) if score is not None]
    if not scores:
        return None
    step = _step(min(scores), max(scores))
    low = min(scores) // step * step
    high = max(ceil(max(scores) / step) * step, low + step)
    scale = _Scale(low, high, len(pairs))
    return Duel(
        a=_marks([pair.a for pair in pairs], scale),
        b=_marks([pair.b for pair in pairs], scale),
        between=_between(pairs, scale),
        lines=[Line(score, scale.y(score)) for score in range(low, high + 1, step)],
        days=_days(pairs, scale),
        size=round(min(max(scale.pitch * 0.42, _SMALLEST), _LARGEST), 2),
    )


def _step(low: int, high: int) -> int:
    """The smallest round number that gets from ``low`` to ``high`` in few steps."""
    least, power = max((high - low) / _STEPS, 1), 1
    while 10 * power < least:
        power *= 10
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least)


def _marks(scores: list[int | None], scale: _Scale) -> list[Mark]:
    return [Mark(scale.x(i), scale.y(score)) for i, score in enumerate(scores) if score is not None]


def _between(pairs: Sequence[Pair], scale: _Scale) -> list[Between]:
    return [
        Between(scale.x(i), scale.y(max(pair.a, pair.b)), scale.y(min(pair.a, pair.b)))
        for i, pair in enumerate(pairs)
        if pair.a is not None and pair.b is not None and pair.a != pair.b
    ]


def _days(pairs: Sequence[Pair], scale: _Scale) -> list[Day]:
    """The first day and the last; their words stand within the drawing."""
    if len(pairs) == 1:
        return [Day(pairs[0].day, scale.x(0), "middle")]
    return [Day(pairs[0].day, LEFT, "start"), Day(pairs[-1].day, WIDTH, "end")]


def share(value: float, most: float) -> float:
    """How wide a bar of ``value`` is where the longest stands for ``most``, 0 … WIDTH.

    Whoever has anything is seen, however much another has.
    """
    if value <= 0 or most <= 0:
        return 0.0
    return max(round(WIDTH * min(value / most, 1), 1), 2.0)
