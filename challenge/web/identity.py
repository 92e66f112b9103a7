"""Who is calling: the signed player value in a cookie or a bearer token.

A player is 16 random bytes (base64url) signed by itsdangerous; the newest key signs,
older ones still verify. A page without a cookie carries a fresh value, signed under
another salt, that its first move uses.
"""

from __future__ import annotations

import hashlib
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
_ID = re.compile(r"[A-Za-z0-9_-]{22}", re.ASCII)
_EXTENSION = "samedice-signers"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls and by which way; ``renew`` says that the cookie has aged."""

    player: str | None
    by: Literal["bearer", "cookie"] | None
    renew: bool = False


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


def caller() -> Caller:
    """The caller of this request, worked out once; a forged value is nobody."""
    found: Caller | None = g.get("caller")
    if found is None:
        found = g.caller = _caller()
    return found


def player() -> str:
    """The calling player's id.

    Raises:
        NotSigned: there is none, or its signature does not hold.
    """
    found = caller().player
    if found is None:
        raise NotSigned(
            "This call needs a player: send the cookie, or `Authorization: Bearer TOKEN` "
            "with a token from POST /api/v1/players."
        )
    return found


def token(player: str) -> str:
    """A signed value for a player."""
    return _sign("player", player)


def fresh_value() -> str:
    """A new player, signed, for a page's hidden field; nothing is stored for it."""
    return _sign("fresh", services().players.new_id())


def read_fresh(value: str) -> str:
    """The player of a hidden field.

    Raises:
        NotSigned: its signature does not hold.
    """
    return _unsign("fresh", value)[0]


def set_cookie(answer: Response, player: str) -> None:
    """Make the caller this player from the next request on."""
    answer.set_cookie(
        COOKIE,
        token(player),
        max_age=COOKIE_AGE,
        httponly=True,
        secure=request.is_secure,
        samesite="Lax",
    )


def _caller() -> Caller:
    scheme, _, credentials = request.environ.get("HTTP_AUTHORIZATION", "").partition(" ")
    try:
        if scheme.lower() == "bearer":
            return Caller(_unsign("player", credentials.strip())[0], "bearer")
        if COOKIE in request.cookies:
            found, age = _unsign("player", request.cookies[COOKIE])
            return Caller(found, "cookie", renew=age > RENEW_AFTER)
    except NotSigned:
        return Caller(None, "bearer" if scheme.lower() == "bearer" else "cookie")
    return Caller(None, None)


def _signer(salt: str) -> TimestampSigner:
    signer: TimestampSigner = current_app.extensions[_EXTENSION][salt]
    return signer


def _sign(salt: str, player: str) -> str:
    return _signer(salt).sign(player).decode()


def _unsign(salt: str, value: str) -> tuple[str, timedelta]:
    try:
        if len(value) > LONGEST:
            raise BadSignature("too long")
        player, signed_at = _verified(_signer(salt), value)
    except (BadSignature, UnicodeError):
        raise NotSigned("The player value is not one of ours.") from None
    return player, now() - signed_at


@lru_cache(maxsize=REMEMBERED)
def _verified(signer: TimestampSigner, value: str) -> tuple[str, datetime]:
    """The player of a value and when it was signed; remembered once it was found good."""
    raw, signed_at = signer.unsign(value, return_timestamp=True)
    player = raw.decode()
    if not _ID.fullmatch(player):
        raise BadSignature("no player")
    return player, signed_at


def _renew(answer: Response) -> Response:
    found: Caller | None = g.get("caller")
    if found and found.renew and found.player and "Set-Cookie" not in answer.headers:
        set_cookie(answer, found.player)
    return answer
