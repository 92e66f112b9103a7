"""Signed values in addresses: invites, transfers, result links; each kind has its own salt.

A value of one kind is none of another. The newest key signs, older ones still verify.
"""

from __future__ import annotations

import hashlib
from typing import Literal, get_args

from flask import Flask, current_app
from itsdangerous import BadSignature, Signer

from challenge.errors import NotFound

Kind = Literal["invite", "transfer", "result"]
LONGEST = 200  # characters of a signed value
_EXTENSION = "samedice-link-signers"


def init_app(app: Flask) -> None:
    """Prepare one signer a kind."""
    keys = list(app.extensions["samedice"].signing_keys)
    app.extensions[_EXTENSION] = {
        kind: Signer(
            keys,
            salt=f"samedice.{kind}",
            key_derivation="hmac",
            digest_method=hashlib.sha256,
        )
        for kind in get_args(Kind)
    }


def sign(kind: Kind, value: str) -> str:
    """The value with its signature, for an address."""
    return _signer(kind).sign(value).decode()


def unsign(kind: Kind, signed: str) -> str:
    """The value of an address.

    Raises:
        NotFound: its signature does not hold; it says nothing about what would be there.
    """
    try:
        if len(signed) > LONGEST:
            raise BadSignature("too long")
        return _signer(kind).unsign(signed).decode()
    except (BadSignature, UnicodeError):
        raise NotFound("There is nothing at this link, or no longer.") from None


def _signer(kind: Kind) -> Signer:
    signer: Signer = current_app.extensions[_EXTENSION][kind]
    return signer
