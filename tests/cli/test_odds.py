"""``challenge odds``: solved where need be, worked out once, and the same from the file."""

import json
import sys

import pytest

from tests.cli.conftest import facts, refused


def test_mean_deviation_and_distribution_as_json(run):
    found = facts(run("odds", "yatzy-order", "--json"))
    assert found["ruleset"] == "yatzy-order"
    assert found["mean"] == pytest.approx(150.21680, abs=1e-5)
    spread = {point["score"]: point["probability"] for point in found["distribution"]}
    assert sum(spread.values()) == pytest.approx(1)
    assert sum(p * score for score, p in spread.items()) == pytest.approx(found["mean"])
    variance = sum(p * (score - found["mean"]) ** 2 for score, p in spread.items())
    assert found["sd"] == pytest.approx(variance**0.5)


def test_the_second_time_it_comes_from_the_file_without_numba(run, monkeypatch):
    first = run("odds", "yatzy-order")
    assert first.stdout.startswith("yatzy-order · mean 150.21680 · standard deviation 40.49825\n")
    monkeypatch.setitem(sys.modules, "numba", None)
    assert run("odds", "yatzy-order").stdout == first.stdout


@pytest.mark.parametrize(
    "damage",
    [
        lambda facts: "",
        lambda facts: "[]",
        lambda facts: json.dumps({**facts, "version": 0}),
        lambda facts: json.dumps({**facts, "fingerprint": "0" * 64}),
        lambda facts: json.dumps({**facts, "chance": facts["chance"][:200]}),
    ],
)
def test_a_damaged_or_foreign_file_is_worked_out_again(run, no_settings, damage):
    right = run("odds", "yatzy-order").stdout
    path = no_settings / "solver" / "yatzy-order.odds.json"
    whole = path.read_text()
    path.write_text(damage(json.loads(whole)))
    assert run("odds", "yatzy-order").stdout == right
    assert path.read_text() == whole


def test_a_sheet_of_minutes_has_to_be_solved_by_name_before(run):
    line = refused(run("odds", "maxi-yatzy"), 1)
    assert line.endswith("is no usable table: there is no such file.")


def test_a_sheet_that_cannot_be_solved_is_refused(run):
    assert "cannot be solved exactly" in refused(run("odds", "yacht-triple"), 1)


def test_without_the_extra_it_says_what_to_install(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert "samedice[solver]" in refused(run("odds", "yatzy-order"), 1)
