"""Competition ranking and the figures of a board, each against the plain list of scores."""

import statistics
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenge.daily import ranking

few_scores = st.lists(st.integers(min_value=0, max_value=12), min_size=1, max_size=40)
scores = few_scores | st.lists(st.integers(min_value=0, max_value=9450), min_size=1, max_size=40)


def test_equal_scores_share_a_rank_and_the_next_one_skips():
    board = Counter([300, 250, 250, 200])
    assert [ranking.standing(board, s).rank for s in (300, 250, 200)] == [1, 2, 4]


@given(scores)
def test_ranks_are_those_of_the_sorted_list(board):
    histogram = Counter(board)
    ordered = sorted(board, reverse=True)
    for score in board:
        found = ranking.standing(histogram, score)
        assert found.rank == ordered.index(score) + 1
        assert found.players == len(board)
        assert found.beaten == sum(other < score for other in board)
        assert found.tied == board.count(score) - 1


@given(scores)
def test_the_percentage_counts_other_players_and_is_rounded_down(board):
    for score in board:
        percent = ranking.standing(Counter(board), score).percent
        others = len(board) - 1
        beaten = sum(other < score for other in board)
        assert 0 <= percent <= 100
        if others:
            assert percent * others <= 100 * beaten < (percent + 1) * others


@given(scores)
def test_points_are_the_exact_share_of_the_others_with_a_lower_score(board):
    points = ranking.points(Counter(board))
    assert set(points) == set(board)
    for score, found in points.items():
        beaten = sum(other < score for other in board)
        assert found * (len(board) - 1) == pytest.approx(100 * beaten)
        assert 0 <= found <= 100


def test_who_beats_all_others_beats_a_hundred_percent_and_a_lone_player_none():
    assert ranking.standing({10: 1, 5: 99}, 10).percent == 100
    assert ranking.standing({10: 1, 5: 98, 3: 1}, 5).percent == 1
    assert ranking.standing({10: 1}, 10) == ranking.Standing(players=1, beaten=0, tied=0)
    assert ranking.standing({10: 1}, 10).percent == 0


def test_all_tied_players_share_the_first_place_and_beat_nobody():
    found = ranking.standing({200: 7}, 200)
    assert (found.rank, found.beaten, found.tied, found.percent) == (1, 0, 6, 0)


@given(scores)
def test_mean_and_median_are_those_of_the_list(board):
    assert ranking.mean(Counter(board)) == sum(board) / len(board)
    assert ranking.median(Counter(board)) == statistics.median(board)


def test_an_empty_board_has_neither_mean_nor_median():
    assert ranking.mean({}) is None
    assert ranking.median({}) is None


def test_a_score_of_zero_counts_like_any_other():
    board = {0: 1, 10: 1}
    assert ranking.standing(board, 0).rank == 2
    assert ranking.mean(board) == 5
    assert ranking.median(board) == 5
