"""The epochs of tokens as this process last saw them, for while a player's server is away.

On a cluster a player and a board mostly lie on different servers. Where the player's is
away, the games on the others go on with what was last seen. An epoch only changes on the very
server that is away, but it may have changed after this process last looked: a token signed out
in between is taken by it until the server is back, for :data:`LASTS` at most, for what lies
on the others: games and groups. Name, record and codes are on the server that is away.
"""

from __future__ import annotations

import time

ROOM = 10_000  # players a process remembers, about 2 MB
LASTS = 600.0  # seconds; a replica takes over within a few


class Epochs:
    """Player -> epoch, of those seen lately."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._seen: dict[str, tuple[int, float]] = {}

    def note(self, player: str, epoch: int) -> int:
        """Remembers the epoch of a player that was just read or changed, and gives it back."""
        if len(self._seen) >= self._room:
            self._seen = {}  # not one by one: threads share it, and it fills again at once
        self._seen[player] = epoch, time.monotonic()
        return epoch

    def forget(self, player: str) -> None:
        """Of a player who is gone nothing is known any more."""
        self._seen.pop(player, None)

    def known(self, player: str, why: Exception) -> int:
        """The epoch last seen.

        Raises:
            Exception: ``why`` it could not be read, where it was not seen lately.
        """
        epoch, seen_at = self._seen.get(player, (0, float("-inf")))
        if time.monotonic() - seen_at > LASTS:
            raise why
        return epoch
