"""How the totals of the optimal player are spread, and the file that is kept in.

The file is JSON: version, sheet, the fingerprint of its rules, and ``chance``, the
probability of each total from 0 on. It is much slower to work out than to read, and reading
needs no numba.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from challenge.errors import BadTable
from challenge.solver.outcomes import Floats
from challenge.solver.table import Table
from challenge.solver.whole import write_whole

VERSION = 1
ROUNDING = 1e-6  # the mean of the distribution and that of its table


@dataclass(frozen=True, eq=False)
class Odds:
    """``chance[total]`` is the probability of a total, in points, from 0 to the highest."""

    chance: Floats

    @property
    def mean(self) -> float:
        """The expected total; that of the table, up to rounding."""
        return float(np.arange(len(self.chance)) @ self.chance)

    @property
    def sd(self) -> float:
        """The standard deviation of a total, in points."""
        away = np.arange(len(self.chance)) - self.mean
        return float(np.sqrt(away**2 @ self.chance))

    def quantile(self, share: float) -> int:
        """The lowest total that at least this share of games does not exceed."""
        return int(np.searchsorted(np.cumsum(self.chance), share - 1e-12))


def write_odds(path: Path, odds: Odds, table: Table) -> None:
    """Put a distribution into its file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    facts = {**_head(table), "chance": odds.chance.tolist()}
    write_whole(path, json.dumps(facts).encode())


def read_odds(path: Path, table: Table) -> Odds:
    """The distribution in a file, held against the table it belongs to.

    Raises:
        BadTable: no file is there, or it is damaged, of another sheet or of another version.
    """
    try:
        facts = json.loads(path.read_bytes())
        odds = Odds(np.array(facts.pop("chance"), np.float64))
    except OSError as error:
        raise BadTable(path, error.strerror or str(error)) from None
    except (ValueError, AttributeError, KeyError, TypeError):
        raise BadTable(path, "it is damaged") from None
    if facts != _head(table):
        raise BadTable(path, "it is of another sheet or version")
    if odds.chance.ndim != 1 or not abs(odds.mean - table.mean) < ROUNDING:
        raise BadTable(path, "its mean is not that of the table")
    return odds


def _head(table: Table) -> dict[str, Any]:
    sheet = table.model.ruleset
    return {"version": VERSION, "ruleset": sheet.id, "fingerprint": sheet.fingerprint}
