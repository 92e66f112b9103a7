"""A read between two commands: the log just before its last entry, the score just after;
the score just before its player was erased, the histogram just after."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.errors import NotFound
from challenge.store.keys import BoardId
from tests.service.players import play_out, play_short_of_one

DAY = date(2026, 11, 30)


@pytest.fixture
def half_seen(services, valkey):
    """A player one entry short of the end, whose score is already on the board."""
    player = services.players.new_id()
    play_short_of_one(services, player, DAY)
    shard = BoardId(DAY, "yacht").shard_of(player, 1)
    valkey.zadd(shard.scores, {player: -200})
    valkey.hset(shard.histogram, "200", 1)
    return player


def test_a_game_stands_nowhere_before_it_is_finished(services, clock, half_seen):
    view = services.play.view(half_seen, DAY, "yacht", clock())
    assert (view.finished, view.standing) == (False, None)


def test_a_game_is_shown_to_others_only_with_its_last_entry(services, clock, half_seen):
    viewer = services.players.new_id()
    play_out(services, viewer, DAY)
    with pytest.raises(NotFound):
        services.standings.finished_game(DAY, "yacht", half_seen, viewer, clock())


@pytest.fixture
def half_gone(services, valkey):
    """A player whose game and score are still there, but counted no more."""
    player = services.players.new_id()
    play_out(services, player, DAY)
    valkey.delete(BoardId(DAY, "yacht").shard_of(player, 1).histogram)
    return player


def test_a_game_that_goes_while_it_is_read_is_not_there(services, clock, half_gone):
    viewer = services.players.new_id()
    play_short_of_one(services, viewer, DAY, seed=2)
    with pytest.raises(NotFound):
        services.standings.finish(half_gone, DAY, "yacht", clock())
    clock.set("2026-12-01 04:00")
    with pytest.raises(NotFound):
        services.standings.finished_game(DAY, "yacht", half_gone, viewer, clock())
