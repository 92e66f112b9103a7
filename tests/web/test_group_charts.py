"""Charts and calendar of groups: every score is seen, within the drawing, on its own day."""

from __future__ import annotations

import random
from datetime import date, timedelta
from itertools import pairwise

import pytest

from challenge.daily import calendar
from challenge.errors import NotFound
from challenge.web.pages.groups import charts, spans
from challenge.web.pages.groups.charts import BASE, HEIGHT, LEFT, TOP, WIDTH, Duel, Pair

FIRST = date(2026, 9, 1)


def season(days: int, seed: int, most: int) -> list[Pair]:
    """So many days of two players, with gaps."""
    rnd = random.Random(seed)

    def score() -> int | None:
        return rnd.randrange(most + 1) if rnd.random() < 0.7 else None

    return [Pair(FIRST + timedelta(days=n), score(), score()) for n in range(days)]


SEASONS = {
    "a day": [Pair(FIRST, 246, 200)],
    "alike": [Pair(FIRST, 246, 246), Pair(FIRST + timedelta(days=1), None, None)],
    "nothing and the most": [Pair(FIRST, 0, 9450)],
    "one alone": [Pair(FIRST, None, 30), Pair(FIRST + timedelta(days=1), None, 31)],
    "a week": season(7, 1, 375),
    "a quarter": season(92, 2, 375),
    "the triple sheet": season(30, 3, 9450),
}


@pytest.fixture(params=SEASONS.values(), ids=SEASONS)
def pairs(request: pytest.FixtureRequest) -> list[Pair]:
    """Days of two players."""
    return request.param


def drawn(pairs: list[Pair]) -> Duel:
    """The drawing, which there is."""
    found = charts.duel(pairs)
    assert found is not None
    return found


def test_without_a_finished_game_there_is_nothing_to_draw() -> None:
    assert charts.duel([]) is None
    assert charts.duel([Pair(FIRST, None, None)] * 3) is None


def test_every_score_is_a_mark_within_the_drawing(pairs: list[Pair]) -> None:
    found = drawn(pairs)
    assert len(found.a) == sum(pair.a is not None for pair in pairs)
    assert len(found.b) == sum(pair.b is not None for pair in pairs)
    for mark in found.a + found.b:
        assert LEFT < mark.x < WIDTH
        assert TOP <= mark.y <= BASE < HEIGHT


def test_a_higher_score_stands_higher_and_a_later_day_further_right(pairs: list[Pair]) -> None:
    marks = drawn(pairs).a
    scores = [pair.a for pair in pairs if pair.a is not None]
    assert [mark.x for mark in marks] == sorted({mark.x for mark in marks})
    for (one, mark), (other, beside) in pairwise(zip(scores, marks, strict=True)):
        if one != other:
            assert (mark.y >= beside.y) == (one < other)


def test_a_line_joins_the_two_of_a_day_and_nothing_else(pairs: list[Pair]) -> None:
    both = [p for p in pairs if p.a is not None and p.b is not None and p.a != p.b]
    found = drawn(pairs).between
    assert len(found) == len(both)
    assert all(line.top <= line.foot for line in found)


def test_the_lines_across_are_few_round_and_hold_every_score(pairs: list[Pair]) -> None:
    lines = drawn(pairs).lines
    scores = [s for pair in pairs for s in (pair.a, pair.b) if s is not None]
    assert 2 <= len(lines) <= 6
    assert lines[0].score <= min(scores)
    assert lines[-1].score >= max(scores)
    steps = {b.score - a.score for a, b in pairwise(lines)}
    assert len(steps) == 1
    assert str(steps.pop()).rstrip("0") in ("1", "2", "5")


def test_marks_of_neighbouring_days_do_not_touch(pairs: list[Pair]) -> None:
    found = drawn(pairs)
    xs = sorted({mark.x for mark in found.a})
    assert all(b - a >= 2 * found.size - 0.2 for a, b in pairwise(xs))


def test_a_bar_is_as_long_as_its_share_and_never_vanishes() -> None:
    assert charts.share(0, 0) == charts.share(0, 10) == 0
    assert charts.share(10, 10) == WIDTH
    assert charts.share(5, 10) == WIDTH / 2
    assert charts.share(0.001, 3000) > 0


# -- weeks and months ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "first", "last"),
    [
        ("week", "2026-W48", "2026-11-23", "2026-11-29"),
        ("week", "2026-W01", "2025-12-29", "2026-01-04"),
        ("week", "2026-W53", "2026-12-28", "2027-01-03"),
        ("month", "2026-02", "2026-02-01", "2026-02-28"),
        ("month", "2028-02", "2028-02-01", "2028-02-29"),
        ("month", "2026-12", "2026-12-01", "2026-12-31"),
    ],
)
def test_a_week_and_a_month_by_name(kind: spans.Kind, text: str, first: str, last: str) -> None:
    found = spans.read(kind, text, date(2030, 1, 1))
    assert (found.first.isoformat(), found.last.isoformat()) == (first, last)
    assert found.key == text


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("week", "2027-W53"), ("week", "2026-W00"), ("week", "2026-48"), ("week", "2026-w48"),
        ("week", "9999-W52"), ("week", "0000-W01"), ("week", "2026-W٤٨"), ("week", "2025-W52"),
        ("month", "2026-13"), ("month", "2026-00"), ("month", "2026-1"), ("month", "2025-12"),
        ("month", "9999-12"), ("month", "0000-01"), ("month", "2027-01"), ("week", "2027-W02"),
    ],
)  # fmt: skip
def test_what_is_no_week_or_month_with_a_day_is_not_there(kind: spans.Kind, text: str) -> None:
    with pytest.raises(NotFound):
        spans.read(kind, text, date(2026, 12, 31))


@pytest.mark.parametrize("kind", ["week", "month"])
def test_the_ways_back_and_on_meet_every_day_once(kind: spans.Kind) -> None:
    today = date(2028, 3, 10)
    span: spans.Span | None = spans.span_of(kind, today)
    assert span is not None
    assert span.after(today) is None
    days: list[date] = []
    while span is not None:
        first, last = span.come(today)
        days += [last - timedelta(days=n) for n in range((last - first).days + 1)]
        before = span.before()
        assert before is None or before.after(today) == span
        span = before
    assert days == [today - timedelta(days=n) for n in range(len(days))]
    assert days[-1] == calendar.FIRST_DAY
