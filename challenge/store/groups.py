"""Groups: who is in, under which invite, and each player's list of groups.

The members of a group are the authority; a player's list says where to look. A place in
the list is taken before the player joins and given back after the player has left, so
that whoever is a member finds the group in the list; a place without a membership is what
a broken attempt left, and is swept away once the list is full.

When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from challenge.store import keys
from challenge.store.client import Script, answered
from challenge.store.link import Link

Joined = Literal["void", "member", "full", "joined"]
Changed = Literal["missing", "barred", "done"]


@dataclass(frozen=True, slots=True)
class Group:
    """A group: its owner, the nonce of the invite that holds, and how many are in."""

    id: str
    name: str
    owner: str
    nonce: str
    size: int


@dataclass(frozen=True, slots=True)
class Seat:
    """A group as one player meets it; ``joined`` is when, in seconds, None for a stranger."""

    group: Group
    joined: int | None


class Groups:
    """All groups of one Redis. Moments are whole seconds since 1970."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._create = Script(link, "group_create")
        self._reserve = Script(link, "list_reserve")
        self._release = Script(link, "list_release")
        self._join = Script(link, "group_join")
        self._leave = Script(link, "group_leave")
        self._hand_over = Script(link, "group_hand_over")
        self._renew = Script(link, "group_renew")

    # -- a group --------------------------------------------------------------------------

    def create(self, group: str, name: str, owner: str, nonce: str, when: int) -> bool:
        """A new group, its owner the one member, unless it exists.

        Whether that player is in it now: false of a group made before and left since.
        """
        return bool(self._create(_keys(group), [owner, name, nonce, when]))

    def seat(self, group: str, player: str) -> Seat | None:
        """The group as this player meets it; None where there is none."""
        return self.seats([group], [player])[0]

    def seats(self, groups: Sequence[str], players: Sequence[str]) -> list[Seat | None]:
        """Groups, each as the player at the same place meets it, in one round trip."""
        if not groups:
            return []
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for group, player in zip(groups, players, strict=True):
                pipe.hgetall(keys.group(group))
                pipe.zcard(keys.members(group))
                pipe.zscore(keys.members(group), player)
            found = pipe.execute()
        return [_seat(id, *found[3 * i : 3 * i + 3]) for i, id in enumerate(groups)]

    def whole(self, group: str) -> tuple[Group, dict[str, int]] | None:
        """A group and its members as of one moment, longest in first; None where there is none."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=True)
            pipe.hgetall(keys.group(group))
            pipe.zrange(keys.members(group), 0, -1, withscores=True)
            raw, members = pipe.execute()
        seat = _seat(group, raw, len(members), None)
        return None if seat is None else (seat.group, _joined(members))

    def members(self, groups: Sequence[str]) -> list[dict[str, int]]:
        """The members of groups and when they joined, longest in first, in one round trip."""
        if not groups:
            return []
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for group in groups:
                pipe.zrange(keys.members(group), 0, -1, withscores=True)
            found = pipe.execute()
        return [_joined(raw) for raw in found]

    def join(self, group: str, player: str, nonce: str, when: int, most: int) -> Joined:
        """Makes a player a member while the invite holds and fewer than ``most`` are in."""
        answer = self._join(_keys(group), [player, nonce, when, most])
        return answer.decode()  # type: ignore[no-any-return]

    def leave(self, group: str, caller: str, player: str) -> Changed:
        """Takes a member out; ``barred`` unless the caller is that member or the owner.

        Where the owner goes, who has been in longest owns it; the last takes it along.
        """
        answer = self._leave(_keys(group), [caller, player])
        return answer.decode()  # type: ignore[no-any-return]

    def hand_over(self, group: str, caller: str, player: str) -> Changed:
        """Makes another member the owner; ``barred`` unless the caller is the owner."""
        answer = self._hand_over(_keys(group), [caller, player])
        return answer.decode()  # type: ignore[no-any-return]

    def renew(self, group: str, caller: str, nonce: str) -> Changed:
        """Gives the group another invite; ``barred`` unless the caller is the owner."""
        answer = self._renew([keys.group(group)], [caller, nonce])
        return answer.decode()  # type: ignore[no-any-return]

    # -- a player's list ------------------------------------------------------------------

    def listed(self, player: str) -> dict[str, int]:
        """The groups in a player's list and the moments noted with them, oldest first."""
        with answered():
            raw: Any = self._link.redis.zrange(keys.groups_of(player), 0, -1, withscores=True)
        return {group.decode(): int(when) for group, when in raw}

    def noted(self, player: str, group: str) -> int | None:
        """The moment noted with a group in a player's list; None where it is not in it."""
        with answered():
            raw = self._link.redis.zscore(keys.groups_of(player), group)
        return None if raw is None else int(raw)

    def reserve(self, player: str, group: str, when: int, most: int) -> int | None:
        """Takes a place in a player's list; the moment noted, None where it is full."""
        noted = int(self._reserve([keys.groups_of(player)], [group, when, most]))
        return noted or None

    def release(self, player: str, group: str, noted: int) -> None:
        """Gives a place back, unless it was taken anew after the moment noted."""
        self._release([keys.groups_of(player)], [group, noted])

    def forget(self, player: str) -> None:
        """Deletes a player's list; the player has left every group before."""
        with answered():
            self._link.redis.delete(keys.groups_of(player))


def _keys(group: str) -> list[str]:
    return [keys.group(group), keys.members(group)]


def _joined(raw: Any) -> dict[str, int]:
    return {member.decode(): int(when) for member, when in raw}


def _seat(id: str, raw: dict[bytes, bytes], size: int, joined: float | None) -> Seat | None:
    if not raw:
        return None
    text = {name.decode(): value.decode() for name, value in raw.items()}
    group = Group(id, text["name"], text["owner"], text["nonce"], size)
    return Seat(group, None if joined is None else int(joined))
