"""Boards over time: what a board noted when it opened wins, and a closed one stays closed."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from challenge.errors import BoardRefused, Closing, NotFound, NotOpenYet
from challenge.game.stream import commitment_of
from challenge.store.keys import BoardId
from tests.service.players import begin, play_on, play_out, play_short_of_one

DAY = date(2026, 11, 30)
NEXT = date(2026, 12, 1)


def test_a_board_opened_under_one_secret_is_refused_under_another(make_services, clock):
    services = make_services()
    begin(services, services.players.new_id(), DAY)
    other = make_services(CHALLENGE_STREAM_SECRET="another-secret")
    with pytest.raises(BoardRefused, match="another stream secret"):
        other.days.challenge(DAY, "yacht", clock())
    with pytest.raises(BoardRefused):
        begin(other, other.players.new_id(), DAY)
    assert other.days.challenge(DAY, "yatzy", clock()).state == "open"


def test_a_closed_board_is_read_under_another_secret_since_it_keeps_its_seed(make_services, clock):
    services = make_services()
    player = services.players.new_id()
    view = play_out(services, player, DAY)
    clock.set("2026-12-01 04:00")
    services.worker.round()
    other = make_services(CHALLENGE_STREAM_SECRET="another-secret")
    assert other.play.view(player, DAY, "yacht", clock()).log == view.log
    challenge = other.days.challenge(DAY, "yacht", clock())
    assert commitment_of(bytes.fromhex(challenge.seed)) == challenge.commitment


def test_a_board_opened_with_a_sheet_the_code_lacks_is_refused(services, valkey, clock):
    begin(services, services.players.new_id(), DAY)
    valkey.hset(BoardId(DAY, "yacht").note, "fingerprint", "0" * 64)
    with pytest.raises(BoardRefused, match="a sheet this code lacks"):
        services.days.challenge(DAY, "yacht", clock())


def test_a_board_of_another_stream_version_is_refused(services, valkey, clock):
    begin(services, services.players.new_id(), DAY)
    valkey.hset(BoardId(DAY, "yacht").note, "stream_version", "2")
    with pytest.raises(BoardRefused, match="another stream version"):
        services.days.challenge(DAY, "yacht", clock())


@pytest.mark.parametrize(
    "changed",
    [
        {"CHALLENGE_TIMEZONE": "Asia/Tokyo"},
        {"CHALLENGE_TIMEZONE": "America/New_York"},
        {"CHALLENGE_GRACE_MINUTES": "0"},
        {"CHALLENGE_GRACE_MINUTES": "1440"},
        {"CHALLENGE_RULESETS": "yatzy"},
        {"CHALLENGE_BOARD_SHARDS": "4"},
    ],
)
def test_changed_settings_never_move_a_board_that_has_opened(make_services, clock, changed):
    services = make_services()
    player = services.players.new_id()
    view = begin(services, player, DAY)
    before = services.days.challenge(DAY, "yacht", clock())
    other = make_services(**changed)
    assert other.days.challenge(DAY, "yacht", clock()) == before
    clock.set("2026-12-01 02:59:59")
    assert other.days.challenge(DAY, "yacht", clock()).state == "closing"
    assert play_on(other, player, view).standing.players == 1
    clock.set("2026-12-01 03:00:00")
    assert other.days.challenge(DAY, "yacht", clock()).state == "closed"


def test_a_new_time_zone_takes_effect_with_the_next_board(make_services, clock):
    begin(make_services(), "A" * 22, DAY)
    other = make_services(CHALLENGE_TIMEZONE="Asia/Tokyo")
    clock.set("2026-11-30 15:00")
    assert other.days.today(clock()) == NEXT
    assert other.days.challenge(NEXT, "yacht", clock()).rolls_over_at == datetime(
        2026, 12, 1, 15, tzinfo=UTC
    )


def test_where_the_zone_moves_west_the_next_day_still_opens_at_the_rollover(make_services, clock):
    begin(make_services(), "A" * 22, DAY)
    other = make_services(CHALLENGE_TIMEZONE="America/New_York")
    clock.set("2026-12-01 00:30")  # still the 30th in New York, but the board rolled over
    assert other.days.today(clock()) == NEXT
    assert other.days.challenge(NEXT, "yacht", clock()).state == "open"


def test_a_closed_board_stays_closed_when_the_clock_goes_back(make_services, clock):
    services = make_services()
    player = services.players.new_id()
    view = play_short_of_one(services, player, DAY)
    other = make_services()
    assert other.play.view(player, DAY, "yacht", clock()).mode == "daily"  # it remembers: open
    clock.set("2026-12-01 03:00:01")
    closed = services.days.challenge(DAY, "yacht", clock())
    assert closed.state == "closed"
    assert closed.seed is not None
    clock.set("2026-12-01 02:00:01")
    for those in (services, other):
        assert those.days.challenge(DAY, "yacht", clock()) == closed
        assert those.play.view(player, DAY, "yacht", clock()).mode == "archive"
    ended = play_on(other, player, view)
    assert ended.mode == "archive"
    assert ended.standing is None
    assert services.standings.leaderboard(DAY, "yacht", None, clock()).entries == []


def test_begun_before_and_finished_in_the_grace_counts_for_its_day(services, clock):
    player = services.players.new_id()
    clock.set("2026-11-30 23:59:59")
    view = play_short_of_one(services, player, DAY)
    clock.set("2026-12-01 02:59:59")
    ended = play_on(services, player, view)
    assert (ended.mode, ended.standing.rank) == ("daily", 1)
    assert services.standings.finish(player, DAY, "yacht", clock()).streak == 1


def test_finished_after_the_close_is_archive(services, clock):
    player = services.players.new_id()
    view = play_short_of_one(services, player, DAY)
    clock.set("2026-12-01 03:00:00")
    ended = play_on(services, player, view)
    assert (ended.finished, ended.mode, ended.standing) == (True, "archive", None)
    challenge = services.days.challenge(DAY, "yacht", clock())
    assert (challenge.started, challenge.finished) == (1, 0)
    assert services.standings.finish(player, DAY, "yacht", clock()).standing is None


def test_while_closing_no_game_begins_but_a_begun_one_is_found(services, clock):
    player, other = services.players.new_id(), services.players.new_id()
    begin(services, player, DAY)
    clock.set("2026-12-01 00:00:00")
    with pytest.raises(Closing):
        begin(services, other, DAY)
    assert services.play.begin(player, DAY, "yacht", clock())[1] is False
    assert services.days.today(clock()) == NEXT
    assert begin(services, other, NEXT).ply == 0


def test_a_past_day_is_archive_and_never_goes_on_the_board(services, clock):
    player, past = services.players.new_id(), date(2026, 6, 1)
    ended = play_out(services, player, past)
    assert (ended.mode, ended.standing) == ("archive", None)
    assert services.standings.leaderboard(past, "yacht", None, clock()).players == 0
    challenge = services.days.challenge(past, "yacht", clock())
    assert (challenge.state, challenge.started, challenge.finished) == ("closed", 0, 0)


def test_a_lost_secret_never_deals_an_archive_game_anew(make_services):
    services = make_services()
    player, past = services.players.new_id(), date(2026, 6, 1)
    view = play_short_of_one(services, player, past)
    other = make_services(CHALLENGE_STREAM_SECRET="another-secret")
    ended = play_on(other, player, view)
    assert services.play.view(player, past, "yacht", services.clock()) == ended


def test_the_seed_is_answered_only_after_every_shard_is_marked(make_services, valkey, clock):
    services = make_services(CHALLENGE_BOARD_SHARDS="3")
    begin(services, services.players.new_id(), DAY)
    clock.set("2026-12-01 02:59:59")
    assert services.days.challenge(DAY, "yacht", clock()).seed is None
    clock.set("2026-12-01 03:00:00")
    assert services.days.challenge(DAY, "yacht", clock()).seed is not None
    assert all(valkey.exists(shard.closed) for shard in BoardId(DAY, "yacht").shards(3))


def test_a_day_ahead_is_not_open_yet_and_one_before_the_first_does_not_exist(services, clock):
    with pytest.raises(NotOpenYet) as ahead:
        services.days.challenge(NEXT, "yacht", clock())
    assert ahead.value.opens_at == datetime(2026, 12, 1, tzinfo=UTC)
    with pytest.raises(NotFound):
        services.days.day("2025-12-31", clock())


def test_sheets_not_offered_are_not_there_unless_opened_before(make_services, clock):
    begin(make_services(), "A" * 22, DAY, "yatzy")
    other = make_services(CHALLENGE_RULESETS="yacht,generala")
    listed = [c.ruleset for c in other.days.challenges(DAY, clock())]
    assert listed == ["yacht", "yatzy", "generala"]
    with pytest.raises(NotFound, match="not offered"):
        other.days.challenge(DAY, "maxi-yatzy", clock())


def test_reading_an_open_day_writes_nothing(services, valkey, clock):
    services.days.challenges(DAY, clock())
    services.standings.leaderboard(DAY, "yacht", None, clock())
    services.days.commitments(DAY, 366, None)
    assert valkey.dbsize() == 0


@pytest.mark.parametrize("sheet", ["yacht", "maxi-yatzy"])
def test_two_players_of_a_day_get_the_same_dice_whatever_they_hold(services, clock, sheet):
    first, second = services.players.new_id(), services.players.new_id()
    begin(services, first, DAY, sheet)
    begin(services, second, DAY, sheet)
    now = clock()
    one = services.play.roll(first, DAY, sheet, 0, [], now)
    two = services.play.roll(second, DAY, sheet, 0, [], now)
    assert one.dice == two.dice
    one = services.play.roll(first, DAY, sheet, 1, [0, 1], now)
    two = services.play.roll(second, DAY, sheet, 1, [2], now)
    assert one.dice[3:] == two.dice[3:]
    one = services.play.score(first, DAY, sheet, 2, "chance", now)
    two = services.play.roll(second, DAY, sheet, 2, [], now)
    one = services.play.roll(first, DAY, sheet, 3, [], now)
    assert one.dice == two.dice  # who stops early reads the next block all the same
