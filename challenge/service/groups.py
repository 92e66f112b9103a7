"""Groups: made, joined by an invite, left, handed over. Only members see that there is one.

An invite is ``GROUP.NONCE``, signed by the web floor; renewing it changes the nonce. To a
stranger an unknown group, one of others and an invite that does not hold look alike.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from dataclasses import replace
from datetime import UTC, date, datetime

from challenge.config import Settings
from challenge.daily import names
from challenge.errors import Full, NotFound, NotOwner, NotSigned
from challenge.service.places import Places
from challenge.service.views.groups import GroupNameView, InvitedView
from challenge.store.groups import Group, Seat
from challenge.store.store import Store

MEMBERS = 200
ID_BYTES = 16
NONCE_BYTES = 12
_ID = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)

NOTHING = "There is no such group, or it is not yours to see."
FOR_THE_OWNER = "Only the owner of the group may do this."


class Groups:
    """All groups."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._groups = store.groups
        self._players = store.players
        self._places = Places(store)
        self._calendar = settings.calendar

    # -- coming in ------------------------------------------------------------------------

    def create(
        self, owner: str, name: str, now: datetime, *, epoch: int | None = None, once: str = ""
    ) -> GroupNameView:
        """A new group with one member, its owner.

        ``epoch`` is the one of the caller's token; None says that the caller has been
        admitted already. Under the same name ``once`` the same owner makes one group.

        Raises:
            BadInput: the name is none; the rules are those of players' names.
            Full: the player is in 50 groups.
            NotFound: it was made before and left since.
            NotSigned: the token is of another epoch, or the player has been erased.
        """
        kept = names.clean(name)
        self._admit(owner, epoch)
        group, when = _id(owner, once), int(now.timestamp())
        noted = self._places.reserve(owner, group, when)
        if not self._groups.create(group, kept, owner, _nonce(), when):
            self._places.release(owner, group, noted)
            raise NotFound(NOTHING)
        self._stay(owner, group)
        return GroupNameView(id=group, name=kept, members=1, owned=True)

    def invited(self, value: str, player: str | None = None) -> InvitedView:
        """The group of an invite, for the page that asks before joining.

        Raises:
            NotFound: the invite does not hold, or no longer.
        """
        seat = self._invited(value, player or "")
        group = seat.group
        return InvitedView(
            id=group.id,
            name=group.name,
            members=group.size,
            owned=group.owner == player,
            member=seat.joined is not None,
            full=group.size >= MEMBERS,
        )

    def join(
        self, player: str, value: str, now: datetime, *, epoch: int | None = None
    ) -> GroupNameView:
        """Makes a player a member. Whoever is in already stays in.

        Raises:
            NotFound: the invite does not hold, or no longer.
            Full: the group has 200 members, or the player is in 50 groups.
            NotSigned: the token is of another epoch, or the player has been erased.
        """
        self._admit(player, epoch)
        seat = self._invited(value, player)
        group, nonce, when = seat.group.id, seat.group.nonce, int(now.timestamp())
        if seat.joined is not None:
            return _named(seat.group, player)
        noted = self._places.reserve(player, group, when)
        status = self._groups.join(group, player, nonce, when, MEMBERS)
        if status in ("void", "full"):
            self._places.release(player, group, noted)
            if status == "void":
                raise NotFound(NOTHING)
            raise Full(f"This group has its {MEMBERS} members.")
        self._places.confirm(player, group, when)
        self._stay(player, group)
        return _named(replace(seat.group, size=seat.group.size + 1), player)

    # -- going out ------------------------------------------------------------------------

    def leave(self, player: str, group: str) -> None:
        """Takes a player out of a group; raises like :meth:`remove`."""
        self.remove(player, group, player)

    def remove(self, caller: str, group: str, member: str) -> None:
        """Takes a member out: oneself, or anyone by the owner.

        Where the owner goes, who has been in longest owns the group; with its last member
        it is gone. Games stay as they are. Who was removed comes back by an invite that
        still holds: renew it.

        Raises:
            NotFound: the caller is no member, or there is no such member.
            NotOwner: a member takes out another.
        """
        found = self.seat(caller, group)
        if member != caller:
            self._need_owner(found, caller)
            self._need_member(group, member)
        # Where the member is not there any more somebody was quicker; it is done all the same.
        if self._groups.leave(group, caller, member) == "barred":
            raise NotOwner(FOR_THE_OWNER)
        self._places.give_back(member, group)

    def leave_all(self, player: str) -> None:
        """Takes a player out of every group and forgets the list; repeating it is harmless."""
        for group in self._groups.listed(player):
            self._groups.leave(group, player, player)
        self._groups.forget(player)

    # -- for the owner --------------------------------------------------------------------

    def hand_over(self, owner: str, group: str, member: str) -> None:
        """Makes another member the owner.

        Raises:
            NotFound: the caller is no member, or there is no such member.
            NotOwner: the caller is not the owner.
        """
        self._need_owner(self.seat(owner, group), owner)
        status = self._groups.hand_over(group, owner, member)
        if status == "missing":
            raise NotFound("There is no such member.")
        if status == "barred":
            raise NotOwner(FOR_THE_OWNER)

    def renew(self, owner: str, group: str) -> str:
        """Gives the group another invite and voids the one before; the value to sign.

        Raises:
            NotFound: the caller is no member.
            NotOwner: the caller is not the owner.
        """
        self._need_owner(self.seat(owner, group), owner)
        nonce = _nonce()
        if self._groups.renew(group, owner, nonce) == "barred":
            raise NotOwner(FOR_THE_OWNER)
        return f"{group}.{nonce}"

    # -- looking --------------------------------------------------------------------------

    def mine(self, player: str) -> list[GroupNameView]:
        """The groups a player is in, by name."""
        listed = list(self._groups.listed(player))
        seats = self._groups.seats(listed, [player] * len(listed))
        found = [seat.group for seat in seats if seat and seat.joined is not None]
        return [
            _named(group, player)
            for group in sorted(found, key=lambda group: (group.name.casefold(), group.id))
        ]

    def invitation(self, player: str, group: str) -> str:
        """The value of the invite that holds, to be signed; any member may give it away.

        Raises:
            NotFound: the caller is no member.
        """
        return invitation_of(self.seat(player, group).group)

    def seat(self, player: str, group: str) -> Seat:
        """A group as one of its members meets it.

        Raises:
            NotFound: no such group, or the player is no member.
        """
        found = self._groups.seat(group, player) if _ID.fullmatch(group) else None
        if found is None or found.joined is None:
            raise NotFound(NOTHING)
        return found

    def members(self, player: str, group: str) -> tuple[Group, dict[str, int]]:
        """A group and its members with the moments they joined, longest in first.

        Raises:
            NotFound: no such group, or the player is no member.
        """
        self.seat(player, group)  # before the rest is read: a stranger waits for none of it
        found = self._groups.whole(group)
        if found is None or player not in found[1]:
            raise NotFound(NOTHING)
        return found

    def friends(self, player: str) -> list[str]:
        """Everyone who shares a group with a player, without that player."""
        circles = self._groups.members(list(self._groups.listed(player)))
        return sorted({p for circle in circles if player in circle for p in circle} - {player})

    def day_of(self, when: int) -> date:
        """The service day of a moment in seconds."""
        return self._calendar.date_at(datetime.fromtimestamp(when, UTC))

    # -- within ---------------------------------------------------------------------------

    def _invited(self, value: str, player: str) -> Seat:
        group, _, nonce = value.partition(".")
        found = self._groups.seat(group, player) if _ID.fullmatch(group) else None
        if found is None or found.group.nonce != nonce:
            raise NotFound(NOTHING)
        return found

    def _admit(self, player: str, epoch: int | None) -> None:
        if epoch is not None and not self._players.admits(player, epoch):
            raise NotSigned("This player value was signed out or erased.")

    def _stay(self, player: str, group: str) -> None:
        """Whoever was erased while coming in goes again."""
        if self._players.is_gone(player):  # and the erasure may be past this group
            self._groups.leave(group, player, player)
            self._places.give_back(player, group)
            raise NotSigned("This player was erased.")

    def _need_owner(self, seat: Seat, player: str) -> None:
        if seat.group.owner != player:
            raise NotOwner(FOR_THE_OWNER)

    def _need_member(self, group: str, player: str) -> None:
        found = self._groups.seat(group, player)
        if found is None or found.joined is None:
            raise NotFound("There is no such member.")


def invitation_of(group: Group) -> str:
    """The value of a group's invite, to be signed."""
    return f"{group.id}.{group.nonce}"


def _named(group: Group, player: str) -> GroupNameView:
    return GroupNameView(
        id=group.id, name=group.name, members=group.size, owned=group.owner == player
    )


def _id(owner: str, once: str) -> str:
    """Of a new group; nobody else's name for a call leads to the same."""
    if not once:
        return secrets.token_urlsafe(ID_BYTES)
    digest = hashlib.sha256(f"group/{owner}/{once}".encode()).digest()
    return base64.urlsafe_b64encode(digest[:ID_BYTES]).rstrip(b"=").decode()


def _nonce() -> str:
    return secrets.token_urlsafe(NONCE_BYTES)
