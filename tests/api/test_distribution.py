"""GET …/distribution."""

from __future__ import annotations

import statistics
from collections import Counter

from tests.api.contract import Api, board, play, problem

URL = board(ruleset="generala", tail="distribution")


def test_an_empty_board_has_no_bins(api: Api) -> None:
    assert api.get(URL).json == {"players": 0, "mean": None, "median": None, "bins": []}


def test_the_distribution_is_that_of_the_scores(api: Api) -> None:
    totals = [play(api.signed(), ruleset="generala", pick=i % 3)["total"] for i in range(7)]
    answer = api.get(URL).json
    assert answer["players"] == 7
    assert answer["bins"] == [
        {"score": score, "count": count} for score, count in sorted(Counter(totals).items())
    ]
    assert abs(answer["mean"] - statistics.mean(totals)) < 1e-9
    assert answer["median"] == statistics.median(totals)


def test_half_played_and_archive_games_do_not_count(mia: Api) -> None:
    play(mia, ruleset="generala", turns=5)
    play(mia, "2026-04-04", "generala")
    assert mia.get(URL).json["players"] == 0
    assert mia.get(board("2026-04-04", "generala", "distribution")).json["players"] == 0


def test_an_unknown_board_is_a_problem(api: Api) -> None:
    problem(api.get(board(ruleset="nope", tail="distribution")), "unknown-ruleset", 404)
    problem(api.get(board("2025-01-01", tail="distribution")), "not-found", 404)
    problem(api.get(board("2026-02-31", tail="distribution")), "bad-request", 400)
