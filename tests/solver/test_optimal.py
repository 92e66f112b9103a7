"""Exact values: against a brute force on small sheets, and the known means of the real ones."""

import hashlib
import os
import subprocess
import sys

import pytest

from challenge.errors import NotSolvable
from challenge.game import rulesets
from challenge.solver.derive import model_of
from challenge.solver.optimal import solve
from tests.marks import some
from tests.solver.brute import Brute
from tests.solver.sheets import SMALL

# Published: Verhoeff (yacht 254.5877, plain 245.8708); the third agrees with PyPI's yatzy-solver.
MEANS = {"yacht": 254.58773, "yacht-plain": 245.87077, "yatzy": 248.43999}


@pytest.mark.parametrize("sheet", SMALL, ids=lambda sheet: sheet.id)
def test_the_value_of_a_small_sheet_is_what_brute_force_finds(sheet):
    assert solve(model_of(sheet))[0] == pytest.approx(Brute(sheet).value(), abs=1e-9)


@pytest.mark.parametrize(("id", "mean"), some(list(MEANS.items()), 0, 1, 2))
def test_the_mean_of_a_sheet_is_the_known_one(id, mean):
    assert solve(model_of(rulesets.find(id)))[0] == pytest.approx(mean, abs=1e-5)


@pytest.mark.parametrize("id", ["yacht-triple", "maxi-yatzy-saved"])
def test_a_sheet_of_too_many_states_is_refused_with_the_reason(id):
    with pytest.raises(NotSolvable, match=f"{id} cannot be solved exactly: .* multipl"):
        model_of(rulesets.find(id))


def test_progress_ends_with_all_states_and_never_falls():
    model = model_of(rulesets.find("generala"))
    said = []
    values = solve(model, lambda done, states: said.append((done, states)))
    assert [states for _, states in said] == [model.states] * len(said)
    assert said == sorted(said)
    assert said[-1] == (model.states, model.states)
    assert values.shape == (model.states,)


def test_the_values_are_the_same_to_the_bit_whatever_the_number_of_threads():
    code = (
        "import hashlib\n"
        "from challenge.game import rulesets\n"
        "from challenge.solver.derive import model_of\n"
        "from challenge.solver.optimal import solve\n"
        "values = solve(model_of(rulesets.find('generala')))\n"
        "print(hashlib.sha256(values.tobytes()).hexdigest())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "NUMBA_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for threads in ("1", "4")
    }
    here = hashlib.sha256(solve(model_of(rulesets.find("generala"))).tobytes()).hexdigest()
    assert found == {here + "\n"}
