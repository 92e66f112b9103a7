"""What the tables of exact play give away, and to whom.

Importing this module needs none of the packages of the extra ``solver``.
"""

from __future__ import annotations

from datetime import datetime
from threading import Lock
from typing import TYPE_CHECKING, TypeGuard

from challenge.errors import BadTable, NoSolver, NotSolvable, NotSolved, Spoiler
from challenge.game.ruleset import Ruleset
from challenge.service.days import Board
from challenge.service.solved import Mark, Solved
from challenge.service.views.odds import OddsView
from challenge.store.store import Store

if TYPE_CHECKING:
    from challenge.solver.table import Table

    _Read = tuple[Mark | None, Table]


class Insight:
    """The tables of one process, each checked once, and the rule that guards open boards."""

    def __init__(self, store: Store, solved: Solved) -> None:
        self._boards = store.boards
        self._solved = solved
        self._tables: dict[str, _Read] = {}
        self._lock = Lock()

    def table_of(self, sheet: Ruleset) -> Table:
        """The table of a sheet, read and checked when it is first asked for.

        Where there is none, the next call looks again: it may have been solved meanwhile.
        So it does where the file has changed: what was cut off under a process that has it
        mapped would end that process.

        Raises:
            NotSolved: the sheet has no exact table, or the table or the packages are missing.
        """
        mark = self._solved.mark(sheet)
        found = self._tables.get(sheet.fingerprint)
        return found[1] if _holds(found, mark) else self._read(sheet)

    def has_table(self, sheet: Ruleset) -> bool:
        """Whether :meth:`table_of` has an answer."""
        try:
            self.table_of(sheet)
        except NotSolved:
            return False
        return True

    def warm(self, sheet: Ruleset) -> None:
        """Reads a table before it is asked for, and numpy with it; only where its file is."""
        if self._solved.is_kept(sheet):
            self.has_table(sheet)

    def odds_of(self, sheet: Ruleset) -> OddsView:
        """What to expect on a sheet; without its spread where that is not worked out.

        Raises:
            NotSolved: as :meth:`table_of`.
        """
        table = self.table_of(sheet)
        odds = self._solved.kept_odds(sheet, table)
        if odds is None:
            return OddsView(mean=table.mean, sd=None, chance=[])
        return OddsView(mean=table.mean, sd=odds.sd, chance=odds.chance.tolist())

    def need_finished(self, board: Board, player: str | None, now: datetime) -> None:
        """Does nothing where the player (None: nobody) may know what the dice were worth.

        Raises:
            Spoiler: the board is not closed and the player has not finished it.
            StoreUnavailable: Redis does not answer.
        """
        if board.state(now) == "closed":
            return
        if player is None or self._boards.score_of(board.id, board.note.shards, player) is None:
            raise Spoiler

    def _read(self, sheet: Ruleset) -> Table:
        with self._lock:
            mark = self._solved.mark(sheet)  # before reading: a change meanwhile is read anew
            found = self._tables.get(sheet.fingerprint)
            if _holds(found, mark):
                return found[1]
            self._tables.pop(sheet.fingerprint, None)
            table = self._load(sheet)
            self._tables[sheet.fingerprint] = mark, table
            return table

    def _load(self, sheet: Ruleset) -> Table:
        try:
            return self._solved.load(sheet)
        except NoSolver:
            raise NotSolved(sheet.id, "packages") from None
        except NotSolvable:
            raise NotSolved(sheet.id, "method") from None
        except BadTable:
            raise NotSolved(sheet.id, "table") from None


def _holds(found: _Read | None, mark: Mark | None) -> TypeGuard[_Read]:
    """Whether a table that was read still stands in its file; a deleted one stays mapped."""
    return found is not None and mark in (None, found[0])
