"""Players, their devices, groups, reports and skill, whatever the topology."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from redis.exceptions import RedisError

from challenge.solver.skill import Skill
from challenge.store import epochs
from challenge.store.boards import Row
from challenge.store.devices import Transfer
from challenge.store.keys import BoardId

BOARD, OTHER = BoardId(date(2026, 11, 30), "yacht"), BoardId(date(2026, 11, 29), "yatzy")
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
MANY = [f"player{number:02}" for number in range(40)]  # on every server of a cluster


# -- players -----------------------------------------------------------------------------


def test_names_of_many_players_come_in_one_go_and_hidden_ones_do_not(store):
    for player in MANY[::2]:
        store.players.rename(player, f"Name of {player}")
    store.players.hide(MANY[4], hidden=True)
    names = store.players.names(MANY)
    assert names[:6] == [f"Name of {MANY[0]}", None, f"Name of {MANY[2]}", None, None, None]
    assert store.players.given(MANY[4]) == (f"Name of {MANY[4]}", True)
    store.players.hide(MANY[4], hidden=False)
    store.players.unname(MANY[0])
    assert store.players.names([MANY[4], MANY[0]]) == [f"Name of {MANY[4]}", None]
    assert store.players.names([]) == []


def test_a_token_holds_until_its_epoch_ends_or_the_player_is_erased(store):
    players = store.players
    assert players.admits("mia", 0)
    assert players.next_epoch("mia") == 1
    assert (players.epoch("mia"), players.admits("mia", 0), players.admits("mia", 1)) == (
        (1, False, True)
    )
    assert store.games.read_log(BOARD, 1, "mia") == (None, 1)
    players.mark_gone("mia")
    assert players.is_gone("mia")
    assert not players.admits("mia", 1)
    assert players.erasing() == ["mia"]
    players.forget("mia")
    assert players.erasing() == []
    assert not players.exists("mia")
    assert players.is_gone("mia")


def test_a_process_knows_of_its_own_sign_outs_and_erasures_and_nothing_for_long(store, monkeypatch):
    away = RedisError("away")
    assert store.players.admits("mia", 0)
    store.devices.sign_out("mia", 0, "once")
    assert store.players._epochs.known("mia", away) == 1
    monkeypatch.setattr(epochs, "LASTS", -1)
    with pytest.raises(RedisError, match="away"):
        store.players._epochs.known("mia", away)
    monkeypatch.undo()
    store.players.mark_gone("mia")
    with pytest.raises(RedisError, match="away"):
        store.players._epochs.known("mia", away)


def test_a_record_names_every_board_begun_and_the_scores_that_counted(store):
    players = store.players
    assert players.begins("mia", BOARD)
    assert not players.begins("mia", BOARD)
    assert players.begins("mia", OTHER)
    assert players.begun("mia") == [OTHER, BOARD]
    assert players.record("mia") == {}
    players.settle(BOARD, [Row("mia", 210), *(Row(player, 1) for player in MANY)])
    assert players.record("mia") == {BOARD: 210}
    assert players.record(MANY[7]) == {BOARD: 1}
    players.unbegins("mia", OTHER)
    assert players.begun("mia") == [BOARD]
    assert players.exists("mia")


# -- devices -----------------------------------------------------------------------------


def test_a_transfer_code_is_used_once_and_the_newest_alone_holds(store):
    devices, valid = store.devices, Transfer("mia", 2, NOON + timedelta(minutes=10))
    devices.offer("first", valid, timedelta(minutes=10))
    devices.offer("second", valid, timedelta(minutes=10))
    assert devices.offered("first", NOON, take=None) is None
    assert devices.offered("second", NOON + timedelta(hours=1), take=None) is None
    assert devices.offered("second", NOON, take=None) == valid
    assert devices.offered("second", NOON, take="this one") == valid
    assert devices.offered("second", NOON, take="this one") == valid
    assert devices.offered("second", NOON, take="another") is None
    assert devices.offered("second", NOON, take=None) is None


def test_a_recovery_code_holds_until_the_next_one_or_until_all_is_forgotten(store):
    devices = store.devices
    assert not devices.has_recovery("mia")
    devices.write_down("old", "mia")
    devices.write_down("new", "mia")
    assert devices.written_down("old") is None
    assert devices.written_down("new") == "mia"
    assert devices.has_recovery("mia")
    for _ in range(2):
        devices.forget("mia")
    assert devices.written_down("new") is None
    assert not devices.has_recovery("mia")


# -- groups ------------------------------------------------------------------------------


def test_a_group_is_founded_joined_handed_over_and_left(store):
    groups = store.groups
    groups.create("g1", "Friends", "ada", "n1", 100)
    assert groups.join("g1", "mia", "wrong", 101, 3) == "void"
    assert groups.join("g1", "mia", "n1", 101, 3) == "joined"
    assert groups.join("g1", "mia", "n1", 102, 3) == "member"
    assert groups.join("g1", "eve", "n1", 102, 2) == "full"
    found, members = groups.whole("g1")
    assert (found.owner, found.size, members) == ("ada", 2, {"ada": 100, "mia": 101})
    assert groups.renew("g1", "mia", "n2") == "barred"
    assert groups.renew("g1", "ada", "n2") == "done"
    assert groups.seat("g1", "eve").joined is None
    assert groups.seat("g1", "ada").group.nonce == "n2"
    assert groups.hand_over("g1", "mia", "ada") == "done"
    assert groups.hand_over("g1", "mia", "mia") == "barred"
    assert groups.leave("g1", "mia", "ada") == "barred"
    assert groups.leave("g1", "ada", "ada") == "done"
    assert groups.seat("g1", "mia").group.owner == "mia"
    assert groups.leave("g1", "mia", "mia") == "done"
    assert groups.whole("g1") is None


def test_many_groups_are_read_in_one_go(store):
    ids = [f"g{number}" for number in range(20)]
    for at, group in enumerate(ids[::2]):
        store.groups.create(group, f"Group {at}", "ada", "n", 100 + at)
    seats = store.groups.seats(ids, ["ada"] * 20)
    assert [seat is not None for seat in seats] == [True, False] * 10
    assert store.groups.members(ids)[2] == {"ada": 101}


def test_a_list_of_groups_has_bounded_places(store):
    groups = store.groups
    assert groups.reserve("mia", "g1", 100, 2) == 100
    assert groups.reserve("mia", "g1", 100, 2) == 101
    assert groups.reserve("mia", "g2", 100, 2) == 100
    assert groups.reserve("mia", "g3", 100, 2) is None
    groups.release("mia", "g1", 100)
    assert groups.listed("mia") == {"g1": 101, "g2": 100}
    groups.release("mia", "g1", 101)
    assert (groups.noted("mia", "g1"), groups.noted("mia", "g2")) == (None, 100)
    groups.forget("mia")
    assert groups.listed("mia") == {}


# -- reports and skill -------------------------------------------------------------------


def test_a_reporter_counts_once_and_the_most_reported_come_first(store):
    reports = store.reports
    for reported, reporter in [("mia", "a"), ("mia", "a"), ("eve", "a"), ("eve", "b")]:
        reports.add(reported, reporter)
    assert reports.open(10) == [("eve", 2), ("mia", 1)]
    assert reports.count("eve") == 2
    reports.forget("eve")
    assert reports.open(10) == [("mia", 1)]
    assert reports.count("eve") == 0


def test_skill_is_kept_until_forgotten(store):
    skill = Skill(*(float(number) for number in range(len(Skill._fields))))
    store.skills.keep("mia", {BOARD: skill})
    assert store.skills.read("mia", [OTHER, BOARD]) == [None, skill]
    assert store.skills.read("mia", []) == []
    store.skills.forget("mia")
    assert store.skills.read("mia", [BOARD]) == [None]


# -- counts of limits --------------------------------------------------------------------


@pytest.mark.parametrize("span", [3600])
def test_a_count_begins_its_span_and_gives_back(services, span):
    limits = services.store.limits if hasattr(services.store, "limits") else services.limits
    counted = [limits.add("guess:10.0.0.1", span) for _ in range(3)]
    assert [count for count, _ in counted] == [1, 2, 3]
    assert all(0 < left <= span for _, left in counted)
    limits.give_back("guess:10.0.0.1", counted[0][1])
    assert limits.read("guess:10.0.0.1") == 2
    assert 0 < limits.left("guess:10.0.0.1") <= span
    assert (limits.read("guess:10.0.0.2"), limits.left("guess:10.0.0.2")) == (0, 0)


def test_what_was_counted_in_a_span_is_not_given_back_in_a_later_one(services):
    limits = services.limits
    limits.give_back("late", 10.0)
    assert limits.add("late", 3600) == (1, 3600)
    limits.give_back("late", 10.0)
    assert limits.read("late") == 1
    for _ in range(2):
        limits.give_back("late", 3600)
        assert limits.read("late") == 0
    assert limits.add("late", 3600) == (1, 3600)
