"""The sheets of a day, and how far the player is with each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from flask import render_template

from challenge.daily import calendar
from challenge.game import rulesets
from challenge.service.views.base import State
from challenge.service.views.games import GlanceView
from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.i18n import ngettext, pgettext
from challenge.web.pages import families, others
from challenge.web.pages.blueprint import day_of, pages
from challenge.web.pages.place import Place


@dataclass(frozen=True, slots=True)
class Game:
    """How far the player is with a sheet: the state, and the same in words.

    The state ``over`` is a sheet not begun on a day that is closing: nothing begins there.
    """

    state: str
    words: str
    archive: bool


@pages.get("/<date>")
def sheets(date: str) -> str:
    """The sheets of a day, by family."""
    day, today = day_of(date), services().days.today(now())
    boards = services().days.challenges(day, now())
    found = services().play.glance(
        identity.caller().player, [(day, board.ruleset) for board in boards], now()
    )
    state = boards[0].state if boards else "open"
    default = services().settings.default_ruleset
    there = any(board.ruleset == default for board in boards)
    return render_template(
        "sheets.html",
        place=Place("sheets", day, default if there else None),
        families=families.grouped(rulesets.find(board.ruleset) for board in boards),
        games={game.ruleset: _game(game, state) for game in found},
        counted=_counted(found),
        number=calendar.number(day),
        state=state,
        gone=any(game.state == "gone" for game in found),
        before=day - timedelta(days=1) if day > calendar.FIRST_DAY else None,
        after=day + timedelta(days=1) if day < today else None,
        today=today,
    )


def _game(found: GlanceView, state: State) -> Game:
    begun = found.state in ("begun", "done")
    if found.state == "gone" and found.score is None:
        return Game("over", others.state_words(found), False)
    if state == "closing" and not begun:
        return Game("over", pgettext("state of a sheet", "over"), False)
    return Game(found.state, others.state_words(found), begun and found.mode == "archive")


def _counted(found: list[GlanceView]) -> list[str]:
    """How many sheets are done and half-played; nothing for who has not begun."""
    by = Counter(game.state for game in found)
    said = []
    if by["begun"]:
        said.append(ngettext("%(n)s half-played", "%(n)s half-played", by["begun"]))
        said[-1] %= {"n": by["begun"]}
    done = sum(game.score is not None for game in found)
    if done:
        said.append(ngettext("%(n)s done", "%(n)s done", done) % {"n": done})
    return said
