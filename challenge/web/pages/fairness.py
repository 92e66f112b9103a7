"""The fairness page: what is promised, what is revealed, and the means to check it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby, zip_longest
from typing import Any

from flask import Response, render_template, request, url_for

from challenge.daily.calendar import FIRST_DAY
from challenge.daily.promise import DAYS
from challenge.errors import BoardRefused, NotFound
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.days import Board
from challenge.service.views.boards import CommitmentView
from challenge.service.views.games import GameView
from challenge.store.keys import BoardId
from challenge.web import assets, i18n, identity, promise
from challenge.web.current import now, services
from challenge.web.pages.blueprint import day_of, pages, see
from challenge.web.pages.place import Place, facts_of

REVEALED = 14
"""Closed boards the page lists; any other one is reached by its date."""


@dataclass(frozen=True, slots=True)
class Month:
    """Commitments of one month, and its first day."""

    first: date
    rows: list[tuple[date, str]]


@pages.get("/fairness")
def fairness() -> str | Response:
    """Today's default board; ``?sheet=`` and ``?day=`` lead to another one."""
    sheet = request.args.get("sheet") or services().settings.default_ruleset
    day = day_of(request.args.get("day") or "today")
    if not request.args.keys() & {"sheet", "day"}:
        return _page(day, sheet)
    return see(url_for("pages.board_fairness", date=day.isoformat(), ruleset=sheet))


@pages.get("/<date>/<ruleset>/fairness")
def board_fairness(date: str, ruleset: str) -> str:
    """One board."""
    return _page(day_of(date), ruleset)


@pages.get("/commitments.txt")
def commitments_text() -> Response:
    """The canonical text of a year's commitments, as the digest in the foot sums it up."""
    first, sheet = day_of(request.args.get("from", "today")), request.args.get("ruleset")
    found = promise.of(first, sheet)
    answer = Response(found.text, content_type="text/plain; charset=utf-8")
    name = f"samedice-commitments-{first}{f'-{sheet}' if sheet else ''}.txt"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


@pages.get("/verify.py")
def verify_script() -> Response:
    """The script that checks a board with Python alone."""
    content = assets.assets()["verify.py"].content
    answer = Response(content, content_type="text/x-python; charset=utf-8")
    answer.headers["Content-Disposition"] = "attachment; filename=verify.py"
    return answer


def _page(day: date, ruleset: str) -> str:
    board = services().days.board(day, ruleset, now())
    checked = board if board.state(now()) == "closed" else _last_closed(day, ruleset)
    return render_template(
        "fairness.html",
        place=Place("fairness", day, ruleset),
        ruleset=board.ruleset,
        challenge=facts_of(board),
        checked=checked and facts_of(checked),
        checked_day=checked and checked.id.day,
        first_day=FIRST_DAY,
        today=services().days.today(now()),
        fairplay=services().fairplay.mode,
        game=checked and _own_game(checked),
        rolls=board.ruleset.rounds * board.ruleset.rolls_per_turn,
        sheets=_sheets(board.ruleset),
        months=_months(services().days.commitments(promise.today().first, DAYS, ruleset)),
        revealed=_revealed(day, ruleset),
    )


def _last_closed(day: date, ruleset: str) -> Board | None:
    """The newest closed board of a sheet before ``day``; None where the first ones still run."""
    for back in range(1, 4):
        earlier = day - timedelta(days=back)
        if earlier < FIRST_DAY:
            return None
        try:
            board = services().days.board(earlier, ruleset, now())
        except (NotFound, BoardRefused):  # was not offered then, or waits for its secret
            return None
        if board.state(now()) == "closed":
            return board
    return None


def _sheets(shown: Ruleset) -> list[Ruleset]:
    offered = [sheet for sheet in rulesets.RULESETS if sheet.id in services().settings.rulesets]
    return offered if shown in offered else [shown, *offered]


def _months(rows: Sequence[CommitmentView]) -> list[Month]:
    dated = [(date.fromisoformat(row.date), row.commitment) for row in rows]
    months = groupby(dated, key=lambda row: row[0].replace(day=1))
    return [Month(first, list(rows)) for first, rows in months]


def _revealed(day: date, ruleset: str) -> list[tuple[date, str]]:
    """Day and seed of the last boards that are marked closed, newest first."""
    before = [day - timedelta(days=back) for back in range(REVEALED)]
    try:
        boards = services().days.glance([BoardId(d, ruleset) for d in before if d >= FIRST_DAY])
    except BoardRefused:  # one of them; its own page says so
        return []
    return [(board.id.day, board.seed.hex()) for board in boards if board.note.closed]


# -- one's own game ----------------------------------------------------------------------


def _own_game(board: Board) -> dict[str, Any] | None:
    """The visitor's finished game on a closed board, for the page's script to replay."""
    player = identity.caller().player
    if player is None:
        return None
    try:
        view = services().play.view(player, board.id.day, board.id.ruleset, now())
    except NotFound:
        return None
    return _game_facts(view, board.ruleset) if view.finished else None


def _game_facts(view: GameView, ruleset: Ruleset) -> dict[str, Any]:
    """The log, each box with its points, and what comes on top, by columns."""
    parts = [
        [each.awarded for each in view.upper or []],
        [each.points for each in view.extra or []],
    ]
    return {
        "log": view.log,
        "total": view.total,
        "boxes": [i18n.box_name(ruleset, box.category) for box in ruleset.boxes],
        "scores": [box.score for box in view.boxes],
        "column": [box.column for box in ruleset.boxes],
        "factors": list(ruleset.columns),
        "bonus": [sum(each) for each in zip_longest(*parts, fillvalue=0)],
    }
