"""How often honest players are taken for scouts, and how often scouts are found.

``pytest -m bench -s tests/bench/test_fairplay.py``; half an hour or more. The odds are those of
``challenge.daily.evidence``, "deviations" is the plain measure, with a threshold set so high
that one honest game in a thousand reaches it.
"""

from __future__ import annotations

import numpy as np
import pytest

from challenge.daily.evidence import CLEAR, NOTABLE, deviations, odds, together
from challenge.game import rulesets
from tests.daily.scouts import HONEST, SCOUTS, weighed
from tests.solver.conftest import solved

pytestmark = [pytest.mark.bench, pytest.mark.timeout(0)]

HONEST_GAMES, SCOUT_GAMES = 1050, 210
WEEK = 7  # games, one a day


def shares(found, threshold):
    """Share of games, and of weeks, that reach it."""
    weeks = [together(found[i : i + WEEK]) for i in range(0, len(found), WEEK)]
    return [float(np.mean([odds(each) >= threshold for each in some])) for some in (found, weeks)]


def line(kind, totals, found, plain):
    notable, clear = shares(found, NOTABLE), shares(found, CLEAR)
    most = max(map(odds, found))
    above = np.mean([deviations(each) >= plain for each in found])
    return (
        f"{kind:25} {len(found):5} {np.mean(totals):6.1f}  {notable[0]:8.2%} {clear[0]:8.2%}  "
        f"{notable[1]:8.2%} {clear[1]:8.2%}  {most:8.1f}  {above:8.2%}"
    )


@pytest.mark.parametrize("id", ["yacht"])
def test_honest_players_are_hardly_ever_taken_for_scouts_and_scouts_are_found(id) -> None:
    table = solved(rulesets.find(id))
    games = {}
    for kind in (*HONEST, *SCOUTS):
        number = HONEST_GAMES if kind in HONEST else SCOUT_GAMES
        games[kind] = list(zip(*weighed(table, kind, number), strict=True))
        print(kind, flush=True)
    plain = max(
        float(np.quantile([deviations(each) for each in games[kind][1]], 0.999)) for kind in HONEST
    )
    print(f"\n{id}; deviations from {plain:.2f} on")
    print(
        f"{'':25} {'games':>5} {'total':>6}  {'game 2':>8} {'game 3':>8}  {'week 2':>8} "
        f"{'week 3':>8}  {'highest':>8}  {'deviations':>10}"
    )
    for kind, (totals, found) in games.items():
        print(line(kind, totals, found, plain))
    for kind in HONEST:
        assert shares(games[kind][1], NOTABLE)[0] <= 0.001
    assert shares(games["sees all"][1], NOTABLE)[0] >= 0.9
    assert shares(games["sees the next roll"][1], NOTABLE)[0] >= 0.95
