"""Who is calling: the signed player value in a cookie or a bearer token.

A player is 16 random bytes (base64url) signed by itsdangerous; the newest key signs,
older ones still verify. Behind them stands the epoch of the value, ``ID~2``, unless it is
the first: signing out everywhere begins another epoch. A page without a cookie carries a
fresh value, signed under another salt, that its first move uses.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Literal

from flask import Flask, Response, current_app, g, request
from itsdangerous import BadSignature, TimestampSigner

from challenge.errors import NotSigned
from challenge.web.current import now, services

COOKIE = "samedice_player"
COOKIE_AGE = timedelta(days=400)
RENEW_AFTER = timedelta(days=1)
REMEMBERED = 4096  # verified values a process keeps, about 300 bytes each
LONGEST = 200  # characters of a signed value; ours have about 80
_VALUE = re.compile(r"([A-Za-z0-9_-]{22})(?:~([1-9][0-9]{0,8}))?", re.ASCII)
_EXTENSION = "samedice-signers"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls and by which way; ``renew`` says that the cookie is to be signed anew.

    ``epoch`` is the one of the value, 0 at first.
    """

    player: str | None
    by: Literal["bearer", "cookie"] | None
    epoch: int = 0
    renew: bool = False


@dataclass(frozen=True, slots=True)
class _Signed:
    player: str
    epoch: int
    signed_at: datetime
    by_newest: bool


def init_app(app: Flask) -> None:
    """Prepare the signers and renew cookies that are used."""
    keys = list(app.extensions["samedice"].signing_keys)
    app.extensions[_EXTENSION] = {
        salt: TimestampSigner(
            keys,
            salt=f"samedice.{salt}",
            key_derivation="hmac",
            digest_method=hashlib.sha256,
        )
        for salt in ("player", "fresh")
    }
    app.after_request(_renew)


def signed() -> Caller:
    """The caller by the signature alone; for moves, which ask the epoch along with the log."""
    found: Caller | None = g.get("signed")
    if found is None:
        found = g.signed = _signed()
    return found


def caller() -> Caller:
    """The caller of this request, worked out once; a forged or voided value is nobody.

    Raises:
        StoreUnavailable: Redis cannot say whether the value is still valid.
    """
    found: Caller | None = g.get("caller")
    if found is None:
        found = signed()
        if found.player and not services().players.admits(found.player, found.epoch):
            found = g.signed = Caller(None, found.by)
        g.caller = found
    return found


def player() -> str:
    """The calling player's id.

    Raises:
        NotSigned: there is none, its signature does not hold, or it has been voided.
        StoreUnavailable: Redis cannot say whether the value is still valid.
    """
    return _some(caller()).player or ""


def mover() -> tuple[str, int]:
    """Id and epoch of a caller who makes a move, still to be checked by the move itself.

    Raises:
        NotSigned: there is none, or its signature does not hold.
    """
    found = _some(signed())
    return found.player or "", found.epoch


def _some(found: Caller) -> Caller:
    if found.player is None:
        raise NotSigned(
            "This call needs a player: send the cookie, or `Authorization: Bearer TOKEN` "
            "with a token from POST /api/v1/players."
        )
    return found


def token(player: str, epoch: int = 0) -> str:
    """A signed value for a player, valid while this is the epoch of the player's values."""
    return _sign("player", f"{player}~{epoch}" if epoch else player)


def fresh_value() -> str:
    """A new player, signed, for a page's hidden field; nothing is stored for it."""
    return _sign("fresh", services().players.new_id())


def read_fresh(value: str) -> str:
    """The player of a hidden field.

    Raises:
        NotSigned: its signature does not hold.
    """
    return _unsign("fresh", value).player


def set_cookie(answer: Response, player: str, epoch: int = 0) -> None:
    """Make the caller this player from the next request on."""
    answer.set_cookie(
        COOKIE,
        token(player, epoch),
        max_age=COOKIE_AGE,
        httponly=True,
        secure=request.is_secure,
        samesite="Lax",
    )


def drop_cookie(answer: Response) -> None:
    """Make the caller nobody from the next request on."""
    answer.delete_cookie(COOKIE, httponly=True, secure=request.is_secure, samesite="Lax")


def _signed() -> Caller:
    scheme, _, credentials = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    try:
        if scheme.lower() == "bearer":
            found = _unsign("player", credentials.strip())
            return Caller(found.player, "bearer", found.epoch)
        if COOKIE in request.cookies:
            found = _unsign("player", request.cookies[COOKIE])
            aged = now() - found.signed_at > RENEW_AFTER
            renew = aged or not found.by_newest
            return Caller(found.player, "cookie", found.epoch, renew)
    except NotSigned:
        return Caller(None, "bearer" if scheme.lower() == "bearer" else "cookie")
    return Caller(None, None)


def _signer(salt: str) -> TimestampSigner:
    signer: TimestampSigner = current_app.extensions[_EXTENSION][salt]
    return signer


def _sign(salt: str, value: str) -> str:
    return _signer(salt).sign(value).decode()


def _unsign(salt: str, value: str) -> _Signed:
    try:
        if len(value) > LONGEST:
            raise BadSignature("too long")
        return _verified(_signer(salt), value)
    except (BadSignature, UnicodeError):
        raise NotSigned("The player value is not one of ours.") from None


@lru_cache(maxsize=REMEMBERED)
def _verified(signer: TimestampSigner, value: str) -> _Signed:
    """The player of a value and when it was signed; remembered once it was found good."""
    raw, signed_at = signer.unsign(value, return_timestamp=True)
    found = _VALUE.fullmatch(raw.decode())
    if not found:
        raise BadSignature("no player")
    return _Signed(found[1], int(found[2] or 0), signed_at, _is_by_newest(signer, value))


def _is_by_newest(signer: TimestampSigner, value: str) -> bool:
    """Whether the newest key signed it; another one is dropped from the settings one day."""
    signed, _, signature = value.encode().rpartition(signer.sep)
    return hmac.compare_digest(signer.get_signature(signed), signature)


def _renew(answer: Response) -> Response:
    found: Caller | None = g.get("caller") or g.get("signed")
    if found and found.renew and found.player and "Set-Cookie" not in answer.headers:
        set_cookie(answer, found.player, found.epoch)
    return answer
