"""The figures an operator looks at: boards, players, what waits, the worker's last round."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.errors import StoreUnavailable
from challenge.service import figures
from challenge.service.services import Services
from tests.conftest import Clock
from tests.service.players import begin, play_out

DAY = date(2026, 11, 30)


def test_a_fresh_store_has_no_boards_and_no_worker(services: Services, clock: Clock) -> None:
    found = services.watch.look(clock())
    assert (found.boards, found.players, found.unsettled, found.erasing) == ({}, {}, 0, 0)
    assert found.round_age is None


@pytest.mark.parametrize("shards", ["1", "3"])
def test_players_are_counted_by_sheet_and_state(make_services, clock: Clock, shards: str) -> None:
    services = make_services(CHALLENGE_BOARD_SHARDS=shards, CHALLENGE_RULESETS="yacht,yatzy")
    for _ in range(3):
        begin(services, services.players.new_id(), DAY, "yacht")
    for _ in range(2):
        play_out(services, services.players.new_id(), DAY, "yacht")
    found = services.watch.look(clock())
    assert found.players["yacht", "open", "started"] == 5
    assert found.players["yacht", "open", "finished"] == 2
    assert found.unsettled == 2


def test_a_board_goes_from_open_over_closing_and_overdue_to_none(
    services: Services, clock: Clock
) -> None:
    play_out(services, services.players.new_id(), DAY, "yacht")
    seen = []
    for moment in ("2026-11-30T12:00", "2026-12-01T01:00", "2026-12-01T03:00"):
        clock.set(moment)
        seen.append(dict(services.watch.look(clock()).boards))
    assert seen == [{"open": 1}, {"closing": 1}, {"overdue": 1}]
    services.worker.round()
    found = services.watch.look(clock())
    assert found.boards["overdue"] == found.boards["closed"] == 0
    assert found.unsettled == 0


def test_the_age_of_the_last_round_is_told_and_never_negative(
    services: Services, clock: Clock
) -> None:
    services.worker.round()
    clock.forward(seconds=90)
    assert services.watch.look(clock()).round_age == 90
    clock.forward(hours=-1)  # a clock that was set back
    assert services.watch.look(clock()).round_age == 0


def test_an_erasure_under_way_is_counted(services: Services, clock: Clock) -> None:
    services.store.players.mark_gone(services.players.new_id())
    assert services.watch.look(clock()).erasing == 1


def test_only_the_newest_boards_are_looked_at(
    services: Services, clock: Clock, monkeypatch
) -> None:
    monkeypatch.setattr(figures, "BOARDS_AT_MOST", 3)
    for _ in range(2):
        services.worker.round()
        clock.forward(days=1)
    found = services.watch.look(clock())
    assert found.boards.total() == 3


def test_many_shards_are_not_all_asked(make_services, clock: Clock, monkeypatch) -> None:
    services = make_services(CHALLENGE_BOARD_SHARDS="4", CHALLENGE_RULESETS="yacht,yatzy")
    services.worker.round()
    monkeypatch.setattr(figures, "SHARDS_AT_MOST", 4)
    assert services.watch.look(clock()).boards.total() == 1


def test_a_store_that_is_away_is_said(clock: Clock) -> None:
    from challenge import bootstrap
    from tests.conftest import make_settings

    services = bootstrap.build(make_settings("redis://127.0.0.1:1/0"), clock)
    with pytest.raises(StoreUnavailable):
        services.watch.look(clock())
