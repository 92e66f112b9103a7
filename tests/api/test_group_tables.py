"""Tables of a group over days, and two members head to head, against a recount by hand."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from fractions import Fraction
from statistics import fmean
from typing import Any

import pytest

from challenge.service.services import Services
from challenge.web import create_app
from tests.api.contract import TODAY, Api, play, problem
from tests.api.friends import at, make_group, seat
from tests.conftest import Clock

SHEET = "generala"
FIRST = date.fromisoformat(TODAY)


@dataclass
class Season:
    """Some days of a group and of others: who finished with which score, by day."""

    members: list[Api]
    group: str
    scores: dict[str, dict[str, int]] = field(default_factory=dict)

    def row(self, player: str, days: list[str]) -> dict[str, Any]:
        """What a table must say of a member over these days."""
        mine = {m.player for m in self.members}
        played = [self.scores[day] for day in days if player in self.scores[day]]
        own = [day[player] for day in played]
        shares = [
            Fraction(100 * sum(s < day[player] for s in day.values()), max(1, len(day) - 1))
            for day in played
        ]
        return {
            "played": len(played),
            "won": sum(day[player] == max(day[p] for p in mine & set(day)) for day in played),
            "points": pytest.approx(float(sum(shares))),
            "average": pytest.approx(fmean(own)) if own else None,
            "best": max(own, default=None),
        }


def day_after(days: int) -> str:
    """The day so many days after the first of the season."""
    return (FIRST + timedelta(days=days)).isoformat()


def season(api: Api, clock: Clock, *, members: int, others: int, days: int) -> Season:
    """A group that plays by chance for some days, the last of which is today."""
    rnd = random.Random(days)
    crew = [api.signed(f"M{i}") for i in range(members)]
    rest = [api.signed() for _ in range(others)]
    found = Season(crew, make_group(*crew))
    for n in range(days):
        clock.set(f"{day_after(n)}T12:00")
        found.scores[day_after(n)] = {
            player.player: play(player, ruleset=SHEET, pick=rnd.randrange(3))["total"]
            for player in (*crew, *rest)
            if rnd.random() < 0.6
        }
    return found


@pytest.mark.parametrize("shards", ["1", "3"])
def test_a_table_equals_a_recount_from_the_games(
    make_services: Callable[..., Services], clock: Clock, shards: str
) -> None:
    app = create_app(make_services(CHALLENGE_BOARD_SHARDS=shards))
    api = Api(app.test_client(use_cookies=False))
    found = season(api, clock, members=4, others=3, days=5)
    for first, last in ((0, 4), (1, 3), (4, 4)):
        span = [day_after(n) for n in range(first, last + 1)]
        query = f"table?ruleset={SHEET}&from={span[0]}&to={span[-1]}"
        table = found.members[0].get(at(found.group, query)).json
        assert [table[k] for k in ("group", "ruleset", "from", "to")] == [
            *(found.group, SHEET, span[0], span[-1])
        ]
        rows = {row["player"]: row for row in table["rows"]}
        for member in found.members:
            row = rows.pop(member.player)
            assert row.pop("name").startswith("M")
            assert row.pop("me") == (member is found.members[0])
            del row["player"]
            assert row == found.row(member.player, span)
        assert not rows
        points = [row["points"] for row in table["rows"]]
        assert points == sorted(points, reverse=True)


def test_two_members_head_to_head_equal_a_recount(api: Api, clock: Clock) -> None:
    found = season(api, clock, members=3, others=1, days=8)
    a, b, onlooker = found.members
    span = f"ruleset={SHEET}&from={TODAY}&to={day_after(7)}"
    duel = onlooker.get(at(found.group, f"versus?a={a.player}&b={b.player}&{span}")).json
    days = [
        {"date": day, "a": scores.get(a.player), "b": scores.get(b.player)}
        for day, scores in found.scores.items()
        if a.player in scores or b.player in scores
    ]
    assert duel["days"] == days
    both = [(d["a"], d["b"]) for d in days if None not in (d["a"], d["b"])]
    assert both
    assert duel["a"]["wins"] == sum(x > y for x, y in both)
    assert duel["b"]["wins"] == sum(x < y for x, y in both)
    assert duel["ties"] == sum(x == y for x, y in both)
    for side, member in ((duel["a"], a), (duel["b"], b)):
        row = found.row(member.player, list(found.scores))
        assert {k: side[k] for k in ("played", "average", "best")} == {
            k: row[k] for k in ("played", "average", "best")
        }
        assert (side["player"], side["me"]) == (member.player, False)
    mirrored = b.get(at(found.group, f"versus?a={b.player}&b={a.player}&{span}")).json
    assert mirrored["a"] == {**duel["b"], "me": True}
    assert mirrored["b"] == duel["a"]
    assert a.get(at(found.group, f"versus?b={b.player}&{span}")).json["a"]["me"]


def test_equal_best_scores_of_a_day_are_won_by_all_of_them(mia: Api, api: Api) -> None:
    ben, eve = api.signed(), api.signed()
    group = make_group(mia, ben, eve)
    for player in (mia, ben):
        play(player, ruleset=SHEET, pick=1)
    rows = mia.get(at(group, f"table?ruleset={SHEET}")).json["rows"]
    won = {row["player"]: row["won"] for row in rows}
    assert won == {mia.player: 1, ben.player: 1, eve.player: 0}
    assert [row["points"] for row in rows] == [0, 0, 0]
    (nothing,) = [row for row in rows if row["player"] == eve.player]
    assert (nothing["average"], nothing["best"], nothing["played"]) == (None, None, 0)


def test_who_finishes_alone_in_the_world_wins_without_points(mia: Api) -> None:
    group = make_group(mia)
    total = play(mia, ruleset=SHEET)["total"]
    (row,) = mia.get(at(group, f"table?ruleset={SHEET}")).json["rows"]
    assert (row["played"], row["won"], row["points"], row["best"]) == (1, 1, 0, total)


def test_games_of_the_archive_and_unfinished_ones_count_nothing(mia: Api, clock: Clock) -> None:
    group = make_group(mia)
    play(mia, ruleset=SHEET, turns=2)
    clock.set("2026-12-01 04:00")
    play(mia, date=TODAY, ruleset=SHEET)
    play(mia, date="2026-11-01", ruleset=SHEET)
    table = mia.get(at(group, f"table?ruleset={SHEET}&from=2026-11-01")).json
    assert [row["played"] for row in table["rows"]] == [0]


def test_a_finish_in_the_grace_counts_for_its_own_day(mia: Api, clock: Clock) -> None:
    group = make_group(mia)
    play(mia, ruleset=SHEET, turns=2)
    clock.set("2026-12-01 01:00")
    play(mia, date=TODAY, ruleset=SHEET)
    for day, played in ((TODAY, 1), ("2026-12-01", 0)):
        table = mia.get(at(group, f"table?ruleset={SHEET}&from={day}&to={day}")).json
        assert [row["played"] for row in table["rows"]] == [played]


def test_what_was_finished_before_joining_counts_and_who_left_is_in_no_table(
    mia: Api, api: Api
) -> None:
    ben = api.signed()
    play(ben, ruleset=SHEET)
    group = make_group(mia, ben)
    rows = mia.get(at(group, f"table?ruleset={SHEET}")).json["rows"]
    assert {row["player"]: row["played"] for row in rows} == {mia.player: 0, ben.player: 1}
    ben.delete(seat(group, ben))
    rows = mia.get(at(group, f"table?ruleset={SHEET}")).json["rows"]
    assert [row["player"] for row in rows] == [mia.player]
    problem(mia.get(at(group, f"versus?b={ben.player}")), "not-found", 404)


def test_a_table_without_days_is_of_the_default_sheet_and_thirty_days(mia: Api) -> None:
    group = make_group(mia)
    table = mia.get(at(group, "table")).json
    assert [table[k] for k in ("ruleset", "from", "to")] == ["yacht", "2026-11-01", TODAY]
    assert mia.get(at(group, "table?to=2026-01-05")).json["from"] == "2026-01-01"


@pytest.mark.parametrize(
    ("span", "fits"),
    [
        ("from=2026-08-31&to=2026-11-30", True),  # 92 days
        ("from=2026-08-30&to=2026-11-30", False),
        ("from=2026-11-30&to=2026-11-29", False),
        ("from=2026-11-31", False),
        ("to=tomorrow", False),
        ("from=&to=today", False),
    ],
)
def test_a_table_has_one_to_ninety_two_days(mia: Api, api: Api, span: str, fits: bool) -> None:
    ben = api.signed()
    group = make_group(mia, ben)
    for url in (at(group, f"table?{span}"), at(group, f"versus?b={ben.player}&{span}")):
        if fits:
            assert mia.get(url).status_code == 200
        else:
            problem(mia.get(url), "bad-request", 400)


def test_a_table_may_run_to_the_end_of_a_week_that_is_not_over(mia: Api) -> None:
    group = make_group(mia)
    play(mia, ruleset=SHEET)
    table = mia.get(at(group, f"table?ruleset={SHEET}&from={TODAY}&to=2026-12-06")).json
    assert [row["played"] for row in table["rows"]] == [1]


def test_a_table_is_of_a_sheet_and_days_that_there_are(mia: Api) -> None:
    group = make_group(mia)
    problem(mia.get(at(group, "table?ruleset=nope")), "unknown-ruleset", 404)
    problem(mia.get(at(group, "table?from=2025-12-31&to=2026-01-05")), "not-found", 404)
    problem(mia.get(at(group, f"versus?b={mia.player}")), "bad-request", 400)
    problem(mia.get(at(group, "versus")), "not-found", 404)
