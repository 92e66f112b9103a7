"""GET /api/v1/me/stats: figures of the games finished in their day."""

from __future__ import annotations

from statistics import mean, median

from challenge.service.services import Services
from tests.api.contract import TODAY, Api, game, play, problem
from tests.conftest import Clock

STATS = "/api/v1/me/stats"


def test_somebody_who_has_finished_nothing_has_no_figures(mia: Api) -> None:
    play(mia, ruleset="generala", turns=2)
    assert mia.get(STATS).json == {
        "played": 0,
        "streak": {"current": 0, "best": 0},
        "best": None,
        "mean": None,
        "median": None,
        "histogram": [],
        "last": [],
        "sheets": [],
    }


def test_a_finish_counts_at_once_and_the_worker_changes_nothing(
    mia: Api, services: Services
) -> None:
    total = play(mia, ruleset="generala")["total"]
    before = mia.get(STATS).json
    assert (before["played"], before["best"], before["streak"]) == (
        1,
        total,
        {"current": 1, "best": 1},
    )
    assert before["histogram"] == [{"score": total, "count": 1}]
    last = {"date": TODAY, "number": 334, "ruleset": "generala", "score": total}
    assert before["last"] == [last]
    services.worker.round()
    assert mia.get(STATS).json == before


def test_figures_are_of_one_sheet_or_over_all_and_the_streak_is_always_over_all(
    mia: Api, clock: Clock
) -> None:
    generala, yacht = [], []
    for day in range(27, 31):
        clock.set(f"2026-11-{day} 12:00")
        generala.append(play(mia, ruleset="generala", pick=day)["total"])
        if day % 2:
            yacht.append(play(mia, ruleset="yacht-12", pick=day)["total"])
    found = mia.get(f"{STATS}?ruleset=generala").json
    assert (found["played"], found["best"]) == (4, max(generala))
    assert (found["mean"], found["median"]) == (mean(generala), median(generala))
    assert [each["date"][-2:] for each in found["last"]] == ["30", "29", "28", "27"]
    assert {each["ruleset"] for each in found["last"]} == {"generala"}
    every = mia.get(STATS).json
    assert (every["played"], every["mean"]) == (6, mean(generala + yacht))
    assert sum(each["count"] for each in every["histogram"]) == 6
    assert [(each["ruleset"], each["played"]) for each in every["sheets"]] == [
        ("yacht-12", 2),
        ("generala", 4),
    ]
    assert every["sheets"][1] == found["sheets"][0]
    other = mia.get(f"{STATS}?ruleset=yatzy").json
    assert other["played"] == 0
    assert found["streak"] == every["streak"] == other["streak"] == {"current": 4, "best": 4}


def test_the_archive_counts_nothing(mia: Api) -> None:
    play(mia, "2026-11-20", "generala")
    assert mia.get(STATS).json["played"] == 0


def test_a_game_begun_in_its_day_and_finished_after_the_close_counts_nothing(
    mia: Api, clock: Clock
) -> None:
    play(mia, ruleset="generala", turns=2)
    clock.set("2026-12-01 03:00")
    assert play(mia, TODAY, "generala")["finished"]
    found = mia.get(STATS).json
    assert (found["played"], found["streak"]["best"]) == (0, 0)


def test_the_streak_is_alive_until_today_ends(mia: Api, clock: Clock) -> None:
    play(mia, ruleset="generala")
    clock.set("2026-12-01 23:59")
    assert mia.get(STATS).json["streak"] == {"current": 1, "best": 1}
    clock.set("2026-12-02 00:00")
    assert mia.get(STATS).json["streak"] == {"current": 0, "best": 1}


def test_it_is_the_callers_alone(api: Api, mia: Api) -> None:
    play(mia, ruleset="generala")
    assert api.signed().get(STATS).json["played"] == 0
    problem(api.get(STATS), "not-signed", 401)
    problem(mia.get(f"{STATS}?ruleset=nothing"), "unknown-ruleset", 404)
    assert mia.get(game(ruleset="generala")).json["finished"]
