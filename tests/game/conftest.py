"""How many random games are played: 2,000 over all sheets, far more under ``-m soak``."""

import pytest

from challenge.game import rulesets


@pytest.fixture(params=[sheet.id for sheet in rulesets.RULESETS])
def ruleset(request):
    """Every sheet in turn."""
    return rulesets.find(request.param)
