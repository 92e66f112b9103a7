"""One player on several devices: transfer codes, the recovery code, signing out everywhere."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from challenge.daily import codes, names
from challenge.errors import NotFound, NotSigned
from challenge.service.views.players import PlayerView
from challenge.store import devices as store_devices
from challenge.store.store import Store

LASTS = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Offer:
    """A transfer code as it is shown, until when it lasts."""

    code: str
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Found:
    """The player a code leads to, and the epoch of the player's valid tokens."""

    player: PlayerView
    epoch: int


class Devices:
    """How a player gets to another device, and back after everything was lost."""

    def __init__(self, store: Store) -> None:
        self._devices = store.devices
        self._players = store.players

    def transfer(self, player: str, epoch: int, now: datetime) -> Offer:
        """A code that brings the player to another device; an older one is void.

        ``epoch`` is the one of the caller's token: with it the code is signed out, too.

        Raises:
            NotSigned: the player has been erased.
        """
        code = _made(codes.TRANSFER_SIGNS)
        expires_at = now + LASTS
        self._devices.offer(code, store_devices.Transfer(player, epoch, expires_at), LASTS)
        self._refuse_erased(player)
        return Offer(codes.shown(code), expires_at)

    def recovery(self, player: str) -> str:
        """A code to write down, valid until the next one is made.

        Raises:
            NotSigned: the player has been erased.
        """
        code = _made(codes.RECOVERY_SIGNS)
        self._devices.write_down(code, player)
        self._refuse_erased(player)
        return codes.shown(code)

    def has_recovery(self, player: str) -> bool:
        """Whether the player has written down a code."""
        return self._devices.has_recovery(player)

    def look(self, text: str, now: datetime) -> Found:
        """Whom a code of either kind leads to; it is not used up.

        Raises:
            NotFound: none is valid that reads so; wrong, used and too old are the same.
        """
        return self._found(text, now, take=None)

    def take(self, text: str, now: datetime, *, once: str = "") -> Found:
        """Whom a code of either kind leads to; a transfer code is used up by it.

        What is sent again under the same name ``once`` gets the same answer.

        Raises:
            NotFound: as :meth:`look`.
        """
        return self._found(text, now, take=once or _name())

    def sign_out(self, player: str, epoch: int, *, once: str = "") -> int:
        """Voids all tokens and transfer codes of a player; the epoch of the tokens to come.

        ``epoch`` is the one of the caller's token. What is sent again under the same name
        ``once`` gets the same answer for ten minutes, though that token is void by then.

        Raises:
            NotSigned: the token is of another epoch, or the player has been erased.
        """
        if self._players.is_gone(player):
            raise NotSigned("This player was erased.")
        following = self._devices.sign_out(player, epoch, once or _name())
        if following is None:
            raise NotSigned("This player value was signed out.")
        self._refuse_erased(player)
        return following

    def forget(self, player: str) -> None:
        """Deletes every code of a player. Repeating it is harmless."""
        self._devices.forget(player)

    def _found(self, text: str, now: datetime, *, take: str | None) -> Found:
        code = codes.read(text) or ""
        if len(code) == codes.RECOVERY_SIGNS:
            found = self._recovered(code)
        else:
            found = self._transferred(code, now, take=take)
        if found is None:
            raise NotFound("No code is valid that reads so; it may be used or too old.")
        return found

    def _transferred(self, code: str, now: datetime, *, take: str | None) -> Found | None:
        found = self._devices.offered(code, now, take=take)
        if found is None or not self._players.admits(found.player, found.epoch):
            return None
        return Found(self._view(found.player), found.epoch)

    def _recovered(self, code: str) -> Found | None:
        player = self._devices.written_down(code)
        if player is None or self._players.is_gone(player):
            return None
        return Found(self._view(player), self._players.epoch(player))

    def _view(self, player: str) -> PlayerView:
        (name,) = self._players.names([player])
        return PlayerView(id=player, name=names.display(player, name))

    def _refuse_erased(self, player: str) -> None:
        """What was written for a player erased meanwhile goes the same way."""
        if self._players.is_gone(player):
            self._players.mark_gone(player)  # the erasure is done once more
            self.forget(player)
            raise NotSigned("This player was erased.")


def _name() -> str:
    """For a call without one: it is the same at least where redis-py sends it again."""
    return secrets.token_hex()


def _made(signs: int) -> str:
    return "".join(secrets.choice(names.ALPHABET) for _ in range(signs))
