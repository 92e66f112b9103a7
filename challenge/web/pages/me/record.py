"""One's record: streaks, figures a sheet, the histogram with today's place, the name."""

from __future__ import annotations

from dataclasses import dataclass

from babel import numbers
from flask import Response, render_template, request, url_for

from challenge.daily.names import MAX_VISIBLE
from challenge.errors import BadInput, NotSolved
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.views.players import SheetStatsView, StatsView
from challenge.service.views.reviews import StrengthsView
from challenge.web import identity
from challenge.web.current import now, services
from challenge.web.i18n import decimal, gettext, locale, ngettext
from challenge.web.pages import chart, ranks
from challenge.web.pages.blueprint import pages, respond, see
from challenge.web.pages.place import Place
from challenge.web.pages.review import phrases
from challenge.web.pages.site.problem_words import missing_words

ONE_PLACE = "#,##0.0"  # averages stand below each other


@dataclass(frozen=True, slots=True)
class Line:
    """The figures of one sheet; ``shown`` says that the histogram is of this sheet."""

    ruleset: Ruleset
    played: int
    best: int
    mean: str
    median: str
    shown: bool


@dataclass(frozen=True, slots=True)
class OneSheet:
    """All games of one sheet as a drawing; ``words`` say where today's stands in it."""

    ruleset: Ruleset
    chart: chart.Chart | None
    words: str


@dataclass(frozen=True, slots=True)
class Strengths:
    """How well the last games were played, or in ``why`` what it takes to know."""

    found: StrengthsView | None
    percent: int
    why: str


@pages.get("/me")
def me() -> str:
    """The record; ``?sheet=`` chooses the histogram. Strangers are told how one begins."""
    player = identity.caller().player
    return _page(player) if player else render_template("me.html", place=Place("me"), player=None)


@pages.post("/me/name")
def give_name() -> Response:
    """Another name; one that cannot be taken comes back with the reason."""
    player, epoch = identity.player(), identity.caller().epoch
    given = request.form.get("name", "")
    try:
        services().players.rename(player, given, epoch=epoch)
    except BadInput:
        return respond(_page(player, refused=given), 400)
    return see(f"{url_for('pages.me', named='yes')}#name")


def _page(player: str, refused: str | None = None) -> str:
    stats = services().records.stats(player, None, now())
    shown = _shown(stats)
    name, tag = ranks.name_and_tag(services().players.view(player).name)
    given, hidden = services().players.given(player)
    today = services().days.today(now()).isoformat()
    return render_template(
        "me.html",
        place=Place("me"),
        player=player,
        name=name,
        tag=tag,
        given=given if refused is None else refused,
        hidden=hidden,
        refused=refused is not None,
        most=MAX_VISIBLE,
        stats=stats,
        lines=[_line(sheet, shown) for sheet in stats.sheets],
        one=shown and _one(player, shown, today),
        last=[(each, rulesets.find(each.ruleset)) for each in stats.last],
        strengths=_strengths(player, stats),
        phrases=phrases,
        waits=bool(stats.streak.current) and stats.last[0].date != today,
        today=today,
    )


def _strengths(player: str, stats: StatsView) -> Strengths | None:
    """How well the last games were played; before the first one there is nothing to say."""
    if not stats.played:
        return None
    found = services().reviews.strengths(player)
    if found is not None:
        return Strengths(found, int(100 * found.skill), "")
    try:
        services().insight.table_of(rulesets.find(stats.last[0].ruleset))
    except NotSolved as error:
        return Strengths(None, 0, _why_none(error.missing))
    return None


def _why_none(missing: str) -> str:
    """Why none of the last games, of whatever sheets, has a review."""
    if missing == "packages":
        return missing_words(missing)
    return gettext("Optimal play has not been worked out here for any sheet of your last games.")


def _shown(stats: StatsView) -> Ruleset | None:
    """The sheet asked for, else the one played last; None before the first finished game."""
    asked = request.args.get("sheet")
    if asked:
        return rulesets.find(asked)
    return rulesets.find(stats.last[0].ruleset) if stats.last else None


def _line(sheet: SheetStatsView, shown: Ruleset | None) -> Line:
    ruleset = rulesets.find(sheet.ruleset)
    return Line(
        ruleset=ruleset,
        played=sheet.played,
        best=sheet.best,
        mean=_one_place(sheet.mean),
        median=_one_place(sheet.median),
        shown=ruleset is shown,
    )


def _one_place(value: float | None) -> str:
    return "" if value is None else numbers.format_decimal(value, ONE_PLACE, locale=locale())


def _one(player: str, ruleset: Ruleset, today: str) -> OneSheet:
    stats = services().records.stats(player, ruleset.id, now())
    own = stats.last[0].score if stats.last and stats.last[0].date == today else None
    histogram = {each.score: each.count for each in stats.histogram}
    return OneSheet(ruleset, chart.draw(histogram, own), _place_words(stats, own))


def _place_words(stats: StatsView, own: int | None) -> str:
    """Where today's game stands among the player's others; nothing without one."""
    others = stats.played - 1
    if own is None:
        return ""
    if not others:
        return gettext("Today’s is your first game on this sheet.")
    beaten = sum(each.count for each in stats.histogram if each.score < own)
    words = ngettext(
        "Today’s %(score)s is better than %(beaten)s of your %(n)s other game.",
        "Today’s %(score)s is better than %(beaten)s of your %(n)s other games.",
        others,
    )
    return words % {"score": decimal(own), "beaten": decimal(beaten), "n": decimal(others)}
