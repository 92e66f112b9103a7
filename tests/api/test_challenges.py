"""GET /api/v1/challenges/{date}, …/{ruleset} and /api/v1/commitments."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

import pytest

from challenge.game.rulesets import RULESETS
from tests.api.contract import TODAY, Api, board, play, problem
from tests.conftest import Clock

IDS = [sheet.id for sheet in RULESETS]
GRACE = datetime(2026, 12, 1, 1, tzinfo=UTC)
CLOSED = datetime(2026, 12, 1, 3, tzinfo=UTC)


def test_today_is_answered_with_its_real_date_and_number(api: Api) -> None:
    answer = api.get("/api/v1/challenges/today").json
    assert answer["date"] == TODAY
    assert answer["number"] == 334
    assert [challenge["ruleset"] for challenge in answer["challenges"]] == IDS


def test_a_day_holds_what_each_board_says(api: Api) -> None:
    for challenge in api.get(f"/api/v1/challenges/{TODAY}").json["challenges"]:
        assert api.get(board(TODAY, challenge["ruleset"])).json == challenge


def test_an_open_board_says_its_instants_and_hides_its_seed(api: Api) -> None:
    answer = api.get(board()).json
    assert answer["state"] == "open"
    assert answer["opens_at"] == "2026-11-30T00:00:00Z"
    assert answer["rolls_over_at"] == "2026-12-01T00:00:00Z"
    assert answer["closes_at"] == "2026-12-01T03:00:00Z"
    assert answer["seed"] is None
    assert (answer["started"], answer["finished"]) == (0, 0)


def test_a_board_closes_after_the_grace_and_then_reveals_its_seed(api: Api, clock: Clock) -> None:
    commitment = api.get(board()).json["commitment"]
    clock.now = GRACE
    closing = api.get(board(TODAY)).json
    assert (closing["state"], closing["seed"]) == ("closing", None)
    clock.now = CLOSED - timedelta(microseconds=1)
    assert api.get(board(TODAY)).json["seed"] is None
    clock.now = CLOSED
    closed = api.get(board(TODAY)).json
    assert closed["state"] == "closed"
    assert closed["commitment"] == commitment
    assert hashlib.sha256(bytes.fromhex(closed["seed"])).hexdigest() == commitment


def test_a_closed_board_stays_closed_when_the_clock_goes_back(api: Api, clock: Clock) -> None:
    clock.now = CLOSED
    seed = api.get(board(TODAY)).json["seed"]
    clock.now = CLOSED - timedelta(hours=1)
    answer = api.get(board(TODAY)).json
    assert (answer["state"], answer["seed"]) == ("closed", seed)


def test_players_are_counted_as_they_start_and_finish(api: Api) -> None:
    play(api.signed(), ruleset="generala", turns=0)
    play(api.signed(), ruleset="generala")
    answer = api.get(board(ruleset="generala")).json
    assert (answer["started"], answer["finished"]) == (2, 1)


def test_an_archive_game_is_not_counted(api: Api) -> None:
    play(api.signed(), "2026-11-01", "generala")
    answer = api.get(board("2026-11-01", "generala")).json
    assert (answer["started"], answer["finished"]) == (0, 0)


def test_each_sheet_and_day_has_dice_of_its_own(api: Api) -> None:
    days = [api.get(f"/api/v1/challenges/{date}").json for date in (TODAY, "2026-11-29")]
    commitments = [challenge["commitment"] for day in days for challenge in day["challenges"]]
    assert len(set(commitments)) == 2 * len(IDS)


@pytest.mark.parametrize("tail", ["", "/yacht"])
def test_a_future_date_is_not_open_yet_and_says_when_it_opens(api: Api, tail: str) -> None:
    document = problem(
        api.get(f"/api/v1/challenges/2026-12-01{tail}"),
        "not-open-yet",
        403,
        opens_at="2026-12-01T00:00:00Z",
    )
    assert "2026-12-01" in document["detail"]


@pytest.mark.parametrize("tail", ["", "/yacht"])
def test_there_is_nothing_before_the_first_day(api: Api, tail: str) -> None:
    assert api.get(f"/api/v1/challenges/2026-01-01{tail}").status_code == 200
    problem(api.get(f"/api/v1/challenges/2025-12-31{tail}"), "not-found", 404)


@pytest.mark.parametrize("tail", ["", "/yacht", "/yacht/leaderboard", "/yacht/distribution"])
@pytest.mark.parametrize(
    "date",
    [
        "2026-02-29",
        "2026-13-01",
        "26-11-30",
        "2026-11-3",
        "20261130",
        "yesterday",
        "TODAY",
        "٢٠٢٦-١١-٣٠",  # digits, but not ASCII
        "2026-11-30T00:00:00Z",
        "2026-11-30\n",
        " 2026-11-30",
        "+026-11-30",
        "9" * 400,
        "9999-12-31",
    ],
)
def test_what_is_no_date_is_a_bad_request(api: Api, date: str, tail: str) -> None:
    problem(api.get(f"/api/v1/challenges/{date.replace(chr(10), '%0A')}{tail}"), "bad-request", 400)


def test_an_unknown_sheet_is_a_problem(api: Api) -> None:
    problem(api.get(board(ruleset="yahtzee")), "unknown-ruleset", 404)
    problem(api.get(board(TODAY, "Yacht")), "unknown-ruleset", 404)


def test_commitments_are_public_for_days_to_come(api: Api) -> None:
    query = f"from={TODAY}&days=366&ruleset=yacht"
    answer = api.get(f"/api/v1/commitments?{query}").json["commitments"]
    assert len(answer) == 366
    assert answer[0] == {
        "date": TODAY,
        "ruleset": "yacht",
        "commitment": api.get(board()).json["commitment"],
    }
    assert answer[-1]["date"] == "2027-11-30"
    assert len({entry["commitment"] for entry in answer}) == 366


def test_commitments_of_a_past_day_are_those_of_its_board(api: Api) -> None:
    answer = api.get("/api/v1/commitments?from=2026-03-05&days=1&ruleset=yatzy").json
    assert (
        answer["commitments"][0]["commitment"]
        == (api.get(board("2026-03-05", "yatzy")).json["commitment"])
    )


def test_commitments_without_a_sheet_are_those_of_every_sheet(api: Api) -> None:
    answer = api.get("/api/v1/commitments?from=today&days=2").json["commitments"]
    assert [(entry["date"], entry["ruleset"]) for entry in answer] == [
        (date, id) for date in (TODAY, "2026-12-01") for id in IDS
    ]


@pytest.mark.parametrize(
    "query",
    [
        "days=0",
        "days=367",
        "days=-1",
        "days=1.5",
        "days=x",
        "days=",
        "days=%D9%A1",
        "days=1e2",
        "days=+1",
        "days=99999999999999999999",
        "from=2026-02-30",
        "from=",
        "from=tomorrow",
    ],
)
def test_commitments_out_of_range_are_refused_never_clamped(api: Api, query: str) -> None:
    problem(api.get(f"/api/v1/commitments?{query}"), "bad-request", 400)


def test_commitments_of_an_unknown_sheet_or_an_early_day_are_not_found(api: Api) -> None:
    problem(api.get("/api/v1/commitments?ruleset=nope"), "unknown-ruleset", 404)
    problem(api.get("/api/v1/commitments?ruleset="), "unknown-ruleset", 404)
    problem(api.get("/api/v1/commitments?from=2025-12-31"), "not-found", 404)
