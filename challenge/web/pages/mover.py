"""Who acts on a page: the cookie's player, or on a stranger's page the one it was made for."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Response, request

from challenge.web import identity


@dataclass(frozen=True, slots=True)
class Mover:
    """Who acts and of which epoch; ``fresh`` says that no cookie was there yet."""

    player: str
    epoch: int
    fresh: bool = False

    def keep(self, answer: Response) -> None:
        """Makes the browser this player, where no cookie was there yet."""
        if self.fresh:
            identity.set_cookie(answer, self.player)


def of_a_move() -> Mover:
    """Who moves; of a cookie the signature alone, the move checks its epoch itself.

    Raises:
        NotSigned: neither a cookie nor a value made for this page.
    """
    return Mover(*identity.mover()) if request.form.get("player") is None else admitted()


def admitted() -> Mover:
    """Who does anything else; a cookie's player has been admitted.

    Raises:
        NotSigned: neither a cookie that holds nor a value made for this page.
        StoreUnavailable: Redis cannot say whether the cookie is still valid.
    """
    known, made_for = identity.caller(), request.form.get("player")
    if known.player is not None:
        return Mover(known.player, known.epoch)
    if made_for is None:
        identity.player()  # raises
    return Mover(identity.read_fresh(made_for or ""), epoch=0, fresh=True)
