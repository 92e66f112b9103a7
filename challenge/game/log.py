"""The log of a game: one byte an action, and its text form.

``0x40 | hold mask`` is a roll (bit i = position i held), ``0 … 63`` the index of a
box in the sheet's ``boxes``. The text form is unpadded base64url. The log and the
stream alone rebuild a game, see :func:`challenge.game.game.replay`.
"""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass

from challenge.errors import BadInput

ROLL = 0x40
MAX_LENGTH = 256  # the triple sheet needs 156


@dataclass(frozen=True, slots=True)
class Roll:
    """Throw the dice that ``hold`` (a bit mask of positions) does not keep."""

    hold: int


@dataclass(frozen=True, slots=True)
class Entry:
    """Enter the dice into the box of this index."""

    box: int


Action = Roll | Entry


def encode(action: Action) -> int:
    """The byte of an action."""
    return ROLL | action.hold if isinstance(action, Roll) else action.box


def decode(byte: int) -> Action:
    """The action of a byte.

    Raises:
        BadInput: no action has this byte.
    """
    if not 0 <= byte < 2 * ROLL:
        raise BadInput(f"A log holds bytes below 128, not {byte}.")
    return Roll(byte & (ROLL - 1)) if byte & ROLL else Entry(byte)


def entries(log: bytes) -> int:
    """How many boxes a log fills."""
    return sum(byte < ROLL for byte in log)


def to_text(log: bytes) -> str:
    """A log as unpadded base64url."""
    return base64.urlsafe_b64encode(log).rstrip(b"=").decode("ascii")


def from_text(text: str) -> bytes:
    """The inverse of :func:`to_text`; only the canonical form is taken.

    Raises:
        BadInput: not base64url, or longer than any game.
    """
    try:
        log = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        log = b""
    if to_text(log) != text or len(log) > MAX_LENGTH:
        raise BadInput(f"A log is unpadded base64url of at most {MAX_LENGTH} bytes.")
    return log
