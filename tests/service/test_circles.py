"""Boards among friends: everyone who shares a group with a player, and nobody else."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Event

import pytest

from challenge.errors import BadInput, NotFound
from tests.service.players import begin, play_out

DAY = date(2026, 11, 30)
SHEET = "generala"
LOOKS = 300


def make_group(services, *players):
    """A group of these players; the invite's value."""
    owner, *others = players
    group = services.groups.create(owner, "Die Runde", services.clock()).id
    invite = services.groups.invitation(owner, group)
    for player in others:
        services.groups.join(player, invite, services.clock())
    return group


def new_players(services, count):
    """So many ids."""
    return [services.players.new_id() for _ in range(count)]


def test_a_look_at_a_group_never_sees_an_owner_who_is_not_in(services):
    """While another member is made the owner, leaves and comes back."""
    first, heir = new_players(services, 2)
    group = make_group(services, first, heir)
    invite = services.groups.invitation(first, group)
    looked = Event()

    def come_and_go():
        while not looked.is_set():
            services.groups.hand_over(first, group, heir)
            services.groups.leave(heir, group)
            services.groups.join(heir, invite, services.clock())

    with ThreadPoolExecutor(1) as pool:
        going = pool.submit(come_and_go)
        try:
            for _ in range(LOOKS):
                view = services.circles.view(first, group, DAY, services.clock())
                assert [each.player for each in view.members if each.owner] == [view.owner]
        finally:
            looked.set()
        going.result()


def friends_board(services, player, **more):
    """Today's board among a player's friends."""
    return services.circles.friends_board(player, DAY, SHEET, services.clock(), **more)


def test_friends_are_the_members_of_all_ones_groups(services):
    me, a, b, c, far = new_players(services, 5)
    make_group(services, me, a, b)
    make_group(services, c, me, a)
    make_group(services, c, far)
    assert services.groups.friends(me) == sorted([a, b, c])
    assert services.groups.friends(far) == [c]
    assert services.groups.friends(new_players(services, 1)[0]) == []


def test_the_board_of_friends_ranks_them_among_themselves(services):
    me, a, b, idle, other = new_players(services, 5)
    make_group(services, me, a, idle)
    make_group(services, b, me)
    totals = {
        player: play_out(services, player, DAY, SHEET, seed).total
        for seed, player in enumerate((other, b, me, a))
    }
    begin(services, idle, DAY, SHEET)
    shown = friends_board(services, me)
    assert [entry.player for entry in shown] == sorted((me, a, b), key=lambda p: (-totals[p], p))
    assert [entry.score for entry in shown] == [totals[entry.player] for entry in shown]
    assert [entry.rank for entry in shown] == [
        1 + sum(totals[p] > entry.score for p in (me, a, b)) for entry in shown
    ]
    assert [entry.player for entry in shown if entry.me] == [me]
    assert {entry.player for entry in friends_board(services, b)} == {me, b}


def test_a_long_board_of_friends_still_shows_oneself(services):
    players = new_players(services, 6)
    make_group(services, *players)
    for seed, player in enumerate(players):
        play_out(services, player, DAY, SHEET, seed % 4)
    whole = friends_board(services, players[0])
    last = whole[-1].player
    short = friends_board(services, last, limit=2)
    assert [entry.player for entry in short] == [whole[0].player, whole[1].player, last]
    assert short[-1].rank == whole[-1].rank


def test_who_has_no_friends_has_no_board_of_friends(services):
    me, other = new_players(services, 2)
    play_out(services, me, DAY, SHEET)
    assert friends_board(services, me) == []
    group = make_group(services, me, other)
    assert [entry.player for entry in friends_board(services, me)] == [me]
    services.groups.leave(other, group)
    assert friends_board(services, me) == []


def test_an_invite_says_what_it_leads_to_and_changes_nothing(services, valkey):
    me, other = new_players(services, 2)
    group = make_group(services, me)
    invite = services.groups.invitation(me, group)
    before = sorted(valkey.keys())
    found = services.groups.invited(invite, other)
    assert (found.id, found.name, found.members) == (group, "Die Runde", 1)
    assert (found.owned, found.member, found.full) == (False, False, False)
    assert services.groups.invited(invite).member is False
    own = services.groups.invited(invite, me)
    assert (own.owned, own.member) == (True, True)
    assert sorted(valkey.keys()) == before
    for wrong in ("", ".", group, f"{group}.", f"{group}.x", f"x{invite}", f"{invite} "):
        with pytest.raises(NotFound):
            services.groups.invited(wrong, me)


def test_taking_a_player_out_of_every_group_may_be_repeated(services, valkey):
    me, other = new_players(services, 2)
    shared, alone = make_group(services, me, other), make_group(services, me)
    for _ in range(2):
        services.groups.leave_all(me)
    assert services.groups.mine(me) == []
    assert [group.id for group in services.groups.mine(other)] == [shared]
    assert services.groups.mine(other)[0].owned
    assert not [key for key in valkey.scan_iter() if alone.encode() in key or me.encode() in key]


def test_a_table_is_of_the_days_asked_for(services):
    (me,) = new_players(services, 1)
    group = make_group(services, me)

    def table(first, last):
        return services.tables.table(me, group, SHEET, first, last, services.clock())

    play_out(services, me, DAY, SHEET)
    assert table(DAY, DAY).rows[0].played == 1
    assert table(date(2026, 12, 7), date(2026, 12, 13)).rows[0].played == 0  # lies ahead
    assert table(date(2025, 12, 29), date(2026, 1, 4)).rows[0].played == 0
    with pytest.raises(BadInput):
        table(DAY, date(2026, 11, 29))
    with pytest.raises(BadInput):
        table(date(2026, 8, 30), DAY)
