"""Lists as pages show them: a board by rank with its paging, the sheets of a day by family."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any

from flask import url_for

from challenge.daily import names
from challenge.daily.ranking import Standing
from challenge.errors import BadInput
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.standings import OFFSET
from challenge.service.views import ChallengeView, EntryView, LeaderboardView, State
from challenge.web.current import now, services
from challenge.web.i18n import gettext, pgettext

PAGE = 50
AROUND = 21


@dataclass(frozen=True, slots=True)
class Row:
    """One player of a board; the tag stands apart, since only the name may be cut."""

    rank: int
    tied: bool
    name: str
    tag: str
    score: int
    me: bool


@dataclass(frozen=True, slots=True)
class Listing:
    """A page of a board: its rows are the entries from ``offset`` on."""

    view: LeaderboardView
    rows: list[Row]
    offset: int


@dataclass(frozen=True, slots=True)
class SheetOfDay:
    """A sheet as the list of a day shows it; ``finished`` counts players."""

    ruleset: Ruleset
    finished: int


def listing(day: date, ruleset: str, player: str | None, offset: int, around: bool) -> Listing:
    """A page of a board.

    A neighbour on either side is read along and dropped, so that ties are known at the edges.

    Raises:
        BadInput: ``offset`` lies beyond what can be paged to.
    """
    if offset > OFFSET:
        raise BadInput(f"`offset` goes to {OFFSET}.")
    before = 1 if offset and not around else 0
    size = AROUND if around else PAGE
    view = services().standings.leaderboard(
        day, ruleset, player, now(),
        limit=size + before + 1, offset=offset - before, around_me=around,
    )  # fmt: skip
    first = view.offset + before
    return Listing(view, _rows(view)[before : before + size], first)


def _rows(view: LeaderboardView) -> list[Row]:
    scores = [entry.score for entry in view.entries]
    own_tie = view.me is not None and view.me.tied > 0
    return [
        _row(entry, scores.count(entry.score) > 1 or (entry.me and own_tie))
        for entry in view.entries
    ]


def _row(entry: EntryView, tied: bool) -> Row:
    name, _, tag = entry.name.rpartition(names.SEPARATOR)
    shown = gettext("Player") if name == "Player" else name
    return Row(entry.rank, tied, shown, tag, entry.score, entry.me)


def paging(day: date, ruleset: str, shown: Listing) -> list[tuple[str, str]]:
    """Label and address of each way on."""

    def to(**query: Any) -> str:
        return url_for("pages.leaderboard", date=day.isoformat(), ruleset=ruleset, **query)

    start, end = shown.offset, shown.offset + len(shown.rows)
    ways = []
    if start:
        ways.append((gettext("Before"), to(offset=max(0, start - PAGE))))
        ways.append((gettext("Top"), to()))
    if shown.view.me is not None and shown.view.players > len(shown.rows):
        ways.append((gettext("Around you"), to(around="me")))
    if shown.rows and end < shown.view.players and end <= OFFSET:
        ways.append((gettext("After"), to(offset=end)))
    return ways


def own_standing(view: LeaderboardView) -> Standing | None:
    """The visitor's own place on the board."""
    if view.me is None:
        return None
    return Standing(players=view.players, beaten=view.me.beaten, tied=view.me.tied)


def state_words(state: State) -> str:
    """The state of a board in a word."""
    if state == "open":
        return gettext("still running")
    return gettext("about to close") if state == "closing" else gettext("final")


def families(boards: Iterable[ChallengeView]) -> list[tuple[str, list[SheetOfDay]]]:
    """The sheets of a day by family, both in the order of the sheets."""
    order = {ruleset.id: i for i, ruleset in enumerate(rulesets.RULESETS)}
    first = {ruleset.family: order[ruleset.id] for ruleset in reversed(rulesets.RULESETS)}
    shown = [SheetOfDay(rulesets.find(board.ruleset), board.finished) for board in boards]
    shown.sort(key=lambda each: (first[each.ruleset.family], order[each.ruleset.id]))
    grouped = groupby(shown, key=lambda each: each.ruleset.family)
    return [(_family(family), list(group)) for family, group in grouped]


def _family(family: str) -> str:
    return {
        "yacht": pgettext("family", "Yacht"),
        "nordic": pgettext("family", "Nordic sheets"),
        "german": pgettext("family", "German block"),
        "maxi": pgettext("family", "Maxi, six dice"),
        "french": pgettext("family", "French sheets"),
        "click13": pgettext("family", "Thirteen boxes, +50"),
        "generala": pgettext("family", "Generala"),
    }[family]
