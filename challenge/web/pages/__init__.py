"""Pages for people, one module a kind of page; a GET creates nothing and sets no cookie.

Every form works without JavaScript: it posts and is sent on by 303. The page's script
posts the same form with the header ``Samedice-Swap`` and gets the new page at once.
"""

from __future__ import annotations

from challenge.web.pages import (
    archive,
    boards,
    fairness,
    game,
    hindsight,
    operator,
    report,
    sheets,
)
from challenge.web.pages.blueprint import pages
from challenge.web.pages.groups import group, lists, members, tables, versus
from challenge.web.pages.links import join, shared, transfer
from challenge.web.pages.me import data, devices, record
from challenge.web.pages.review import page as review
from challenge.web.pages.rules import odds
from challenge.web.pages.rules import routes as rules
from challenge.web.pages.site import choices, legal, shell
from challenge.web.pages.site.errors import problem_page

__all__ = [
    "archive",
    "boards",
    "choices",
    "data",
    "devices",
    "fairness",
    "game",
    "group",
    "hindsight",
    "join",
    "legal",
    "lists",
    "members",
    "odds",
    "operator",
    "pages",
    "problem_page",
    "record",
    "report",
    "review",
    "rules",
    "shared",
    "sheets",
    "shell",
    "tables",
    "transfer",
    "versus",
]
