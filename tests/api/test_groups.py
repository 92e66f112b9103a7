"""Groups: made, joined by an invite, left, removed from, handed over; 404 to all others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import redis
from flask import Flask

from challenge.service.services import Services
from challenge.store import keys
from challenge.web import create_app, signing
from tests.api.contract import TODAY, Api, board, play, problem
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
from tests.conftest import Clock

UNKNOWN = "A" * 22


@pytest.fixture
def ben(api: Api) -> Api:
    """A friend of Mia's."""
    return api.signed("Ben")


@pytest.fixture
def eve(api: Api) -> Api:
    """A player who is in no group."""
    return api.signed("Eve")


def test_a_new_group_has_its_owner_as_the_one_member(mia: Api) -> None:
    made = mia.post(GROUPS, {"name": "  Die   Runde "})
    assert made.status_code == 201
    assert made.json["name"] == "Die Runde"
    assert members_of(made.json) == [mia.player]
    assert owner_of(made.json) == mia.player
    assert made.json["members"][0]["joined"] == TODAY
    assert made.json["invite_url"].startswith("http://localhost/join/")
    assert mia.get(at(made.json["id"])).json == made.json


@pytest.mark.parametrize("name", ["", "   ", "\u200b", "x" * 25, "a\nb"])
def test_a_group_needs_a_name_that_can_be_shown(mia: Api, name: str) -> None:
    problem(mia.post(GROUPS, {"name": name}), "bad-request", 400)
    assert group_ids(mia) == []


def test_an_invite_makes_a_member_by_its_address_or_its_last_part(
    mia: Api, ben: Api, eve: Api
) -> None:
    group = make_group(mia)
    invite = invite_of(mia, group)
    for player, sent in ((ben, invite), (eve, invite.rsplit("/", 1)[1])):
        joined = player.post(JOIN, {"invite": sent})
        assert joined.status_code == 200
        assert joined.json["invite_url"] == invite  # members may give it away
        assert group_ids(player) == [group]
    assert members_of(mia.get(at(group)).json) == [mia.player, ben.player, eve.player]


def test_joining_twice_changes_nothing(mia: Api, ben: Api) -> None:
    group = make_group(mia, ben)
    before = mia.get(at(group)).json
    again = ben.post(JOIN, {"invite": before["invite_url"]})
    assert again.status_code == 200
    assert mia.get(at(group)).json == before


def test_ones_groups_are_listed_by_name(mia: Api, ben: Api) -> None:
    b = make_group(mia, name="Büro")
    a = make_group(ben, mia, name="abends")
    assert mia.get(GROUPS).json == {
        "groups": [
            {"id": a, "name": "abends", "members": 2, "owned": False},
            {"id": b, "name": "Büro", "members": 1, "owned": True},
        ]
    }


def test_without_a_player_there_are_no_groups(api: Api) -> None:
    for response in (
        api.get(GROUPS),
        api.post(GROUPS, {"name": "Die Runde"}),
        api.post(JOIN, {"invite": "x"}),
        api.get(at(UNKNOWN)),
        api.post(at(UNKNOWN, "invite")),
        api.put(at(UNKNOWN, "owner"), {"player": UNKNOWN}),
        api.delete(at(UNKNOWN, f"members/{UNKNOWN}")),
        api.get(at(UNKNOWN, "table")),
        api.get(board(tail=f"leaderboard?group={UNKNOWN}")),
    ):
        problem(response, "not-signed", 401)


def test_a_stranger_cannot_tell_a_group_from_one_that_does_not_exist(mia: Api, eve: Api) -> None:
    group = make_group(mia)

    def answers(id: str) -> list[object]:
        found = [
            eve.get(at(id)),
            eve.get(f"{at(id)}?date=2099-01-01"),
            eve.post(at(id, "invite")),
            eve.put(at(id, "owner"), {"player": mia.player}),
            eve.put(at(id, "owner"), {"player": eve.player}),
            eve.delete(at(id, f"members/{mia.player}")),
            eve.delete(at(id, f"members/{eve.player}")),
            eve.get(at(id, "table?ruleset=nope")),
            eve.get(at(id, f"versus?a={mia.player}&b={eve.player}")),
            eve.get(board(tail=f"leaderboard?group={id}")),
            eve.get(board(ruleset="nope", tail=f"leaderboard?group={id}")),
        ]
        return [problem(response, "not-found", 404) for response in found]

    before = mia.get(at(group)).json
    assert answers(group) == answers(UNKNOWN)
    for id in ("}:x", "A" * 300, "join"):
        assert eve.get(at(id)).status_code in (404, 405)
        problem(eve.get(board(tail=f"leaderboard?group={id}")), "not-found", 404)
    assert mia.get(at(group)).json == before


def test_wrong_renewed_and_foreign_invites_are_answered_alike(
    app: Flask, mia: Api, ben: Api, eve: Api, valkey: redis.Redis
) -> None:
    group, gone = make_group(mia), make_group(ben)
    old, left = invite_of(mia, group), invite_of(ben, gone)
    mia.post(at(group, "invite"))
    ben.delete(seat(gone, ben))
    value = invite_of(mia, group).rsplit("/", 1)[1]
    with app.test_request_context():
        plain = signing.unsign("invite", value)
        foreign = signing.sign("result", plain)
        forged = signing.sign("invite", f"{group}.")
    documents = [
        problem(eve.post(JOIN, {"invite": invite}), "not-found", 404)
        for invite in (old, left, plain, foreign, forged, value[:-1], "", "x" * 900, "/join/")
    ]
    assert all(each == documents[0] for each in documents)
    assert group_ids(eve) == []
    assert not valkey.exists(keys.groups_of(eve.player))


def test_who_guesses_invites_has_to_wait(mia: Api, eve: Api) -> None:
    group = make_group(mia)
    answers = [eve.post(JOIN, {"invite": f"{group}.{i}"}).status_code for i in range(21)]
    assert answers == [404] * 20 + [429]
    refused = eve.post(JOIN, {"invite": invite_of(mia, group)})
    problem(refused, "too-many-requests", 429)
    assert int(refused.headers["Retry-After"]) > 0


def test_an_invite_that_was_renewed_is_no_guess(mia: Api, eve: Api) -> None:
    group = make_group(mia)
    old = invite_of(mia, group)
    invite = mia.post(at(group, "invite")).json["invite_url"]
    assert [eve.post(JOIN, {"invite": old}).status_code for _ in range(25)] == [404] * 25
    assert eve.post(JOIN, {"invite": invite}).status_code == 200


def test_renewing_gives_an_invite_that_holds_and_voids_the_one_before(
    mia: Api, ben: Api, eve: Api
) -> None:
    group = make_group(mia, ben)
    old = invite_of(mia, group)
    renewed = mia.post(at(group, "invite"))
    assert renewed.status_code == 200
    assert renewed.json["invite_url"] != old
    assert members_of(renewed.json) == [mia.player, ben.player]
    problem(eve.post(JOIN, {"invite": old}), "not-found", 404)
    assert eve.post(JOIN, {"invite": renewed.json["invite_url"]}).status_code == 200


def test_what_is_the_owners_is_refused_to_members(mia: Api, ben: Api, eve: Api) -> None:
    group = make_group(mia, ben, eve)
    before = mia.get(at(group)).json
    for response in (
        ben.post(at(group, "invite")),
        ben.put(at(group, "owner"), {"player": ben.player}),
        ben.put(at(group, "owner"), {"player": mia.player}),
        ben.delete(seat(group, eve)),
        ben.delete(seat(group, mia)),
    ):
        problem(response, "not-owner", 403)
    assert mia.get(at(group)).json == before


def test_the_owner_takes_out_a_member_who_may_come_back_by_an_invite(
    mia: Api, ben: Api, eve: Api
) -> None:
    group = make_group(mia, ben, eve)
    removed = mia.delete(seat(group, ben))
    assert (removed.status_code, removed.data) == (204, b"")
    assert members_of(mia.get(at(group)).json) == [mia.player, eve.player]
    assert group_ids(ben) == []
    problem(ben.get(at(group)), "not-found", 404)
    problem(mia.delete(seat(group, ben)), "not-found", 404)
    assert ben.post(JOIN, {"invite": invite_of(mia, group)}).status_code == 200
    assert members_of(mia.get(at(group)).json) == [mia.player, eve.player, ben.player]


def test_where_the_owner_leaves_the_longest_in_owns_the_group(
    mia: Api, ben: Api, eve: Api, clock: Clock
) -> None:
    group = make_group(mia, ben, eve)  # all within one second
    assert mia.delete(seat(group, mia)).status_code == 204
    assert owner_of(eve.get(at(group)).json) == ben.player
    problem(mia.get(at(group)), "not-found", 404)
    clock.forward(minutes=5)
    mia.post(JOIN, {"invite": invite_of(eve, group)})
    ben.delete(seat(group, ben))
    assert owner_of(mia.get(at(group)).json) == eve.player


def test_with_its_last_member_a_group_is_gone(mia: Api, ben: Api, valkey: redis.Redis) -> None:
    group = make_group(mia, ben)
    invite = invite_of(mia, group)
    for member in (mia, ben):
        assert member.delete(seat(group, member)).status_code == 204
    assert list(valkey.scan_iter(match="*g:*")) == []
    assert list(valkey.scan_iter(match="*:groups")) == []
    problem(mia.post(JOIN, {"invite": invite}), "not-found", 404)


def test_the_owner_hands_the_group_over(mia: Api, ben: Api, eve: Api) -> None:
    group = make_group(mia, ben)
    handed = mia.put(at(group, "owner"), {"player": ben.player})
    assert handed.status_code == 200
    assert owner_of(handed.json) == ben.player
    problem(mia.post(at(group, "invite")), "not-owner", 403)
    problem(ben.put(at(group, "owner"), {"player": eve.player}), "not-found", 404)
    assert owner_of(mia.get(at(group)).json) == ben.player


def test_a_full_group_takes_nobody_else(mia: Api, ben: Api, eve: Api, valkey: redis.Redis) -> None:
    group = make_group(mia)
    crowd_into(valkey, group, 198)
    invite = invite_of(mia, group)
    assert ben.post(JOIN, {"invite": invite}).status_code == 200
    problem(eve.post(JOIN, {"invite": invite}), "full", 409)
    assert ben.post(JOIN, {"invite": invite}).status_code == 200  # who is in, is in
    assert group_ids(eve) == []
    assert len(mia.get(at(group)).json["members"]) == 200
    members, listing = held(valkey, group)
    assert members == listing
    mia.delete(seat(group, ben))
    assert eve.post(JOIN, {"invite": invite}).status_code == 200


def test_a_player_is_in_fifty_groups_at_most(mia: Api, ben: Api) -> None:
    groups = [make_group(mia, name=f"G{i}") for i in range(50)]
    invite = invite_of(ben, make_group(ben))
    problem(mia.post(GROUPS, {"name": "One more"}), "full", 409)
    problem(mia.post(JOIN, {"invite": invite}), "full", 409)
    assert sorted(group_ids(mia)) == sorted(groups)
    mia.delete(seat(groups[0], mia))
    assert mia.post(JOIN, {"invite": invite}).status_code == 200
    assert len(group_ids(mia)) == 50


def test_places_that_broken_attempts_left_do_not_count(
    mia: Api, ben: Api, clock: Clock, valkey: redis.Redis
) -> None:
    kept = make_group(mia)
    broken = {UNKNOWN[:-2] + f"{i:02d}": int(clock().timestamp()) for i in range(49)}
    valkey.zadd(keys.groups_of(mia.player), broken)
    assert group_ids(mia) == [kept]
    invite = invite_of(ben, make_group(ben))
    problem(mia.post(JOIN, {"invite": invite}), "full", 409)  # they may still be on their way
    clock.forward(seconds=62)
    assert mia.post(JOIN, {"invite": invite}).status_code == 200
    assert valkey.zcard(keys.groups_of(mia.player)) == 2


def test_the_board_of_a_group_ranks_its_members_alone(mia: Api, ben: Api, api: Api) -> None:
    others = [api.signed() for _ in range(3)]
    group = make_group(mia, ben, others[0])
    totals = {
        player.player: play(player, ruleset="generala", pick=pick)["total"]
        for pick, player in enumerate((mia, others[1], ben, others[2]))
    }
    inside = sorted((mia.player, ben.player), key=lambda p: -totals[p])
    expected = [1, 1] if totals[mia.player] == totals[ben.player] else [1, 2]
    for player in (mia, ben):
        found = player.get(board(ruleset="generala", tail=f"leaderboard?group={group}")).json
        assert [e["player"] for e in found["entries"]] == inside
        assert [e["rank"] for e in found["entries"]] == expected
        assert [e["player"] for e in found["entries"] if e["me"]] == [player.player]
        assert (found["players"], found["offset"], found["limit"]) == (2, 0, 50)
        assert found["me"]["rank"] == expected[inside.index(player.player)]
        assert found["me"]["beaten"] + found["me"]["tied"] <= 1
        (generala,) = [
            b for b in player.get(at(group)).json["boards"] if b["ruleset"] == "generala"
        ]
        assert generala["entries"] == found["entries"]
    onlooker = others[0].get(board(ruleset="generala", tail=f"leaderboard?group={group}")).json
    assert (onlooker["me"], onlooker["players"]) == (None, 2)


def test_pages_of_a_groups_board_never_change_a_rank(mia: Api, api: Api) -> None:
    friends = [api.signed() for _ in range(6)]
    group = make_group(mia, *friends)
    for i, player in enumerate((mia, *friends)):
        play(player, ruleset="generala", pick=i % 3)
    url = board(ruleset="generala", tail=f"leaderboard?group={group}")
    whole = mia.get(url).json
    assert len(whole["entries"]) == 7
    pages = [mia.get(f"{url}&limit=3&offset={n}").json["entries"] for n in (0, 3, 6, 9)]
    assert [entry for page in pages for entry in page] == whole["entries"]
    around = mia.get(f"{url}&around=me&limit=3").json
    assert [e for e in around["entries"] if e["me"]]
    assert around["entries"] == whole["entries"][around["offset"] :][:3]
    for query in ("limit=0", "limit=101", "offset=10001"):
        problem(mia.get(f"{url}&{query}"), "bad-request", 400)


def test_a_group_sees_who_has_played_who_plays_and_who_has_not(
    mia: Api, ben: Api, eve: Api
) -> None:
    group = make_group(mia, ben, eve)
    play(mia)
    play(ben, turns=2)
    (view,) = eve.get(at(group)).json["boards"]
    assert (view["ruleset"], view["state"], view["date"]) == ("yacht", "open", TODAY)
    assert [entry["player"] for entry in view["entries"]] == [mia.player]
    assert [player["id"] for player in view["playing"]] == [ben.player]
    assert [player["id"] for player in view["waiting"]] == [eve.player]
    play(eve, ruleset="yatzy", turns=1)
    boards = mia.get(at(group)).json["boards"]
    assert [b["ruleset"] for b in boards] == ["yacht", "yatzy"]


def test_once_a_board_is_closed_nobody_plays_on_it_any_more(
    mia: Api, ben: Api, eve: Api, clock: Clock
) -> None:
    group = make_group(mia, ben, eve)
    play(mia)
    play(ben, turns=2)
    clock.set("2026-12-01 04:00")
    play(eve, date=TODAY)  # in the archive
    url = f"{at(group)}?date={TODAY}"
    (view,) = mia.get(url).json["boards"]
    assert view["state"] == "closed"
    assert [entry["player"] for entry in view["entries"]] == [mia.player]
    assert view["playing"] == []
    assert {player["id"] for player in view["waiting"]} == {ben.player, eve.player}
    (today,) = mia.get(at(group)).json["boards"]
    assert (today["date"], today["entries"], len(today["waiting"])) == ("2026-12-01", [], 3)


def test_the_day_of_a_group_is_one_that_there_is(mia: Api) -> None:
    group = make_group(mia)
    problem(mia.get(f"{at(group)}?date=2026-13-01"), "bad-request", 400)
    problem(mia.get(f"{at(group)}?date=2025-12-31"), "not-found", 404)
    problem(mia.get(f"{at(group)}?date=2026-12-24"), "not-open-yet", 403, opens_at=...)


def test_members_are_called_by_their_present_names(mia: Api, ben: Api) -> None:
    group = make_group(mia, ben)
    play(ben)
    ben.patch("/api/v1/me", {"name": "Benno"})
    view = mia.get(at(group)).json
    shown = ben.get("/api/v1/me").json["player"]["name"]
    assert shown.startswith("Benno·")
    assert [m["name"] for m in view["members"] if m["player"] == ben.player] == [shown]
    assert [e["name"] for e in view["boards"][0]["entries"]] == [shown]


def test_a_group_goes_across_the_shards_of_a_board(make_services: Callable[..., Services]) -> None:
    app = create_app(make_services(CHALLENGE_BOARD_SHARDS="5"))
    api = Api(app.test_client(use_cookies=False))
    friends = [api.signed() for _ in range(7)]
    group = make_group(*friends)
    totals = [play(p, ruleset="generala", pick=i % 3)["total"] for i, p in enumerate(friends)]
    play(api.signed(), ruleset="generala")
    view = friends[0].get(board(ruleset="generala", tail=f"leaderboard?group={group}")).json
    assert [entry["score"] for entry in view["entries"]] == sorted(totals, reverse=True)
    rows = friends[0].get(at(group, "table?ruleset=generala")).json["rows"]
    assert sum(row["played"] for row in rows) == 7


def test_erasure_takes_the_seats_along(mia: Api, ben: Api, valkey: redis.Redis) -> None:
    group, own = make_group(mia, ben), make_group(mia)
    assert mia.delete("/api/v1/me").status_code == 204
    view = ben.get(at(group)).json
    assert (members_of(view), owner_of(view)) == ([ben.player], ben.player)
    assert not valkey.exists(keys.group(own), keys.members(own), keys.groups_of(mia.player))
    problem(mia.post(JOIN, {"invite": view["invite_url"]}), "not-signed", 401)
    problem(mia.post(GROUPS, {"name": "Again"}), "not-signed", 401)
    assert members_of(ben.get(at(group)).json) == [ben.player]
