"""The dice stream, version 1 (frozen; DESIGN.md "Dice stream, version 1").

One seed per date and sheet, derived from the stream secret; its SHA-256 is public
long before, the seed itself when the board has closed.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import date

from challenge.game.dice import Dice

VERSION = 1

# A byte below 252 becomes byte mod 6 + 1; the four above would favour the low faces.
_FACE_OF = bytes(byte % 6 + 1 for byte in range(256))
_REJECTED = bytes(range(252, 256))


def seed_of(secret: bytes, day: date, ruleset: str) -> bytes:
    """The 32-byte seed of a date and sheet."""
    message = f"samedice/{VERSION}/{day.isoformat()}/{ruleset}".encode()
    return hmac.digest(secret, message, "sha256")


def commitment_of(seed: bytes) -> str:
    """Hex SHA-256 of a seed: what is public in advance."""
    return hashlib.sha256(seed).hexdigest()


class Stream:
    """The endless values of one seed, drawn as they are asked for.

    >>> Stream(bytes(32)).block(0, 5) == Stream(bytes(32)).values(5)
    True
    """

    __slots__ = ("_chunks", "_drawn", "seed")

    def __init__(self, seed: bytes) -> None:
        self.seed = seed
        self._drawn = b""
        self._chunks = 0

    def block(self, k: int, n: int) -> Dice:
        """Block ``k`` of ``n`` values, ``n·k … n·k+n−1``: what roll ``k`` of a game reads."""
        end = n * k + n
        if end > len(self._drawn):
            self._draw(end)
        return tuple(self._drawn[end - n : end])

    def values(self, count: int) -> Dice:
        """The first ``count`` values."""
        return self.block(0, count)

    def _draw(self, end: int) -> None:
        while len(self._drawn) < end:
            chunk = hmac.digest(self.seed, self._chunks.to_bytes(4, "big"), "sha256")
            self._drawn += chunk.translate(_FACE_OF, _REJECTED)
            self._chunks += 1
