"""Weighing finished games: what is kept, what the operator sees, and who never is looked at."""

from __future__ import annotations

import pytest

from challenge.cli.weigh import weigh_waiting
from challenge.daily.evidence import CLEAR, NOTABLE
from challenge.errors import NotFound, NotSolved
from challenge.store.keys import BoardId
from tests.service.players import begin, play_short_of_one
from tests.service.weighing import DAY, SHEET, days_before, plays, weigh, with_table

BOARD = BoardId(DAY, SHEET)


@pytest.fixture
def make(make_services, tmp_path):
    """Services with the table of the sheet; keywords are settings."""
    return lambda **environ: make_services(CHALLENGE_DATA_DIR=with_table(tmp_path), **environ)


@pytest.fixture
def services(make):
    return make()


def report(services, day=DAY):
    return services.fairplay.report(day, SHEET, services.clock())


def test_a_scout_stands_first_in_the_report_and_an_honest_player_below(services):
    honest = plays(services, "optimal")
    scout = plays(services, "sees the next roll")
    assert weigh(services) == 2
    found = report(services)
    assert [each.player for each in found.games] == [scout, honest]
    first, second = found.games
    assert first.odds >= CLEAR
    assert first.notable
    assert first.clear
    assert first.deviations > 2 > second.deviations
    assert second.odds < NOTABLE
    assert not second.notable
    assert (found.finished, first.week_games) == (2, 1)


def test_a_game_is_weighed_once(services):
    plays(services, "greedy")
    assert services.fairplay.waiting([BOARD]) == [BOARD]
    assert weigh(services) == 1
    assert services.fairplay.waiting([BOARD]) == []
    assert weigh(services) == 0
    plays(services, "planner")
    assert weigh_waiting(services) == 1
    assert len(report(services).games) == 2


def test_a_game_in_play_is_never_looked_at(services):
    play_short_of_one(services, services.players.new_id(), DAY, SHEET)
    assert services.fairplay.waiting([BOARD]) == []
    assert weigh(services) == 0
    assert report(services).games == []


def test_games_of_the_week_count_together(services, clock):
    player = services.players.new_id()
    for day in days_before(3):
        clock.set(f"{day} 12:00")
        plays(services, "sees it every third time", day, player)
        weigh(services, day)
    clock.set(f"{DAY} 12:00")
    plays(services, "sees it every third time", DAY, player)
    weigh(services)
    (found,) = report(services).games
    assert found.week_games == 4
    earlier = [report(services, day).games[0] for day in days_before(3)]
    assert found.week_deviations != found.deviations
    assert [each.week_games for each in earlier] == [1, 2, 3]


def test_without_the_table_nothing_is_weighed_and_it_says_so(make_services):
    services = make_services()
    begin(services, services.players.new_id(), DAY, SHEET)
    plays(services, "greedy")
    with pytest.raises(NotSolved):
        weigh(services)
    assert weigh_waiting(services) == 0
    assert report(services).games == []


def test_switched_off_nothing_is_weighed_and_there_is_no_report(make):
    services = make(CHALLENGE_FAIRPLAY="off")
    plays(services, "sees the next roll")
    assert weigh_waiting(services) == 0
    with pytest.raises(NotFound):
        report(services)


def test_only_where_it_is_set_games_are_listed_apart(make):
    services = make()
    scout = plays(services, "sees the next roll")
    plays(services, "optimal")
    weigh(services)
    assert services.fairplay.apart(DAY, SHEET, services.clock()) == frozenset()
    apart = make(CHALLENGE_FAIRPLAY="apart")
    assert apart.fairplay.apart(DAY, SHEET, apart.clock()) == {scout}


def test_ranks_and_histogram_take_no_notice(make):
    services = make(CHALLENGE_FAIRPLAY="apart")
    plays(services, "sees the next roll")
    plays(services, "optimal")
    before = services.standings.leaderboard(DAY, SHEET, None, services.clock())
    bins = services.standings.distribution(DAY, SHEET, services.clock())
    weigh(services)
    assert services.standings.leaderboard(DAY, SHEET, None, services.clock()) == before
    assert services.standings.distribution(DAY, SHEET, services.clock()) == bins


@pytest.mark.parametrize("shards", [1, 3])
def test_what_was_weighed_goes_with_the_player(make, valkey, shards):
    services = make(CHALLENGE_FAIRPLAY="apart", CHALLENGE_BOARD_SHARDS=str(shards))
    players = [plays(services, "sees the next roll", seed=seed) for seed in range(3)]
    weigh(services)
    assert len(services.fairplay.apart(DAY, SHEET, services.clock())) == 3
    export = services.exports.export(players[0], services.clock())
    assert export.games[0].fair_play.odds >= CLEAR
    services.erasure.erase(players[0])
    assert services.fairplay.apart(DAY, SHEET, services.clock()) == set(players[1:])
    for shard in BOARD.shards(shards):
        assert players[0].encode() not in valkey.hkeys(shard.evidence)


def test_the_evidence_of_a_game_erased_meanwhile_is_not_kept(services, valkey):
    player = plays(services, "greedy")
    weigh(services)
    (found,) = services.store.evidences.read([(BOARD, 1)], [player])
    services.erasure.erase(player)
    services.store.evidences.write(BOARD, 1, player, found[player], apart=True)
    assert valkey.exists(BOARD.shards(1)[0].evidence, BOARD.shards(1)[0].apart) == 0


def test_what_another_version_noted_is_weighed_anew(services, valkey):
    player = plays(services, "greedy")
    weigh(services)
    shard = BOARD.shards(1)[0]
    kept = valkey.hget(shard.evidence, player)
    valkey.hset(shard.evidence, player, "0 what it was")
    assert report(services).games == []
    assert weigh(services) == 1
    assert valkey.hget(shard.evidence, player) == kept
