"""The other sheets of a day, and how far the player is with each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from challenge.errors import StoreUnavailable
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.views.base import State
from challenge.service.views.games import GlanceView
from challenge.web.current import now, services
from challenge.web.i18n import decimal, gettext, ngettext, pgettext

SHOWN = 5  # sheets not begun that are named; the page of the day has them all


@dataclass(frozen=True, slots=True)
class Other:
    """A sheet of the day; ``words`` say open, half-played or done."""

    ruleset: Ruleset
    state: str
    words: str


@dataclass(frozen=True, slots=True)
class Others:
    """Sheets that can be played on or begun, and those that are done."""

    open: list[Other]
    done: list[Other]


def of(player: str, day: date, ruleset: str, state: State) -> Others:
    """The sheets of a day beside ``ruleset``: half-played ones first, then one a family.

    None where some lie on a server of the store that is away: the page goes on without.
    """
    boards = [(day, sheet.id) for sheet in rulesets.RULESETS if sheet.id != ruleset]
    try:
        games = services().play.glance(player, boards, now())
    except StoreUnavailable:
        return Others([], [])
    offered = services().settings.rulesets
    begun = [_other(game) for game in games if game.state == "begun"]
    # While a day closes, what was begun may be finished, but nothing begins.
    free = [
        _other(game)
        for game in games
        if game.state == "none" and game.ruleset in offered and state != "closing"
    ]
    done = [_other(game) for game in games if game.state == "done"]
    return Others(begun + _one_a_family(free, rulesets.find(ruleset)), done)


def _other(game: GlanceView) -> Other:
    return Other(rulesets.find(game.ruleset), game.state, state_words(game))


def _one_a_family(free: Iterable[Other], played: Ruleset) -> list[Other]:
    first: dict[str, Other] = {}
    for other in free:
        first.setdefault(other.ruleset.family, other)
    own = first.pop(played.family, None)
    found = [*first.values(), own] if own else [*first.values()]
    return found[:SHOWN]


def state_words(game: GlanceView) -> str:
    """How far a game is: ``open``, ``half-played, round 8``, ``246 points``."""
    if game.state == "none":
        return pgettext("state of a sheet", "open")
    if game.state == "gone" and game.score is None:
        return pgettext("state of a sheet", "no longer kept")
    if game.state == "begun":
        return gettext("half-played, round %(round)d") % {"round": game.round}
    points = ngettext("%(n)s point", "%(n)s points", game.score or 0)
    return points % {"n": decimal(game.score or 0)}
