"""Players: who they are and what they are called."""

from __future__ import annotations

import secrets

from challenge.daily import names
from challenge.errors import NotSigned
from challenge.service.views.players import PlayerView
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

    def rename(self, player: str, name: str, *, epoch: int | None = None) -> PlayerView:
        """Gives a player another name.

        ``epoch`` is the one of the caller's token; None says that the caller has been
        admitted already.

        Raises:
            BadInput: the name is none by RFC 8266 or too long.
            NotSigned: the token is of another epoch, or the player has been erased.
        """
        kept = names.clean(name, player)
        if epoch is not None and not self.admits(player, epoch):
            raise NotSigned("This player value was signed out or erased.")
        self._players.rename(player, kept)
        if self._players.is_gone(player):  # erased meanwhile: the name goes with it
            self._players.unname(player)
            raise NotSigned("This player was erased.")
        return self.view(player)

    def admits(self, player: str, epoch: int) -> bool:
        """Whether a signed value of this epoch still is this player.

        It is not once the player signed out everywhere after it, or was erased.
        """
        return self._players.admits(player, epoch)

    def view(self, player: str) -> PlayerView:
        """A player as others see them."""
        (name,) = self._players.names([player])
        return PlayerView(id=player, name=names.display(player, name))

    def given(self, player: str) -> tuple[str | None, bool]:
        """The name a player gave, without the tag, and whether an operator has hidden it."""
        return self._players.given(player)
