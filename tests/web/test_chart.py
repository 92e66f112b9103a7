"""The histogram: every game is in a bar, the bars are round and few, the words do not collide."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from challenge.web.pages import chart
from challenge.web.pages.chart import Chart


def crowd(players: int, mean: float = 210, spread: float = 45, top: int = 375) -> Counter[int]:
    """A board of so many players."""
    rnd = random.Random(players)
    return Counter(max(0, min(top, int(rnd.gauss(mean, spread)))) for _ in range(players))


BOARDS = {
    "one": Counter({246: 1}),
    "one of nothing": Counter({0: 1}),
    "two": Counter({150: 1, 250: 1}),
    "two alike": Counter({246: 2}),
    "far apart": Counter({0: 1, 9450: 1}),
    "the most there is": Counter({9450: 3}),
    "thirty": crowd(30),
    "a village": crowd(348),
    "a town": crowd(100_000),
    "triple sheet": crowd(2_000, 1500, 400, 9450),
    "low scores": crowd(500, 30, 10, 80),
}


def drawn(histogram: Counter[int], own: int | None = None) -> Chart:
    """The drawing, which there is."""
    found = chart.draw(histogram, own)
    assert found is not None
    return found


@pytest.fixture(params=BOARDS.values(), ids=BOARDS)
def board(request: pytest.FixtureRequest) -> Counter[int]:
    """A histogram of scores."""
    return request.param


def test_without_a_game_there_is_nothing_to_draw() -> None:
    assert chart.draw({}, None) is None
    assert chart.draw({}, 246) is None


def test_every_game_stands_in_exactly_one_bar(board: Counter[int]) -> None:
    found = drawn(board)
    assert sum(bar.count for bar in found.bars) == found.players == board.total()
    for bar in found.bars[1:-1]:
        assert bar.count == sum(n for s, n in board.items() if bar.low <= s <= bar.high)


def test_bars_lie_side_by_side_in_round_steps(board: Counter[int]) -> None:
    bars = drawn(board).bars
    assert 5 <= len(bars) <= 27
    steps = {bar.high - bar.low + 1 for bar in bars}
    (step,) = steps
    assert str(step).rstrip("0") in ("1", "2", "25", "5")
    assert all(bar.low % step == 0 for bar in bars)
    assert [bar.low for bar in bars[1:]] == [bar.high + 1 for bar in bars[:-1]]


def test_nothing_is_drawn_outside(board: Counter[int]) -> None:
    for own in (min(board), max(board), None):
        found = drawn(board, own)
        for bar in found.bars:
            assert 0 <= bar.x < bar.x + bar.width <= chart.WIDTH
            assert bar.y >= 54
            assert round(bar.y + bar.height, 1) == chart.BASE
            assert (bar.height >= 2) == (bar.count > 0)
        assert all(0 <= tick.x <= chart.WIDTH for tick in found.ticks)
        assert 2 <= len(found.ticks) <= 6


def test_ones_own_score_lies_in_the_bar_that_is_marked(board: Counter[int]) -> None:
    for own in board:
        found = drawn(board, own)
        (bar,) = [bar for bar in found.bars if bar.own]
        assert bar.low <= own <= bar.high
        assert found.own is not None
        assert bar.x <= found.own.x <= bar.x + bar.width


def test_a_score_that_is_not_on_the_board_is_held_against_it() -> None:
    found = drawn(Counter({200: 3}), 320)
    (bar,) = [bar for bar in found.bars if bar.own]
    assert (bar.count, bar.low <= 320 <= bar.high) == (0, True)
    assert found.players == 3


def test_who_lies_far_out_of_a_large_crowd_is_counted_at_the_edge() -> None:
    board = crowd(1000) + Counter({9450: 1, 0: 1})
    first, *_, last = drawn(board).bars
    assert (first.below, last.above) == (True, True)
    assert last.high < 9450
    assert not drawn(crowd(30)).bars[-1].above


def test_a_few_games_have_no_middle() -> None:
    assert drawn(Counter({150: 1, 250: 1})).median is None
    median = drawn(Counter({150: 1, 250: 2})).median
    assert median is not None
    assert median.score == 250


def _span(mark: chart.Mark) -> tuple[float, float]:
    """What the words of a mark take, left and right, by a generous guess."""
    width = 78
    left = {"start": 0, "middle": width / 2, "end": width}[mark.anchor]
    return mark.text_x - left, mark.text_x - left + width


@pytest.mark.parametrize("own", range(90, 331, 3))
def test_the_words_of_the_middle_never_lie_on_ones_own_line(own: int) -> None:
    found = drawn(crowd(348), own)
    assert found.median is not None
    assert found.own is not None
    left, right = _span(found.median)
    assert not left < found.own.x - 1 < found.own.x + 1 < right
    assert left >= -1
    assert right <= chart.WIDTH + 1
