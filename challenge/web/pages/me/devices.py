"""One's devices: a code for another one, a code to write down, signing out everywhere.

A code is shown in the answer to the press of its button and nowhere else, since only its
hash is kept: these forms answer with a page of their own instead of sending on.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from flask import Response, render_template, url_for

from challenge.service.devices import Offer
from challenge.web import identity, links, once
from challenge.web.api.devices import transfer_link
from challenge.web.current import now, services
from challenge.web.i18n import gettext
from challenge.web.pages import qr, ranks
from challenge.web.pages.blueprint import pages, respond
from challenge.web.pages.place import Place


@pages.get("/me/devices")
def devices() -> str:
    """The ways to another device and back; strangers are told where codes are entered."""
    player = identity.caller().player
    return _page(player) if player else _page(None)


@pages.post("/me/devices/transfer")
def show_transfer() -> Response:
    """A code for another device, as a link, as a drawing and in letters."""
    player = identity.player()
    offer = services().devices.transfer(player, identity.caller().epoch, now())
    return respond(_page(player, **_offered(offer)))


@pages.post("/me/devices/recovery")
def show_recovery() -> Response:
    """A code to write down."""
    player = identity.player()
    return respond(_page(player, recovery=services().devices.recovery(player)))


@pages.post("/me/devices/sign-out")
def sign_out_everywhere() -> Response:
    """Every other device is nobody from now on; this one goes on."""
    player, old = identity.mover()
    epoch = services().devices.sign_out(player, old, once=once.name())
    answer = respond(_page(player, signed_out=True))
    identity.set_cookie(answer, player, epoch)
    return answer


def _page(player: str | None, **shown: Any) -> str:
    name, tag = ranks.name_and_tag(services().players.view(player).name) if player else ("", "")
    return render_template(
        "devices.html",
        place=Place("devices"),
        player=player,
        name=name,
        tag=tag,
        has_recovery=bool(player) and services().devices.has_recovery(player or ""),
        **shown,
    )


def _offered(offer: Offer) -> dict[str, str | datetime]:
    link = transfer_link(offer.code)
    return {
        "code": offer.code,
        "link": link,
        "drawing": qr.svg(link, gettext("The link as a QR code")),
        "expires_at": offer.expires_at,
        "enter_at": f"{links.base_url()}{url_for('pages.transfer')}",
    }
