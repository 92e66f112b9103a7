"""``challenge simulate``: games by the number, the same for the same seed."""

import pytest

from tests.cli.conftest import facts, refused


def test_mean_deviation_and_standard_error_of_a_player(run):
    found = facts(run("simulate", "yatzy-order", "greedy", "--games", "25", "--json"))
    assert found["games"] == 25
    assert found["standard_error"] == pytest.approx(found["sd"] / 5)
    assert 60 < found["mean"] < 250
    text = run("simulate", "yatzy-order", "greedy", "--games", "25").stdout
    assert f"mean {found['mean']:.2f} ± {found['standard_error']:.2f}" in text


def test_the_same_seed_deals_the_same_dice_and_another_one_others(run):
    def mean(seed):
        args = ("simulate", "yatzy-order", "greedy", "--games", "9", "--json", "--seed", seed)
        return facts(run(*args))["mean"]

    assert mean("a") == mean("a") != mean("b")


def test_the_optimal_player_solves_its_sheet_first(run, no_settings):
    assert run("simulate", "yatzy-order", "optimal", "--games", "2").exit_code == 0
    assert (no_settings / "solver" / "yatzy-order.table").is_file()


@pytest.mark.parametrize("sheet", ["yacht-triple", "maxi-yatzy-saved"])
def test_the_optimal_player_refuses_a_sheet_that_cannot_be_solved(run, sheet):
    line = refused(run("simulate", sheet, "optimal", "--games", "2"), 1)
    assert "cannot be solved exactly" in line


@pytest.mark.parametrize(
    "args", [("yacht",), ("yacht", "lucky"), ("yacht", "greedy", "--games", "1")]
)
def test_a_wrong_call_is_refused(run, args):
    refused(run("simulate", *args), 2)
