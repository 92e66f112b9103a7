"""Where a visitor is: the page, the day and the sheet, and the facts of that board."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from urllib.parse import urlencode

from flask import current_app, request, url_for

from challenge.service.days import Board
from challenge.service.views.base import State
from challenge.web.current import now, services

ANSWERING = ("me", "devices")  # pages that answer forms of another address


@dataclass(frozen=True, slots=True)
class Place:
    """A page (``home``, ``game``, ``leaderboard``, ``sheets``, …) of a day and sheet.

    Pages that belong to no board name the day and sheet their menu leads to.
    """

    page: str
    day: date | None = None
    ruleset: str | None = None

    @property
    def on(self) -> date:
        """The day of a page that has one."""
        assert self.day is not None  # noqa: S101 (only error pages have none)
        return self.day

    @property
    def date(self) -> str | None:
        """The day as addresses carry it."""
        return self.day.isoformat() if self.day else None

    @property
    def path(self) -> str:
        """Where the language switch leads back to: here, a language asked for left out.

        A page that only the press of a button shows has another address to come back by.
        """
        if request.method == "POST" and self.page in ANSWERING:
            return url_for(f"pages.{self.page}")
        adapter = current_app.create_url_adapter(request)
        if adapter is None or not adapter.test(request.path, "GET"):
            return url_for("pages.home")
        query = urlencode([each for each in request.args.items(multi=True) if each[0] != "lang"])
        return f"{request.path}?{query}" if query else request.path


@dataclass(frozen=True, slots=True)
class Facts:
    """What a page says about its board; ``seed`` is None until the board is closed.

    ``kept`` says that there are games on it, or may be.
    """

    date: str
    number: int
    ruleset: str
    state: State
    rolls_over_at: datetime
    closes_at: datetime
    commitment: str
    seed: str | None
    kept: bool

    @property
    def turns_at(self) -> datetime | None:
        """When the board turns into its next state; None once it is closed."""
        return {"open": self.rolls_over_at, "closing": self.closes_at}.get(self.state)


def facts_of(board: Board) -> Facts:
    """The facts of a board at the moment of the request."""
    state = board.state(now())
    return Facts(
        date=board.id.day.isoformat(),
        number=board.number,
        ruleset=board.id.ruleset,
        state=state,
        rolls_over_at=board.note.instants.rolls_over_at,
        closes_at=board.note.instants.closes_at,
        commitment=board.note.commitment,
        seed=board.seed.hex() if state == "closed" else None,
        kept=services().days.is_kept(board, now()),
    )
