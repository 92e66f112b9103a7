"""Players: who they are and what they are called."""

from __future__ import annotations

import secrets

from challenge.daily import names
from challenge.service.views import PlayerView
from challenge.store.store import Store

ID_BYTES = 16


class Players:
    """All players."""

    def __init__(self, store: Store) -> None:
        self._players = store.players

    def new_id(self) -> str:
        """A fresh id, 16 random bytes as base64url; nothing is stored for it."""
        return secrets.token_urlsafe(ID_BYTES)

    def create(self, name: str | None) -> PlayerView:
        """A new player, with a name or without.

        Raises:
            BadInput: the name is none by RFC 8266 or too long.
        """
        player = self.new_id()
        return self.rename(player, name) if name is not None else self.view(player)

    def rename(self, player: str, name: str) -> PlayerView:
        """Gives a player another name; raises like :meth:`create`."""
        kept = names.clean(name, player)
        self._players.rename(player, kept)
        return PlayerView(id=player, name=names.display(player, kept))

    def view(self, player: str) -> PlayerView:
        """A player as others see them."""
        (name,) = self._players.names([player])
        return PlayerView(id=player, name=names.display(player, name))
