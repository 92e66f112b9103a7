"""One's data: an export of everything, and its erasure after a question."""

from __future__ import annotations

from flask import Response, render_template, request, url_for

from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.pages import ranks
from challenge.web.pages.blueprint import pages, see
from challenge.web.pages.place import Place


@pages.get("/me/data")
def data() -> str:
    """What can be done with all that is held; strangers are told that nothing is."""
    return _page("data.html")


@pages.get("/me/data/erase")
def ask_erase() -> str:
    """The question before everything goes."""
    return _page("erase.html")


@pages.post("/me/data/erase")
def erase() -> Response:
    """Everything goes, and the cookie with it."""
    done = services().erasure.request(identity.player())
    answer = see(url_for("pages.data", erased="yes" if done else "soon"))
    identity.drop_cookie(answer)
    return answer


def _page(template: str) -> str:
    player = identity.caller().player
    name, tag = ranks.name_and_tag(services().players.view(player).name) if player else ("", "")
    return render_template(
        template,
        place=Place("data"),
        player=player,
        name=name,
        tag=tag,
        groups=len(services().groups.mine(player)) if player else 0,
        # For a stranger nothing is looked up: so it can be said while the store is away.
        file=player and f"samedice-{services().days.today(now()).isoformat()}.json",
        erased=None if player else request.args.get("erased"),
    )
