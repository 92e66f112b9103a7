"""The worker opens, closes and settles; all of it may happen twice or elsewhere first."""

from __future__ import annotations

import logging
from datetime import date, timedelta
from threading import Event

from challenge import bootstrap
from challenge.store import keys
from challenge.store.keys import BoardId
from tests.conftest import make_settings
from tests.service.players import begin, play_out

DAY = date(2026, 11, 30)


def test_it_opens_every_offered_board_of_today(make_services, valkey):
    services = make_services(CHALLENGE_RULESETS="yacht,yatzy")
    services.worker.round()
    assert services.store.boards.live() == [BoardId(DAY, "yacht"), BoardId(DAY, "yatzy")]


def test_it_opens_the_next_day_at_the_rollover(services, clock):
    services.worker.round()
    clock.set("2026-12-01 00:00")
    services.worker.round()
    assert BoardId(date(2026, 12, 1), "yacht") in services.store.boards.live()


def test_a_board_that_a_failover_took_off_the_list_is_on_it_again(services, valkey, clock):
    """On a cluster the list lies on another server than the boards, and may be lost alone."""
    services.worker.round()
    valkey.srem(keys.BOARDS, str(BoardId(DAY, "yacht")))
    player = services.players.new_id()
    ended = play_out(services, player, DAY)
    services.worker.round()
    assert services.store.players.record(player) == {BoardId(DAY, "yacht"): ended.total}
    clock.set("2026-12-01 03:00")
    services.worker.round()
    (note,) = services.store.boards.notes([BoardId(DAY, "yacht")])
    assert note.closed
    assert all(board.day != DAY for board in services.store.boards.live())


def test_it_settles_finishes_into_the_players_own_records(services):
    player = services.players.new_id()
    ended = play_out(services, player, DAY)
    assert services.store.players.record(player) == {}
    services.worker.round()
    assert services.store.players.record(player) == {BoardId(DAY, "yacht"): ended.total}
    assert services.store.boards.unsettled(BoardId(DAY, "yacht"), 1, 10) == []


def test_settling_twice_changes_nothing(services, valkey):
    player = services.players.new_id()
    play_out(services, player, DAY)
    services.worker.round()
    record = services.store.players.record(player)
    valkey.sadd(BoardId(DAY, "yacht").shards(1)[0].unsettled, player)
    services.worker.round()
    assert services.store.players.record(player) == record


def test_it_closes_boards_in_time_and_then_leaves_them(services, clock):
    begin(services, services.players.new_id(), DAY)
    clock.set("2026-12-01 03:00")
    services.worker.round()
    assert all(board.day != DAY for board in services.store.boards.live())
    (note,) = services.store.boards.notes([BoardId(DAY, "yacht")])
    assert note.closed


def test_after_a_day_away_it_settles_and_closes_what_was_left(services, clock):
    player = services.players.new_id()
    play_out(services, player, DAY)
    clock.set("2026-12-02 12:00")
    services.worker.round()
    assert BoardId(DAY, "yacht") in services.store.players.record(player)
    assert all(board.day == date(2026, 12, 2) for board in services.store.boards.live())


def test_two_workers_do_no_harm(make_services):
    one, two = make_services(), make_services()
    player = one.players.new_id()
    play_out(one, player, DAY)
    one.worker.round()
    two.worker.round()
    assert len(one.store.players.record(player)) == 1


def test_a_refused_board_is_said_once_and_holds_up_nothing_else(make_services, clock, caplog):
    begin(make_services(), "A" * 22, DAY)
    other = make_services(CHALLENGE_STREAM_SECRET="another-secret")
    player = other.players.new_id()
    play_out(other, player, DAY, "yatzy")
    with caplog.at_level(logging.ERROR, "challenge.worker"):
        other.worker.round()
        other.worker.round()
    assert BoardId(DAY, "yatzy") in other.store.players.record(player)
    assert [r.levelname for r in caplog.records] == ["ERROR"]


def test_it_waits_for_a_store_that_is_away_and_says_so_once(clock, caplog, monkeypatch):
    away = bootstrap.build(make_settings("unix:///nowhere"), clock)
    stop, rounds = Event(), []

    def pause(_seconds: float) -> bool:
        rounds.append(1)
        if len(rounds) == 3:
            stop.set()
        return stop.is_set()

    patient = Event()
    monkeypatch.setattr(patient, "wait", pause)
    monkeypatch.setattr(patient, "is_set", stop.is_set)
    with caplog.at_level(logging.WARNING, "challenge.worker"):
        away.worker.run(patient)
    assert [r.levelname for r in caplog.records] == ["WARNING"]


def test_a_streak_is_right_while_no_worker_settles(make_services, clock):
    services = make_services(CHALLENGE_BOARD_SHARDS="3")
    player = services.players.new_id()
    for day in (DAY - timedelta(days=2), DAY - timedelta(days=1), DAY):
        clock.set(f"{day} 12:00")
        play_out(services, player, day)
    finish = services.standings.finish(player, DAY, "yacht", clock())
    assert finish.streak == 3
    services.worker.round()
    assert services.standings.finish(player, DAY, "yacht", clock()) == finish


def test_more_finishes_than_one_batch_are_settled_in_one_round(services, monkeypatch):
    monkeypatch.setattr("challenge.service.worker.BATCH", 2)
    players = [services.players.new_id() for _ in range(7)]
    for player in players:
        play_out(services, player, DAY, "yacht-12")
    services.worker.round()
    assert all(services.store.players.record(player) for player in players)


def test_a_board_is_not_left_while_finishes_wait(services, clock, monkeypatch):
    monkeypatch.setattr("challenge.service.worker.BATCH", 1)
    monkeypatch.setattr("challenge.service.worker.BATCHES", 2)
    players = [services.players.new_id() for _ in range(5)]
    for player in players:
        play_out(services, player, DAY, "yacht-12")
    clock.set("2026-12-01 04:00")
    services.worker.round()
    assert BoardId(DAY, "yacht-12") in services.store.boards.live()
    services.worker.round()
    services.worker.round()
    assert BoardId(DAY, "yacht-12") not in services.store.boards.live()
    assert all(services.store.players.record(player) for player in players)


def test_a_board_is_not_left_while_finishes_wait_though_some_are_erased_as_they_are_read(
    services, clock, monkeypatch
):
    monkeypatch.setattr("challenge.service.worker.BATCH", 2)
    players = [services.players.new_id() for _ in range(3)]
    for player in players:
        play_out(services, player, DAY, "yacht-12")
    clock.set("2026-12-01 04:00")
    redis, erased = services.store.link.redis, []
    look = redis.srandmember

    def look_and_erase(*args):
        found = look(*args)
        if found and not erased:
            erased.append(found[0].decode())
            services.erasure.erase(erased[0])
        return found

    monkeypatch.setattr(redis, "srandmember", look_and_erase)
    services.worker.round()
    (gone,) = erased
    assert BoardId(DAY, "yacht-12") not in services.store.boards.live()
    assert all(services.store.players.record(player) for player in players if player != gone)


def test_a_board_of_a_sheet_this_code_lacks_does_not_keep_it_from_the_others(
    services, valkey, caplog
):
    valkey.sadd(keys.BOARDS, "2026-11-29:sheet-of-later")
    player = services.players.new_id()
    play_out(services, player, DAY)
    services.worker.round()
    services.worker.round()
    assert services.store.players.record(player)
    assert sum("sheet-of-later" in record.message for record in caplog.records) == 1
