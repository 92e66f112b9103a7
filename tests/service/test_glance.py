"""A glance at several boards: what a player has begun and done, without writing anything."""

from __future__ import annotations

from datetime import date

from tests.service.players import begin, play_out

DAY = date(2026, 11, 30)


def test_it_tells_begun_from_done_and_not_begun(services, clock):
    player = services.players.new_id()
    done = play_out(services, player, DAY, "yacht-12")
    begin(services, player, DAY, "yatzy")
    found = services.play.glance(
        player, [(DAY, s) for s in ("yacht", "yacht-12", "yatzy")], clock()
    )
    assert [g.state for g in found] == ["none", "done", "begun"]
    assert [g.score for g in found] == [None, done.total, None]
    assert {g.mode for g in found} == {"daily"}


def test_archive_games_are_told_apart_and_looking_writes_nothing(services, valkey, clock):
    player, past = services.players.new_id(), date(2026, 6, 1)
    play_out(services, player, past)
    keys = sorted(valkey.keys())
    found = services.play.glance(player, [(past, "yacht"), (date(2026, 5, 1), "yacht")], clock())
    assert [(g.state, g.mode) for g in found] == [("done", "archive"), ("none", "archive")]
    assert sorted(valkey.keys()) == keys


def test_a_stranger_has_no_games(services, clock):
    assert [g.state for g in services.play.glance(None, [(DAY, "yacht")], clock())] == ["none"]


def test_the_best_of_a_sheet_is_over_all_settled_days(services, clock):
    player = services.players.new_id()
    assert services.records.best(player, "yacht") is None
    first = play_out(services, player, DAY, seed=1)
    services.worker.round()
    clock.set("2026-12-01 12:00")
    second = play_out(services, player, date(2026, 12, 1), seed=2)
    services.worker.round()
    assert services.records.best(player, "yacht") == max(first.total, second.total)
    assert services.records.best(player, "yatzy") is None
