"""What the address of a group's page asks for: a sheet, and the sheets there are to choose."""

from __future__ import annotations

from flask import request

from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.web.current import services
from challenge.web.pages import families
from challenge.web.pages.families import Family


def sheet() -> Ruleset:
    """The sheet of ``?sheet=``, else the default one.

    Raises:
        UnknownRuleset: there is no such sheet.
    """
    return rulesets.find(request.args.get("sheet") or services().settings.default_ruleset)


def choice(chosen: Ruleset) -> list[Family]:
    """The sheets to choose from: those offered, and the one that is shown."""
    offered = set(services().settings.rulesets)
    return families.grouped(
        each for each in rulesets.RULESETS if each.id in offered or each is chosen
    )
