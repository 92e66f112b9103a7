"""Many processes at one moment around one group: never over the limit, nothing half-done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from challenge.game.rulesets import find
from challenge.store import keys
from tests.api.contract import Api, board, game, legal, play
from tests.api.friends import (
    GROUPS,
    JOIN,
    at,
    crowd_into,
    group_ids,
    held,
    invite_of,
    make_group,
    members_of,
    owner_of,
    seat,
)
from tests.api.racers import Call, Racers

SHEET = "generala"
QUICK = 4
ROUNDS = [QUICK, pytest.param(200, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])]
COUNT = 4


@pytest.fixture(scope="module")
def started(valkey_url: str) -> Iterator[Racers]:
    """Some processes, started once."""
    with Racers(valkey_url, COUNT) as running:
        yield running


@pytest.fixture
def racers(started: Racers) -> Racers:
    """Processes that know nothing of the tests before."""
    started.refresh()
    return started


def joining(player: Api, invite: str) -> Call:
    """Join by an invite."""
    return Call(player.token or "", JOIN, {"invite": invite})


def leaving(caller: Api, group: str, member: Api | None = None) -> Call:
    """Leave, or take another out."""
    return Call(caller.token or "", seat(group, member or caller), method="DELETE")


def whole(valkey: redis.Redis, group: str) -> set[str]:
    """The members of a group, each of whom finds it in the own list, and nobody else does."""
    members, listing = held(valkey, group)
    assert members == listing
    return members


def race_for_one_place(api: Api, racers: Racers, valkey: redis.Redis, count: int) -> None:
    """So many players join a group with one place left; one of them comes in."""
    owner, players = api.signed(), [api.signed() for _ in range(count)]
    group = make_group(owner)
    crowd_into(valkey, group, 198)
    invite = invite_of(owner, group)
    answers = racers.race([joining(player, invite) for player in players])
    assert sorted(answer.status for answer in answers) == [200] + [409] * (count - 1)
    won = next(i for i, answer in enumerate(answers) if answer.status == 200)
    assert len(whole(valkey, group)) == 200
    for i, player in enumerate(players):
        assert group_ids(player) == ([group] if i == won else [])
        assert (player.get(at(group)).status_code == 200) == (i == won)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_one_place_left_is_taken_by_one(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    for _ in range(rounds):
        race_for_one_place(api, racers, valkey, COUNT)


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_fifty_processes_join_a_group_with_one_place_left(
    api: Api, valkey: redis.Redis, valkey_url: str
) -> None:
    with Racers(valkey_url, 50) as fifty:
        for _ in range(10):
            race_for_one_place(api, fifty, valkey, 50)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_one_place_left_in_a_players_list_is_taken_by_one_group(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    owner, player = api.signed(), api.signed()
    first = [make_group(player, name=f"G{i}") for i in range(49)]
    groups = [make_group(owner, name=f"R{i}") for i in range(COUNT - 1)]
    calls = [joining(player, invite_of(owner, group)) for group in groups]
    calls.append(Call(player.token or "", GROUPS, {"name": "New"}))
    for _ in range(rounds):
        answers = racers.race(calls)
        assert sorted(a.status for a in answers if a.status != 201) == [
            *([200] if answers[-1].status != 201 else []),
            *[409] * (COUNT - 1),
        ]
        (won,) = set(group_ids(player)) - set(first)
        for group in (*groups, won):
            members = whole(valkey, group)
            assert (player.player in members) == (group == won)
        player.delete(seat(won, player))


@pytest.mark.parametrize("rounds", ROUNDS)
def test_renewing_an_invite_against_joining(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    owner = api.signed()
    for _ in range(rounds):
        group = make_group(owner)
        players = [api.signed() for _ in range(COUNT - 1)]
        invite = invite_of(owner, group)
        renewing = Call(owner.token or "", at(group, "invite"))
        renewed, *joined = racers.race([renewing, *(joining(p, invite) for p in players)])
        assert renewed.status == 200
        assert {answer.status for answer in joined} <= {200, 404}
        came = {p.player for p, a in zip(players, joined, strict=True) if a.status == 200}
        assert whole(valkey, group) == {owner.player, *came}
        now_valid = invite_of(owner, group)
        assert now_valid == renewed.json["invite_url"] != invite
        late = api.signed()
        assert late.post(JOIN, {"invite": now_valid}).status_code == 200
        owner.delete(seat(group, owner))  # else the list would be full one day


@pytest.mark.parametrize("rounds", ROUNDS)
def test_removing_a_member_against_the_last_move_of_a_game(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    owner, onlooker = api.signed(), api.signed()
    for count in range(1, rounds + 1):
        member = api.signed()
        group = make_group(owner, member, onlooker)
        play(member, ruleset=SHEET, turns=find(SHEET).rounds - 1)
        view = member.post(
            game(ruleset=SHEET, tail="roll"),
            {"ply": member.get(game(ruleset=SHEET)).json["ply"], "hold": []},
        ).json
        (box,) = legal(view)
        last = Call(
            member.token or "",
            game(ruleset=SHEET, tail="score"),
            {"ply": view["ply"], "box": box},
        )
        removed, *moves = racers.race([leaving(owner, group, member), *[last] * (COUNT - 1)])
        assert removed.status == 204
        assert [answer.status for answer in moves] == [200] * (COUNT - 1)
        assert whole(valkey, group) == {owner.player, onlooker.player}
        seen = onlooker.get(board(ruleset=SHEET, tail=f"leaderboard?group={group}")).json
        assert seen["entries"] == []
        assert members_of(onlooker.get(at(group)).json) == [owner.player, onlooker.player]
        assert api.get(board(ruleset=SHEET)).json["finished"] == count
        assert member.get(game(ruleset=SHEET)).json["finished"]
        for player in (owner, onlooker):
            player.delete(seat(group, player))


@pytest.mark.parametrize("rounds", ROUNDS)
def test_removing_a_member_against_the_same_ones_joining(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    owner, member = api.signed(), api.signed()
    group = make_group(owner, member)
    invite = invite_of(owner, group)
    for _ in range(rounds):
        member.post(JOIN, {"invite": invite})
        again = joining(member, invite)
        answers = racers.race([leaving(owner, group, member), leaving(member, group), again, again])
        assert {answer.status for answer in answers[:2]} <= {204, 404}
        assert 204 in {answer.status for answer in answers[:2]}
        # A join that met its own removal may have no group to show any more.
        assert {answer.status for answer in answers[2:]} <= {200, 404}
        members = whole(valkey, group)
        assert owner.player in members
        assert (group_ids(member) == [group]) == (member.player in members)


@pytest.mark.parametrize("rounds", ROUNDS)
def test_all_leaving_while_one_joins_leaves_a_group_with_an_owner_or_none(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    players = [api.signed() for _ in range(COUNT)]
    for _ in range(rounds):
        *crew, joiner = players
        group = make_group(*crew)
        invite = invite_of(crew[0], group)
        *left, joined = racers.race(
            [*(leaving(player, group) for player in crew), joining(joiner, invite)]
        )
        assert [answer.status for answer in left] == [204] * len(crew)
        members = whole(valkey, group)
        assert joined.status == (200 if members else 404)
        assert members == ({joiner.player} if members else set())
        assert bool(valkey.exists(keys.group(group))) == bool(members)
        if members:
            assert owner_of(joiner.get(at(group)).json) == joiner.player
            joiner.delete(seat(group, joiner))


@pytest.mark.parametrize("rounds", ROUNDS)
def test_handing_over_against_leaving_leaves_an_owner_who_is_in(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    owner, heir, third = (api.signed() for _ in range(3))
    for _ in range(rounds):
        group = make_group(owner, heir, third)
        handing = Call(owner.token or "", at(group, "owner"), {"player": heir.player}, "PUT")
        given, left, gone, renewed = racers.race(
            [
                handing,
                leaving(heir, group),
                leaving(owner, group),
                Call(owner.token or "", at(group, "invite")),
            ]
        )
        assert given.status in (200, 403, 404)
        assert renewed.status in (200, 403, 404)
        assert (left.status, gone.status) == (204, 204)
        assert whole(valkey, group) == {third.player}
        assert owner_of(third.get(at(group)).json) == third.player
        third.delete(seat(group, third))


@pytest.mark.parametrize("rounds", ROUNDS)
def test_erasing_a_player_against_their_joining_and_making_groups(
    api: Api, racers: Racers, valkey: redis.Redis, rounds: int
) -> None:
    owner = api.signed()
    for _ in range(rounds):
        group, player = make_group(owner), api.signed()
        erase = Call(player.token or "", "/api/v1/me", method="DELETE")
        make = Call(player.token or "", GROUPS, {"name": "Mine"})
        erased, *others = racers.race([erase, joining(player, invite_of(owner, group)), make, make])
        assert erased.status == 204
        assert {answer.status for answer in others} <= {200, 201, 401, 404}
        assert whole(valkey, group) == {owner.player}
        assert set(valkey.scan_iter(match="*}:group")) == {keys.group(group).encode()}
        assert list(valkey.scan_iter(match=f"*{player.player}*")) == []
        owner.delete(seat(group, owner))
