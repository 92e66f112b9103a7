"""The distribution of the optimal player's total."""

import pytest

from challenge.game import rulesets
from challenge.solver.odds import odds_of
from tests.marks import long
from tests.solver.conftest import solved
from tests.solver.sheets import SMALL


def test_the_distribution_has_the_mean_of_the_table(small):
    odds = odds_of(solved(small))
    assert odds.chance.sum() == pytest.approx(1, abs=1e-12)
    assert (odds.chance >= 0).all()
    assert odds.mean == pytest.approx(solved(small).mean, abs=1e-9)


def test_the_distribution_of_a_sheet_without_choices_is_plain_counting():
    odds = odds_of(solved(next(sheet for sheet in SMALL if sheet.id == "one roll, served")))
    straight, yatzy = 4 * 6 / 216, 6 / 216  # the chances of three dice
    # Who has neither strikes the all-equal box, which is worth less.
    assert odds.chance[75] == pytest.approx(2 * straight * yatzy)
    assert odds.chance[50] == pytest.approx(yatzy * (1 - straight))
    neither = 1 - straight - yatzy
    assert odds.chance[25] == pytest.approx(straight * (1 - yatzy) + neither * straight)


# Published for the sheet with joker and extra bonus: standard deviation 59.61 (Verhoeff, 1999)
@pytest.mark.parametrize(("id", "mean", "sd"), [long("yacht", 254.58773, 59.60759)])
@pytest.mark.timeout(3000)
def test_the_deviation_of_a_sheet_is_the_known_one(id, mean, sd):
    odds = odds_of(solved(rulesets.find(id)))
    assert odds.mean == pytest.approx(mean, abs=1e-5)
    assert odds.sd == pytest.approx(sd, abs=1e-5)
    assert len(odds.chance) - 1 == rulesets.find(id).max_score


def test_a_quantile_is_the_lowest_total_so_many_games_do_not_exceed():
    odds = odds_of(solved(rulesets.find("yatzy-order")))
    median = odds.quantile(0.5)
    assert odds.chance[: median + 1].sum() >= 0.5 > odds.chance[:median].sum()
