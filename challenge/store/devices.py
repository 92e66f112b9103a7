"""Codes that bring a player to another device: one for a transfer, one to write down.

Codes lie here as keyed hashes only. Which code of a player is valid stands in one hash of
the player; what a code leads to counts only while that hash names it, so that a new code
voids the older one at once. Beside it the hash names every code that may lie somewhere,
from before it is written until it is deleted: so an erasure finds what broke off, too.

When Redis fails: every method raises StoreUnavailable. Making a code may be repeated, the
last one is valid. A take and a sign-out carry a name: what is sent again under the same
one gets the same answer, so that a lost answer locks nobody out.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from challenge.store import keys
from challenge.store.client import Script, answered
from challenge.store.epochs import Epochs
from challenge.store.link import Link

AGAIN = 600  # seconds in which a sign-out may be sent again
UNCERTAIN = 10  # seconds a code lasts until all of it stands
TRANSFER, RECOVERY = "transfer", "recovery"
_KEYS: dict[str, Callable[[str], str]] = {TRANSFER: keys.transfer, RECOVERY: keys.recovery}


@dataclass(frozen=True, slots=True)
class Transfer:
    """Whom a transfer code stands for: the player, of this epoch, until then."""

    player: str
    epoch: int
    expires_at: datetime

    def encode(self) -> str:
        """As it is kept."""
        return f"{self.player}~{self.epoch}~{self.expires_at.timestamp()}"

    @classmethod
    def decode(cls, raw: bytes, zone: Any) -> Transfer:
        """The inverse of :meth:`encode`."""
        player, epoch, expires_at = raw.decode().split("~")
        return cls(player, int(epoch), datetime.fromtimestamp(float(expires_at), zone))


class Devices:
    """The codes of all players; ``key`` hashes them."""

    def __init__(self, link: Link, key: bytes, epochs: Epochs) -> None:
        self._link = link
        self._key = key
        self._epochs = epochs
        self._take = Script(link, "transfer_take")
        self._out = Script(link, "sign_out")

    # -- transfer -----------------------------------------------------------------------

    def offer(self, code: str, transfer: Transfer, lasts: timedelta) -> None:
        """Makes this the one transfer code of its player."""
        mark = self._mark(TRANSFER, code)
        self._announce(transfer.player, TRANSFER, mark)
        with answered():
            self._link.redis.set(keys.transfer(mark), transfer.encode(), ex=UNCERTAIN)
        self._renew(transfer.player, TRANSFER, mark)
        with answered():
            self._link.redis.expire(keys.transfer(mark), lasts)

    def offered(self, code: str, now: datetime, *, take: str | None) -> Transfer | None:
        """Whom a transfer code stands for at this time.

        ``take`` uses it up, valid or not, for everyone but who takes it under that same name;
        None only looks.
        """
        mark = self._mark(TRANSFER, code)
        raw = self._look(mark) if take is None else self._taken(mark, take)
        if raw is None:
            return None
        found = Transfer.decode(raw, now.tzinfo)
        valid = now < found.expires_at and self._valid(found.player, TRANSFER) == mark
        return found if valid else None

    def _look(self, mark: str) -> bytes | None:
        with answered():
            raw: Any = self._link.redis.get(keys.transfer(mark))
        return None if raw is None or raw.count(b"~") > 2 else raw  # used up

    def _taken(self, mark: str, take: str) -> bytes | None:
        raw: bytes | None = self._take([keys.transfer(mark)], [self._mark("take", take)])
        return raw

    # -- signing out --------------------------------------------------------------------

    def sign_out(self, player: str, epoch: int, name: str) -> int | None:
        """Voids all tokens and transfer codes of a player; the epoch of the tokens to come.

        None where a token of this ``epoch`` is void already, unless it became so under the
        same ``name`` within the last :data:`AGAIN` seconds.
        """
        mark = self._mark("out", f"{player}/{name}")
        found = self._out([keys.profile(player), keys.out(player)], [epoch, mark, AGAIN])
        return None if found < 0 else self._epochs.note(player, int(found))

    # -- recovery -----------------------------------------------------------------------

    def write_down(self, code: str, player: str) -> None:
        """Makes this the one recovery code of a player."""
        mark = self._mark(RECOVERY, code)
        self._announce(player, RECOVERY, mark)
        with answered():
            self._link.redis.set(keys.recovery(mark), player, ex=UNCERTAIN)
        self._renew(player, RECOVERY, mark)
        with answered():
            self._link.redis.persist(keys.recovery(mark))

    def written_down(self, code: str) -> str | None:
        """The player of a valid recovery code."""
        mark = self._mark(RECOVERY, code)
        with answered():
            raw: Any = self._link.redis.get(keys.recovery(mark))
        if raw is None:
            return None
        player: str = raw.decode()
        return player if self._valid(player, RECOVERY) == mark else None

    def has_recovery(self, player: str) -> bool:
        """Whether the player has a recovery code, and not just one whose making broke off."""
        mark = self._valid(player, RECOVERY)
        if mark is None:
            return False
        with answered():
            return bool(self._link.redis.exists(keys.recovery(mark)))

    # -- both ---------------------------------------------------------------------------

    def forget(self, player: str) -> None:
        """Deletes every code of a player. Repeating it is harmless."""
        with answered():
            found: Any = self._link.redis.hgetall(keys.devices(player))
            for field, value in found.items():
                kind, mark = (field, value) if field.decode() in _KEYS else (value, field)
                self._link.redis.delete(_KEYS[kind.decode()](mark.decode()))
            self._link.redis.delete(keys.devices(player), keys.out(player))

    def _valid(self, player: str, kind: str) -> str | None:
        """The mark of the code of this kind that is valid."""
        with answered():
            raw: Any = self._link.redis.hget(keys.devices(player), kind)
        return None if raw is None else raw.decode()

    def _announce(self, player: str, kind: str, mark: str) -> None:
        """Names a code that is about to be written, though it is not valid yet."""
        with answered():
            self._link.redis.hset(keys.devices(player), mark, kind)

    def _renew(self, player: str, kind: str, mark: str) -> None:
        """Makes a code the valid one of its kind and deletes the one before.

        That is read twice: the swap alone knows of a code made at the same moment, and the
        look before it of the older one where the swap had to be sent again.
        """
        known = self._valid(player, kind)
        with answered():
            pipe = self._link.redis.pipeline(transaction=True)
            pipe.hget(keys.devices(player), kind)
            pipe.hset(keys.devices(player), kind, mark)
            swapped, _ = pipe.execute()
        self._drop(player, kind, {known, swapped.decode() if swapped else None} - {None, mark})

    def _drop(self, player: str, kind: str, marks: set[str | None]) -> None:
        """Deletes codes that are void; named until they are gone."""
        with answered():
            for mark in marks:
                self._link.redis.delete(_KEYS[kind](str(mark)))
                self._link.redis.hdel(keys.devices(player), str(mark))

    def _mark(self, kind: str, code: str) -> str:
        return hmac.new(self._key, f"{kind}/{code}".encode(), hashlib.sha256).hexdigest()[:32]
