"""The epochs of tokens as this process last saw them, for while a player's server is away.

On a cluster a player and a board mostly lie on different servers. Where the player's is
away, the games on the others go on with what was last seen: an epoch only changes on the
very server that is away.
"""

from __future__ import annotations

ROOM = 10_000  # players a process remembers, about 2 MB


class Epochs:
    """Player -> epoch, of those seen lately."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._seen: dict[str, int] = {}

    def note(self, player: str, epoch: int) -> int:
        """Remembers the epoch of a player that was just read, and gives it back."""
        if len(self._seen) >= self._room:
            self._seen = {}  # not one by one: threads share it, and it fills again at once
        self._seen[player] = epoch
        return epoch

    def known(self, player: str, why: Exception) -> int:
        """The epoch last seen.

        Raises:
            Exception: ``why`` it could not be read, where it was not seen lately.
        """
        found = self._seen.get(player)
        if found is None:
            raise why
        return found
