"""Sheets by family, as every list of sheets shows them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.web.i18n import pgettext

Family = tuple[str, list[Ruleset]]
"""The name of a family and its sheets."""


def grouped(sheets: Iterable[Ruleset]) -> list[Family]:
    """Sheets by family, both in the order of :data:`challenge.game.rulesets.RULESETS`."""
    order = {ruleset.id: i for i, ruleset in enumerate(rulesets.RULESETS)}
    first = {ruleset.family: order[ruleset.id] for ruleset in reversed(rulesets.RULESETS)}
    shown = sorted(sheets, key=lambda each: (first[each.family], order[each.id]))
    return [(_name(family), list(group)) for family, group in groupby(shown, lambda s: s.family)]


def _name(family: str) -> str:
    return {
        "yacht": pgettext("family", "Yacht"),
        "nordic": pgettext("family", "Nordic sheets"),
        "german": pgettext("family", "German block"),
        "maxi": pgettext("family", "Maxi, six dice"),
        "french": pgettext("family", "French sheets"),
        "click13": pgettext("family", "Thirteen boxes, +50"),
        "generala": pgettext("family", "Generala"),
    }[family]
