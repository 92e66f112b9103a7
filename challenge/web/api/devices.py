"""One player on several devices: transfer, recovery, signing out everywhere."""

from __future__ import annotations

from flask import Blueprint, Response

from challenge.web import identity, links, once, signing
from challenge.web.api.answers import CodeBody, answer, body
from challenge.web.current import now, services
from challenge.web.limits import guess_limited, joining

routes = Blueprint("devices", __name__)


@routes.post("/me/transfer")
def offer_transfer() -> Response:
    """A code, and a link of the same, that bring the caller to another device."""
    player = identity.player()
    offer = services().devices.transfer(player, identity.caller().epoch, now())
    return _secret(
        {
            "url": transfer_link(offer.code),
            "code": offer.code,
            "expires_at": f"{offer.expires_at:%Y-%m-%dT%H:%M:%SZ}",
        },
        201,
    )


@routes.post("/transfer")
@guess_limited
@joining()
def take_transfer() -> Response:
    """The player of a transfer code or a recovery code; sets no cookie."""
    found = services().devices.take(body(CodeBody).code, now(), once=once.name())
    token = identity.token(found.player.id, found.epoch)
    return _secret({"player": found.player, "token": token})


@routes.post("/me/recovery")
def make_recovery() -> Response:
    """A recovery code to write down; the one before is void."""
    return _secret({"code": services().devices.recovery(identity.player())}, 201)


@routes.post("/me/sign-out")
def sign_out() -> Response:
    """Voids every token of the caller; the new one is for this device, as is a new cookie."""
    player, old = identity.mover()  # sent again, the token may be void: the call itself decides
    epoch = services().devices.sign_out(player, old, once=once.name())
    response = _secret({"token": identity.token(player, epoch)})
    if identity.signed().by == "cookie":
        identity.set_cookie(response, player, epoch)
    return response


def transfer_link(code: str) -> str:
    """The public address that a transfer code can be taken at."""
    signed = signing.sign("transfer", code)
    return links.address("pages.transfer_link", signed=signed)


def _secret(facts: dict[str, object], status: int = 200) -> Response:
    response = answer(facts, status)
    response.headers["Cache-Control"] = "no-store"
    return response
