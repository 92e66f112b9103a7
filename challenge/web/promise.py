"""The digest in every page's foot: the commitments of the coming year, worked out once a day."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import cast

from flask import Flask, current_app

from challenge.daily import promise
from challenge.web.current import now, services

_EXTENSION = "samedice-promise"


@dataclass(frozen=True, slots=True)
class Promise:
    """The canonical text of the commitments from ``first`` on, and its digest in hex."""

    first: date
    text: str
    digest: str

    @property
    def short(self) -> str:
        """The first 20 digits in groups of four: 80 bits, too many to be hit on purpose."""
        return " ".join(self.digest[i : i + 4] for i in range(0, 20, 4))


def of(first: date, ruleset: str | None = None) -> Promise:
    """The promise of the year from ``first`` on, of one sheet or of all offered.

    Raises:
        UnknownRuleset, BadInput, NotFound: like ``Days.commitments``.
    """
    rows = services().days.commitments(first, promise.DAYS, ruleset)
    return _promise(first, tuple((row.date, row.ruleset, row.commitment) for row in rows))


@lru_cache(maxsize=2)
def _promise(first: date, rows: tuple[tuple[str, str, str], ...]) -> Promise:
    text = promise.canonical(rows)
    return Promise(first, text, promise.digest(text))


def today() -> Promise:
    """The promise of the coming year; asks no store, so that pages of any trouble have it."""
    day = services().settings.calendar.date_at(now())
    kept = cast("Promise | None", current_app.extensions.get(_EXTENSION))
    if kept is None or kept.first != day:
        kept = current_app.extensions[_EXTENSION] = of(day)
    return kept


def init_app(app: Flask) -> None:
    """Give the templates ``promise()``."""
    app.jinja_env.globals["promise"] = today
