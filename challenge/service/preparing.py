"""What the worker prepares beside its rounds: tables of exact play, and each board's best game.

Needs the extra ``solver`` and takes minutes the first time, so that it runs in a process of
its own (``challenge prepare``). Everything is kept as soon as it is worked out and looked at
before it is worked out again: it can be stopped anywhere, repeated, and run twice.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import islice

from challenge.daily.calendar import FIRST_DAY
from challenge.errors import BadTable, BoardRefused, NotSolvable, NotSolved
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.best_play import STRENGTHS
from challenge.service.days import Board, Days
from challenge.service.insight import Insight
from challenge.service.solved import Solved, need_solver
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from challenge.store.store import Store

BATCH = 500  # boards asked about in one round trip
RECENT = 2  # days whose boards go before all older ones

Work = Callable[[Ruleset], None]

log = logging.getLogger("challenge.prepare")


class Preparing:
    """Has the offered sheets solved and plays the boards."""

    def __init__(
        self, store: Store, days: Days, solved: Solved, insight: Insight, offered: Sequence[str]
    ) -> None:
        self._boards = store.boards
        self._insights = store.insights
        self._days = days
        self._solved = solved
        self._insight = insight
        self._offered = [rulesets.find(id) for id in offered]

    def run(self, now: datetime, solve: Work, spread: Work) -> None:
        """All that is missing: sheet by sheet its table and today's board, then older boards.

        ``solve`` makes the table of a sheet, ``spread`` the distribution beside it; both may
        use more memory than should stay with the caller, who says where they run.

        Raises:
            NoSolver: the extra ``solver`` is not installed.
            DataDirError: a table cannot be kept.
            StoreUnavailable: Redis does not answer; the next call goes on.
        """
        need_solver("numpy", "numba")
        today = self._days.today(now)
        sheets = list(dict.fromkeys([*self._offered, *rulesets.RULESETS]))
        for sheet in sheets:
            if sheet in self._offered and self._lacks_table(sheet):
                solve(sheet)
            for board in self._opened(sheet, today, now, 0, RECENT):
                self.play(board)
        self._play_all(sheets, today, now)
        for sheet in self._offered:
            if self._lacks_spread(sheet):
                spread(sheet)
                self._play_all(sheets, today, now)  # that took a while: what opened meanwhile

    def _play_all(self, sheets: Sequence[Ruleset], today: date, now: datetime) -> None:
        for sheet in sheets:
            for board in self._opened(sheet, today, now, 0, None):
                self.play(board)

    def _lacks_table(self, sheet: Ruleset) -> bool:
        """Whether a sheet has no table that holds; one that takes minutes must be asked for."""
        from challenge.solver.derive import is_large  # noqa: PLC0415 - needs numpy

        with suppress(NotSolvable):
            fault = None if is_large(sheet) else self._solved.fault(sheet)
            if fault is not None:
                log.info("solves %s, whose table cannot be used: %s", sheet.id, fault.why)
            return fault is not None
        return False

    def _lacks_spread(self, sheet: Ruleset) -> bool:
        from challenge.solver.derive import is_large  # noqa: PLC0415 - needs numpy

        with suppress(BadTable, NotSolvable):
            table = None if is_large(sheet) else self._solved.load(sheet)
            return table is not None and self._solved.kept_odds(sheet, table) is None
        return False

    def play(self, board: Board) -> None:
        """A board's best game and the computer players', as far as they are missing."""
        (known,) = self._insights.read([board.id])
        best, line = self._best(board) if known.best is None else (None, None)
        bots = self._bots(board, [each for each in STRENGTHS if each not in known.bots])
        self._insights.write(board.id, Known(best, line, bots))

    def _best(self, board: Board) -> tuple[int, bytes] | tuple[None, None]:
        from challenge.solver.hindsight import hindsight  # noqa: PLC0415 - needs numba

        try:
            return hindsight(board.ruleset, board.stream)
        except NotSolvable:
            return None, None

    def _bots(self, board: Board, strengths: Sequence[str]) -> dict[str, bytes]:
        from challenge.solver import bots  # noqa: PLC0415 - needs numpy

        made: dict[str, Callable[[], bots.Player]] = {
            "greedy": bots.greedy,
            "planner": bots.planner,
            "optimal": lambda: bots.optimal(self._insight.table_of(board.ruleset)),
        }
        found = {}
        for strength in strengths:
            with suppress(NotSolved):
                player = made[strength]()
                found[strength] = bots.play(board.ruleset, board.stream, player).log
        return found

    def _opened(
        self, sheet: Ruleset, today: date, now: datetime, first: int, end: int | None
    ) -> Iterator[Board]:
        """Boards of a sheet that have opened, ``first`` to ``end`` days back, the latest first."""
        back = range((today - FIRST_DAY).days + 1)[first:end]
        ids = (BoardId(today - timedelta(days=days), sheet.id) for days in back)
        while batch := list(islice(ids, BATCH)):
            for id, note in zip(batch, self._boards.notes(batch), strict=True):
                if note is not None:
                    with suppress(BoardRefused):
                        yield self._days.peek(id.day, id.ruleset, now)
