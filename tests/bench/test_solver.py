"""What exact play costs: solving against PyPI's ``yatzy-solver``, hindsight, one turn.

``pytest -m bench -s tests/bench/test_solver.py``. The ratios need ``pip install yatzy-solver``.
CPU seconds of processes of their own, all threads added up; compilation is done before and
told apart.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from challenge.game import rulesets
from challenge.game.scorecard import blank
from challenge.game.stream import Stream
from challenge.solver.derive import model_of
from challenge.solver.hindsight import hindsight
from challenge.solver.turn import Turn
from tests.solver.conftest import solved

pytestmark = pytest.mark.bench

RATIO = 8.0
MOST_SECONDS = {"yacht": 1.0, "yatzy": 2.5}
SAME_RULES = {"yacht": "american+forced-joker", "yatzy": "yatzy-scandinavian"}
MOST_MEGABYTES = 250.0
RUNS = 3

OURS = """
import json, resource, sys, time
start = time.process_time()
from challenge.game import rulesets
from challenge.solver.derive import model_of
from challenge.solver.optimal import solve
solve(model_of(rulesets.find("yatzy-order")))
ready = time.process_time()
values = solve(model_of(rulesets.find(sys.argv[1])))
done = time.process_time()
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"cpu": done - ready, "before": ready - start, "mean": values[0], "peak": peak}))
"""
THEIRS = """
import json, sys, time
import yatzy_solver
start = time.process_time()
solver = yatzy_solver.Solver.build(yatzy_solver.Variant(sys.argv[1]))
print(json.dumps({
    "cpu": time.process_time() - start, "mean": solver.state_value("upper 0 | filled -")
}))
"""


def measured(code: str, argument: str) -> dict[str, float]:
    """The facts of the fastest of a few runs of a program of its own."""
    call = [sys.executable, "-c", code, argument]
    runs = [
        json.loads(subprocess.run(call, check=True, capture_output=True, text=True).stdout)
        for _ in range(RUNS)
    ]
    return min(runs, key=lambda run: run["cpu"])


def seconds(call: Callable[[], object]) -> float:
    """CPU seconds of the fastest of five calls."""
    found = []
    for _ in range(5):
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


@pytest.mark.parametrize("id", MOST_SECONDS)
def test_a_table_is_solved_in_little_time_and_memory(id: str) -> None:
    ours = measured(OURS, id)
    sys.stdout.write(
        f"\n{id}: {ours['cpu']:.2f} CPU s, imports and warm-up {ours['before']:.1f} s, "
        f"peak {ours['peak']:.0f} MB, mean {ours['mean']:.5f}\n"
    )
    assert ours["cpu"] <= MOST_SECONDS[id]
    assert ours["peak"] <= MOST_MEGABYTES


@pytest.mark.parametrize("id", MOST_SECONDS)
def test_a_table_takes_a_fraction_of_what_the_other_solver_takes(id: str) -> None:
    pytest.importorskip("yatzy_solver", reason="pip install yatzy-solver")
    ours, theirs = measured(OURS, id), measured(THEIRS, SAME_RULES[id])
    ratio = theirs["cpu"] / ours["cpu"]
    sys.stdout.write(
        f"\n{id}: {ours['cpu']:.2f} against {theirs['cpu']:.2f} CPU s, {ratio:.1f} times less\n"
    )
    assert ours["mean"] == pytest.approx(theirs["mean"], abs=1e-4)
    assert ratio >= RATIO


@pytest.mark.parametrize(("id", "most"), [("yacht", 0.1), ("yatzy", 0.4)])
def test_the_best_game_of_a_stream_is_found_soon(id: str, most: float) -> None:
    sheet = rulesets.find(id)
    hindsight(sheet, Stream(bytes(32)))
    found = seconds(lambda: hindsight(sheet, Stream(bytes(31) + b"!")))
    sys.stdout.write(f"\nhindsight of {id}: {1000 * found:.0f} ms\n")
    assert found <= most


@pytest.mark.parametrize("id", ["yacht", "yatzy"])
def test_a_turn_is_worked_out_soon(id: str) -> None:
    sheet = rulesets.find(id)
    table = solved(sheet)
    found = seconds(lambda: Turn(table, blank(sheet)).holds((1, 2, 3, 3, 6), 1))
    sys.stdout.write(f"\none turn of {id}: {1000 * found:.1f} ms\n")
    assert found * sheet.rounds * 3 <= 0.15
    assert model_of(sheet) is table.model
