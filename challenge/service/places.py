"""Places: a player's list of groups, kept so that whoever is a member finds the group in it.

The members of a group are the authority. A place is taken before the player joins, taken
anew once the player is in, and given back only while the player is not: so of two calls
that meet, the later one sees to it.
"""

from __future__ import annotations

from challenge.errors import Full
from challenge.store.store import Store

GROUPS = 50  # a player
STALE = 60  # seconds; a place taken longer ago without a membership is none


class Places:
    """The lists of all players. Moments are whole seconds since 1970."""

    def __init__(self, store: Store) -> None:
        self._groups = store.groups

    def reserve(self, player: str, group: str, when: int) -> int:
        """Takes a place, or takes it anew; the moment noted with it.

        Raises:
            Full: the player is in 50 groups.
        """
        noted = self._groups.reserve(player, group, when, GROUPS)
        if noted is None and self._sweep(player, when):
            noted = self._groups.reserve(player, group, when, GROUPS)
        if noted is None:
            raise Full(f"A player is in at most {GROUPS} groups.")
        return noted

    def release(self, player: str, group: str, noted: int) -> None:
        """Gives a place back that came to nothing, unless another call took it anew."""
        self._groups.release(player, group, noted)

    def confirm(self, player: str, group: str, when: int) -> None:
        """Takes the place of a new member anew, so that nobody gives back the one before.

        Who was taken out of the group meanwhile gives it back here: the other side no
        longer can.

        Raises:
            Full: the place was swept away and others came in; the player is out again.
        """
        try:
            self.reserve(player, group, when)
        except Full:
            self._groups.leave(group, player, player)
            raise
        self.give_back(player, group)

    def give_back(self, player: str, group: str) -> None:
        """Gives the place back, unless the player is a member.

        In this order: who becomes a member after the look at the group takes the place
        anew after that, and what was noted before it is then no longer given back.
        """
        noted = self._groups.noted(player, group)
        seat = self._groups.seat(group, player)
        if noted is not None and (seat is None or seat.joined is None):
            self._groups.release(player, group, noted)

    def _sweep(self, player: str, when: int) -> bool:
        """Gives back places taken without a membership a while ago; whether there were any."""
        old = {g: noted for g, noted in self._groups.listed(player).items() if noted < when - STALE}
        seats = self._groups.seats(list(old), [player] * len(old))
        swept = [g for g, seat in zip(old, seats, strict=True) if not seat or seat.joined is None]
        for group in swept:
            self._groups.release(player, group, old[group])
        return bool(swept)
