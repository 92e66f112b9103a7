"""Cases that run in full by hand and are left out of the daily run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def long(*values: Any) -> Any:
    """A case of ``parametrize`` that only ``pytest -m soak`` runs."""
    return pytest.param(*values, marks=pytest.mark.soak)


def some(values: Sequence[Any], *daily: int) -> list[Any]:
    """All cases, those at the positions ``daily`` in every run and the others under soak."""
    return [value if i in daily else long(value) for i, value in enumerate(values)]
