"""Solved sheets, each once a test process."""

from __future__ import annotations

from functools import cache

import pytest

from challenge.game import rulesets
from challenge.solver.derive import model_of
from challenge.solver.optimal import solve
from challenge.solver.table import Table
from tests.solver.sheets import SMALL

EXACT = [sheet for sheet in rulesets.RULESETS if len(sheet.boxes) <= 15 or sheet.order == "fixed"]
"""Every real sheet with a table, the one of 2^20 box sets left out."""


@cache
def solved(ruleset):
    """The table of a sheet."""
    return Table(model_of(ruleset), solve(model_of(ruleset)))


@pytest.fixture(params=SMALL, ids=lambda sheet: sheet.id)
def small(request):
    """Every small sheet in turn."""
    return request.param


@pytest.fixture(params=EXACT, ids=lambda sheet: sheet.id)
def exact(request):
    """Every real sheet with a table in turn."""
    return request.param
