"""The streak over 400 days in Berlin: always what a recount of the export and a diary say.

The diary is what the player did; the recount knows nothing but dates and the words
``daily`` and ``finished`` of the export's JSON.
"""

from __future__ import annotations

import json
import random
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest

from challenge.cli.exported import check_all
from challenge.service.services import Services
from challenge.service.views.games import GameView
from tests.conftest import Clock
from tests.service.players import begin, play_on, play_out, play_short_of_one

BERLIN = ZoneInfo("Europe/Berlin")
FIRST = date(2026, 2, 1)  # both clock changes lie within 400 days of it, March 2027's not
SHEET, SECOND = "generala", "yacht-12"
SECONDS = timedelta(seconds=1)
GRACE = timedelta(hours=3)
WAYS = ("gap", "one", "one", "one", "one", "two", "two", "grace", "late", "archive", "half")
CHANGES = ("2026-03-28", "2026-03-29", "2026-10-24", "2026-10-25", "2027-03-27", "2027-03-28")
HOURS = ("00:00:00", "00:00:01", "02:30:00", "12:00:00", "23:59:59")


def local(day: date, clock: str = "00:00:00") -> datetime:
    """A moment by the wall clock of Berlin."""
    return datetime.combine(day, time.fromisoformat(clock), BERLIN).astimezone(UTC)


def recount(days: set[date], today: date) -> dict[str, int]:
    """Current and longest run, counted forward day by day from the first one."""
    longest = run = 0
    last = None
    for day in sorted(days):
        run = run + 1 if last is not None and day.toordinal() == last + 1 else 1
        last = day.toordinal()
        longest = max(longest, run)
    alive = last is not None and today.toordinal() - last <= 1
    return {"current": run if alive else 0, "best": longest}


class Life:
    """A player who plays as ``WAYS`` have it, and keeps a diary."""

    def __init__(self, services: Services, clock: Clock, seed: int) -> None:
        self.services = services
        self.clock = clock
        self.rnd = random.Random(seed)
        self.player = services.players.new_id()
        self.finished: set[date] = set()
        self.left: tuple[date, GameView, bool] | None = None
        self.ways: list[str] = []

    def live(self, day: date) -> None:
        """One day, with what was left over from the day before at its beginning."""
        self._end_what_is_left(day)
        # The clock changes in a night in which a game is finished in the grace.
        way = "grace" if day.isoformat() in CHANGES else self.rnd.choice(WAYS)
        self.ways.append(way)
        # Past whatever was finished in the small hours of this day.
        self.clock.now = max(self.clock.now, local(day, self.rnd.choice(HOURS)))
        getattr(self, f"_{way}")(day)

    def _end_what_is_left(self, day: date) -> None:
        if self.left is None:
            return
        began, view, in_time = self.left
        closes_at = local(day) + GRACE
        self.clock.now = closes_at - SECONDS if in_time else closes_at
        play_on(self.services, self.player, view, seed=1)
        if in_time:
            self.finished.add(began)
        self.left = None

    def _gap(self, day: date) -> None:
        pass

    def _one(self, day: date, sheet: str = SHEET) -> None:
        play_out(self.services, self.player, day, sheet, seed=self.rnd.randrange(99))
        self.finished.add(day)

    def _two(self, day: date) -> None:
        self._one(day)
        self._one(day, SECOND)

    def _grace(self, day: date) -> None:
        self._leave(day, in_time=True)

    def _late(self, day: date) -> None:
        self._leave(day, in_time=False)

    def _leave(self, day: date, *, in_time: bool) -> None:
        self.clock.now = max(self.clock.now, local(day, "23:59:59"))
        view = play_short_of_one(self.services, self.player, day, SHEET)
        self.left = day, view, in_time

    def _archive(self, day: date) -> None:
        past = day - timedelta(days=self.rnd.randrange(2, 30))
        view = begin(self.services, self.player, past, SHEET)
        if view.mode == "archive":  # else it was played in its day
            play_on(self.services, self.player, view)

    def _half(self, day: date) -> None:
        begin(self.services, self.player, day, SHEET)


def exported(services: Services, player: str) -> Any:
    """The export as it goes over the wire."""
    return json.loads(msgspec.json.encode(services.exports.export(player, services.clock())))


def counted(export: Any) -> set[date]:
    """Days with a game finished in its day, by the export alone."""
    return {
        date.fromisoformat(game["date"])
        for game in export["games"]
        if game["mode"] == "daily" and game["finished"]
    }


@pytest.mark.parametrize(
    ("first", "days", "seed"),
    [
        pytest.param(FIRST, 400, 1, id="400 days", marks=pytest.mark.soak),
        pytest.param(date(2026, 10, 18), 16, 2, id="autumn"),
        pytest.param(date(2027, 3, 22), 16, 3, id="spring"),
        *(pytest.param(FIRST, 400, seed, marks=pytest.mark.soak) for seed in range(4, 14)),
    ],
)
def test_the_streak_is_what_a_recount_says(
    make_services: Any, clock: Clock, first: date, days: int, seed: int
) -> None:
    services = make_services(
        CHALLENGE_TIMEZONE="Europe/Berlin", CHALLENGE_RULESETS=f"{SHEET},{SECOND}"
    )
    clock.now = local(first)
    life = Life(services, clock, seed)
    for day in (first + timedelta(days=n) for n in range(days)):
        life.live(day)
        assert services.days.today(clock.now) == day
        if life.rnd.random() < 0.3:  # else nothing is settled yet
            services.worker.round()
        found = services.records.stats(life.player, None, clock.now)
        streak = {"current": found.streak.current, "best": found.streak.best}
        assert streak == recount(life.finished, day), (day, life.ways)
        if day in life.finished:
            sheet = found.last[0].ruleset
            finish = services.standings.finish(life.player, day, sheet, clock.now)
            assert finish.streak == streak["current"]
        if life.rnd.random() < 0.1 or day == first + timedelta(days=days - 1):
            export = exported(services, life.player)
            assert counted(export) == life.finished
            assert recount(counted(export), day) == streak
    if days > 100:
        assert set(life.ways) == set(WAYS)
    clock.forward(days=2)
    _every_score_comes_out(exported(services, life.player))


def _every_score_comes_out(export: Any) -> None:
    checked = check_all(json.dumps(export))
    assert len(checked) == len(export["games"])
    assert {each.verdict for each in checked} == {"same"}
