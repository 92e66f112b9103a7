"""What to expect on a sheet: mean, deviation and distribution of the optimal player's totals."""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template

from challenge.errors import NotSolved
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.views.odds import OddsView
from challenge.web.current import now, services
from challenge.web.pages.blueprint import pages
from challenge.web.pages.place import Place
from challenge.web.pages.rules import odds_chart
from challenge.web.pages.site.problem_words import missing_words

SHARES = (1, 5, 25, 50, 75, 95, 99)


@dataclass(frozen=True, slots=True)
class Share:
    """So many per cent of the optimal player's games end with at most ``total`` points."""

    percent: int
    total: int


@pages.get("/rules/<ruleset>/odds")
def odds(ruleset: str) -> str:
    """What the optimal player scores on a sheet."""
    sheet = rulesets.find(ruleset)
    try:
        return _page(sheet, found=services().insight.odds_of(sheet))
    except NotSolved as error:
        return _page(sheet, why=missing_words(error.missing))


def _page(sheet: Ruleset, found: OddsView | None = None, why: str | None = None) -> str:
    settings, today = services().settings, services().days.today(now())
    spread = found.chance if found else []
    return render_template(
        "odds.html",
        place=Place(
            "rules", today, sheet.id if sheet.id in settings.rulesets else settings.default_ruleset
        ),
        ruleset=sheet,
        why=why,
        found=found,
        chart=odds_chart.draw(spread) if spread else None,
        shares=[Share(percent, _quantile(spread, percent / 100)) for percent in SHARES]
        if spread
        else [],
    )


def _quantile(chance: list[float], share: float) -> int:
    """The lowest total that at least this share of games does not exceed."""
    reached = 0.0
    for total, probability in enumerate(chance):
        reached += probability
        if reached >= share - 1e-12:
            return total
    return len(chance) - 1
