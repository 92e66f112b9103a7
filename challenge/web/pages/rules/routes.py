"""The rules: an index of all sheets with a search by name, and one page a sheet."""

from __future__ import annotations

from flask import render_template, request

from challenge.game import rulesets
from challenge.web.current import now, services
from challenge.web.i18n import language
from challenge.web.pages import families
from challenge.web.pages.blueprint import pages
from challenge.web.pages.place import Place
from challenge.web.pages.rules import aliases, differences, lookup, questions
from challenge.web.pages.rules.rulebook import Rulebook


@pages.get("/rules")
def rules_index() -> str:
    """All sheets by family, or with ``?q=`` those of a name, the best match first."""
    query = request.args.get("q", "")[: lookup.LONGEST].strip()
    found = lookup.search(query) if query else []
    return render_template(
        "rules_index.html",
        place=Place("rules", services().days.today(now()), services().settings.default_ruleset),
        query=query,
        found=found,
        families=families.grouped(rulesets.RULESETS),
    )


@pages.get("/rules/<ruleset>")
def rules(ruleset: str) -> str:
    """The rules of one sheet."""
    settings = services().settings
    sheet, default = rulesets.find(ruleset), rulesets.find(settings.default_ruleset)
    offered, today = sheet.id in settings.rulesets, services().days.today(now())
    return render_template(
        "rules.html",
        place=Place("rules", today, sheet.id if offered else default.id),
        ruleset=sheet,
        book=Rulebook(sheet),
        questions=questions.of(sheet),
        default=default,
        differences=differences.rows(sheet, default),
        aliases=aliases.of_sheet(sheet.id, language()),
        offered=offered,
    )
