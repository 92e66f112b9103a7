"""Data directories in which sheets are solved, for what looks values up."""

from __future__ import annotations

from pathlib import Path

import pytest

from challenge.game import rulesets
from challenge.service.solved import Solved


def solved_folder_of(sheet: str, factory: pytest.TempPathFactory) -> Path:
    """A new data directory with the table of one sheet."""
    folder = factory.mktemp("solved")
    Solved(folder / "solver").solve(rulesets.find(sheet), lambda _done, _states: None)
    return folder
