"""Friends: players of the API who share a group."""

from __future__ import annotations

from typing import Any

import redis

from challenge.store import keys
from tests.api.contract import Api

GROUPS = "/api/v1/groups"
JOIN = f"{GROUPS}/join"


def make_group(owner: Api, *others: Api, name: str = "Die Runde") -> str:
    """A group with these members, joined in this order; its id."""
    made = owner.post(GROUPS, {"name": name})
    assert made.status_code == 201, made.text
    for other in others:
        joined = other.post(JOIN, {"invite": made.json["invite_url"]})
        assert joined.status_code == 200, joined.text
    return str(made.json["id"])


def at(group: str, tail: str = "") -> str:
    """Path of a group, or of what lies below it."""
    return f"{GROUPS}/{group}" + (f"/{tail}" if tail else "")


def seat(group: str, member: Api) -> str:
    """Path of a member of a group."""
    return at(group, f"members/{member.player}")


def invite_of(member: Api, group: str) -> str:
    """The address of the invite that holds."""
    return str(member.get(at(group)).json["invite_url"])


def members_of(view: dict[str, Any]) -> list[str]:
    """The ids of the members of a group, as an answer lists them."""
    return [member["player"] for member in view["members"]]


def owner_of(view: dict[str, Any]) -> str:
    """The id of the one member marked as the owner."""
    (owner,) = [member["player"] for member in view["members"] if member["owner"]]
    assert owner == view["owner"]
    return str(owner)


def group_ids(player: Api) -> list[str]:
    """The groups a player is in, by the player's own list."""
    return [group["id"] for group in player.get(GROUPS).json["groups"]]


def crowd_into(valkey: redis.Redis, group: str, count: int) -> None:
    """Members by the hundred, written past the scripts, in from now on."""
    players = [f"crowd-{i:016d}" for i in range(count)]
    pipe = valkey.pipeline(transaction=False)
    pipe.zadd(keys.members(group), {player: 2_000_000_000 + i for i, player in enumerate(players)})
    for player in players:
        pipe.zadd(keys.groups_of(player), {group: 2_000_000_000})
    pipe.execute()


def held(valkey: redis.Redis, group: str) -> tuple[set[str], set[str]]:
    """Who is in a group by its members, and by the players' own lists; both whole or both none.

    Asserts that the owner is a member and that nobody comes after the two hundredth.
    """
    members = {raw.decode() for raw in valkey.zrange(keys.members(group), 0, -1)}
    owner = valkey.hget(keys.group(group), "owner")
    assert (owner.decode() in members) if members else owner is None
    assert len(members) <= 200
    listing = {
        key.decode().split("p:")[1].split("}")[0]
        for key in valkey.scan_iter(match="*:groups", count=1000)
        if valkey.zscore(key, group) is not None
    }
    return members, listing
