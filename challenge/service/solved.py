"""The tables of exact play in the data directory: found, checked, solved anew.

Importing this module needs none of the packages of the extra ``solver``; calling it does.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from challenge.errors import BadTable, DataDirError, NoSolver
from challenge.game.ruleset import Ruleset
from challenge.solver.whole import table_path

if TYPE_CHECKING:
    from challenge.solver.spread import Odds
    from challenge.solver.table import Table

Progress = Callable[[int, int], None]
Mark = tuple[int, int, int]


def need_solver(*packages: str) -> None:
    """Does nothing where the packages of the extra ``solver`` are installed.

    Raises:
        NoSolver: one of them (``numpy``, ``numba``) is missing.
    """
    try:
        for package in packages:
            importlib.import_module(package)
    except ImportError:
        raise NoSolver from None


class Solved:
    """A folder of tables, one a sheet. Looking needs numpy, solving numba too."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def is_kept(self, sheet: Ruleset) -> bool:
        """Whether there is a file for the table of a sheet, whatever it holds."""
        return table_path(self.folder, sheet).exists()

    def mark(self, sheet: Ruleset) -> Mark | None:
        """What tells the file of a sheet's table from another or a changed one; None without."""
        try:
            found = table_path(self.folder, sheet).stat()
        except OSError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def load(self, sheet: Ruleset) -> Table:
        """The table of a sheet, checked in full.

        Raises:
            BadTable: there is none that can be used; the message says why.
            NotSolvable: the sheet has no exact table.
            NoSolver: numpy is missing.
        """
        need_solver("numpy")
        from challenge.solver.table import read_table  # noqa: PLC0415 - needs numpy

        return read_table(table_path(self.folder, sheet), sheet)

    def fault(self, sheet: Ruleset) -> BadTable | None:
        """Why there is no usable table of a sheet; None where there is one. Raises as above."""
        try:
            self.load(sheet)
        except BadTable as error:
            return error
        return None

    def solved(self, sheet: Ruleset, progress: Progress) -> Table:
        """The table of a sheet, solved first where there is none and it takes seconds.

        Raises:
            BadTable: there is none, and solving takes minutes.
            NotSolvable, NoSolver, DataDirError: as below.
        """
        try:
            return self.load(sheet)
        except BadTable:
            from challenge.solver.derive import is_large  # noqa: PLC0415 - needs numpy

            if is_large(sheet):
                raise
        return self.solve(sheet, progress)

    def solve(self, sheet: Ruleset, progress: Progress) -> Table:
        """Solve a sheet and keep its table; ``progress(done, states)`` is called now and then.

        Raises:
            NotSolvable: the sheet has no exact table.
            NoSolver: numpy or numba is missing.
            DataDirError: the table cannot be kept.
        """
        need_solver("numpy", "numba")
        from challenge.solver.derive import model_of  # noqa: PLC0415 - needs numpy
        from challenge.solver.optimal import solve  # noqa: PLC0415 - needs numba
        from challenge.solver.table import Table, write_table  # noqa: PLC0415 - needs numpy

        model = model_of(sheet)
        self._prepare()
        table = Table(model, solve(model, progress))
        try:
            write_table(table_path(self.folder, sheet), table)
        except OSError as error:
            raise self._error(error) from None
        return table

    def odds(self, sheet: Ruleset, progress: Progress) -> Odds:
        """How the optimal player's totals are spread; kept once worked out.

        Raises as :meth:`solved`.
        """
        need_solver("numpy")
        from challenge.solver.spread import read_odds, write_odds  # noqa: PLC0415 - needs numpy

        table = self.solved(sheet, progress)
        path = self.folder / f"{sheet.id}.odds.json"
        with suppress(BadTable):
            return read_odds(path, table)
        need_solver("numba")
        from challenge.solver.odds import odds_of  # noqa: PLC0415 - needs numba

        odds = odds_of(table, progress)
        try:
            write_odds(path, odds, table)
        except OSError as error:
            raise self._error(error) from None
        return odds

    def kept_odds(self, sheet: Ruleset, table: Table) -> Odds | None:
        """The distribution that is kept beside a table; None where none is that holds."""
        from challenge.solver.spread import read_odds  # noqa: PLC0415 - needs numpy

        with suppress(BadTable):
            return read_odds(self.folder / f"{sheet.id}.odds.json", table)
        return None

    def _prepare(self) -> None:
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise self._error(error) from None

    def _error(self, error: OSError) -> DataDirError:
        return DataDirError(f"Cannot keep tables in {self.folder}: {error.strerror or error}.")
