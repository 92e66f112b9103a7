"""The drawing of a review, in units of the drawing; the template only writes it down.

Above, the value of the whole game after each roll and each decision; where a decision gave
something away, it falls. Below, a pair of bars a round: what the dice brought beyond
expectation, and what was given away.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor

from challenge.web.pages.review.rounds import Round, Step

WIDTH, HEIGHT = 328, 264
LEFT = 34  # the fields stand to the right of their figures
TOP, BASE = 10, 128  # of the upper field
BARS_TOP, BARS_BASE = 160, 240  # of the lower one
_STEPS = 4  # spaces between the lines across, at most
_SEEN = 0.05  # what rounds to nothing is not drawn as lost
_LEAST = 1.0  # a bar of some points is no lower than this


@dataclass(frozen=True, slots=True)
class Line:
    """A line across with the points it stands for."""

    points: int
    y: float


@dataclass(frozen=True, slots=True)
class Fall:
    """A decision that gave something away: from ``top`` down to ``foot`` at ``x``."""

    x: float
    top: float
    foot: float


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a round."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Label:
    """The number of a round below its bars."""

    number: int
    x: float


@dataclass(frozen=True, slots=True)
class Bars:
    """The lower field: luck of each round, what was given away, the 0 at ``zero``."""

    lines: list[Line]
    zero: float
    luck: list[Bar]
    lost: list[Bar]


@dataclass(frozen=True, slots=True)
class Drawing:
    """``path`` is the value over the game, as points of a polyline up to ``end``.

    ``mean`` is the height at which it began.
    """

    path: str
    end: tuple[float, float]
    mean: float
    lines: list[Line]
    falls: list[Fall]
    bars: Bars
    labels: list[Label]


@dataclass(frozen=True, slots=True)
class _Scale:
    """Points ``low`` … ``high`` between two heights."""

    low: float
    high: float
    top: float
    foot: float

    def y(self, points: float) -> float:
        share = (points - self.low) / (self.high - self.low)
        return round(self.foot - (self.foot - self.top) * share, 1)


def draw(rounds: list[Round], mean: float) -> Drawing:
    """The drawing of a reviewed game."""
    pitch = (WIDTH - LEFT) / len(rounds)
    steps = [step for each in rounds for step in each.steps]
    values = [mean, *(value for step in steps for value in (step.lies, step.after))]
    step, scale = _scale(values, TOP, BASE)
    places = [(LEFT + pitch * x, at) for each in rounds for x, at in _places(each)]
    path = [(float(LEFT), scale.y(mean))]
    for x, at in places:
        path += [(x, scale.y(at.lies)), (x, scale.y(at.after))]
    return Drawing(
        path=" ".join(f"{x:.1f},{y}" for x, y in path),
        end=(round(path[-1][0], 1), path[-1][1]),
        mean=scale.y(mean),
        lines=_lines(scale, step),
        falls=[
            Fall(round(x, 1), scale.y(at.lies), scale.y(at.after))
            for x, at in places
            if at.cost >= _SEEN
        ],
        bars=_bars(rounds, pitch),
        labels=_labels(rounds, pitch),
    )


def _places(each: Round) -> list[tuple[float, Step]]:
    """Where the steps of a round stand, in rounds from the left edge."""
    return [
        (each.number - 1 + (i + 1) / (len(each.steps) + 1), step)
        for i, step in enumerate(each.steps)
    ]


def _bars(rounds: list[Round], pitch: float) -> Bars:
    step, scale = _scale(
        [0.0, *(each.luck for each in rounds), *(-each.cost for each in rounds)],
        BARS_TOP,
        BARS_BASE,
    )
    wide, narrow = round(pitch * 0.42, 1), round(pitch * 0.26, 1)
    zero = scale.y(0)
    return Bars(
        lines=_lines(scale, step),
        zero=zero,
        luck=[
            _bar(LEFT + pitch * (each.number - 0.86), wide, zero, scale.y(each.luck))
            for each in rounds
        ],
        lost=[
            _bar(LEFT + pitch * (each.number - 0.4), narrow, zero, scale.y(-each.cost))
            for each in rounds
            if each.cost >= _SEEN
        ],
    )


def _bar(x: float, width: float, zero: float, y: float) -> Bar:
    height = max(round(abs(zero - y), 1), _LEAST)
    return Bar(round(x, 1), round(zero - height, 1) if y < zero else zero, width, height)


def _scale(values: list[float], top: float, foot: float) -> tuple[int, _Scale]:
    """Round numbers around the values, and the step between their lines."""
    low, high = min(values), max(values)
    step = _step((high - low) / _STEPS)
    low, high = floor(low / step) * step, ceil(high / step) * step
    return step, _Scale(low, max(high, low + step), top, foot)


def _step(least: float) -> int:
    """The smallest round number of at least ``least``."""
    power = 1
    while 10 * power < least:
        power *= 10
    return next(step for step in (power, 2 * power, 5 * power, 10 * power) if step >= least)


def _lines(scale: _Scale, step: int) -> list[Line]:
    count = round((scale.high - scale.low) / step)
    return [
        Line(round(scale.low) + step * i, scale.y(scale.low + step * i)) for i in range(count + 1)
    ]


def _labels(rounds: list[Round], pitch: float) -> list[Label]:
    """Every round where there is room, else every other or every fifth."""
    every = 1 if pitch >= 21 else 2 if pitch >= 11 else 5
    return [
        Label(each.number, round(LEFT + pitch * (each.number - 0.5), 1))
        for each in rounds
        if each.number % every == 0 or every == 1
    ]
