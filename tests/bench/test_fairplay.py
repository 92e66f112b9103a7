"""How often honest players are taken for scouts, and how often scouts are found.

``pytest -m bench -s tests/bench/test_fairplay.py``; an hour. The odds are those of
``challenge.daily.evidence``, "deviations" is the plain measure, with a threshold set so high
that one honest game in a thousand reaches it.

Measured on `yacht` (games; share at 300 : 1 and 1,000 : 1; the same of weeks): optimal 490, a
little noisy 455, very noisy 420, planner 805: none of either, of games and of weeks; greedy 1,260:
0.08 % and none; no week. Sees all 105: 91 % and 76 %; every week. Sees the next roll 105: all.
Tries twice 105: 88 % and 83 %; every week. Sees every third roll 105: 50 % and 40 %; every week.
Deviations at one honest game in a thousand (4.7) find 29, 19, 8 and 3 % of the scouts' games.
"""

from __future__ import annotations

import numpy as np
import pytest

from challenge.daily.evidence import CLEAR, NOTABLE, deviations, odds, together
from challenge.game import rulesets
from tests.daily.scouts import HONEST, SCOUTS, weighed
from tests.solver.conftest import solved

pytestmark = [pytest.mark.bench, pytest.mark.timeout(0)]

HONEST_GAMES, SCOUT_GAMES = 2100, 210
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
        f"{'':25} {'games':>5} {'total':>6}  {'300:1':>8} {'1000:1':>8}  {'week':>8} "
        f"{'1000:1':>8}  {'highest':>8}  {'deviations':>10}"
    )
    for kind, (totals, found) in games.items():
        print(line(kind, totals, found, plain))
    for kind in HONEST:
        assert shares(games[kind][1], NOTABLE)[0] <= 0.001
    assert shares(games["sees all"][1], NOTABLE)[0] >= 0.85
    assert shares(games["sees the next roll"][1], NOTABLE)[0] >= 0.95
