"""Reporting a name: a small page of its own, so that no list needs a button a row."""

from __future__ import annotations

from flask import Response, render_template

from challenge.errors import NotFound
from challenge.web import identity
from challenge.web.current import services
from challenge.web.pages import ranks
from challenge.web.pages.blueprint import pages, respond
from challenge.web.pages.place import Place


@pages.get("/players/<player>/report")
def ask_report(player: str) -> str:
    """Whether to report the name; only players can."""
    return _page(player, identity.caller().player)


@pages.post("/players/<player>/report")
def report_name(player: str) -> Response:
    """Counts a report, once a reporter."""
    reporter = identity.player()
    services().reports.report(reporter, player)
    return respond(_page(player, reporter, done=True))


def _page(player: str, viewer: str | None, *, done: bool = False) -> str:
    """The page of a name.

    Raises:
        NotFound: the player shows none, or is the visitor.
    """
    shown = services().players.view(player).name
    if player == viewer or not ranks.is_named(player, shown):
        raise NotFound("There is no name to report.")
    name, tag = ranks.name_and_tag(shown)
    return render_template(
        "report.html",
        place=Place("report"),
        player=player,
        name=name,
        tag=tag,
        viewer=viewer,
        done=done,
    )
