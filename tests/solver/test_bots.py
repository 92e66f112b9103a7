"""Computer players: legal, the same every time, blind, and as strong as they should be."""

from itertools import pairwise

import numpy as np
import pytest

from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.stream import Stream
from challenge.solver import bots
from challenge.solver.odds import odds_of
from tests.marks import long
from tests.solver.conftest import solved

PLAYERS = {
    "greedy": lambda _sheet: bots.greedy(),
    "planner": lambda _sheet: bots.planner(),
    "optimal": lambda sheet: bots.optimal(solved(sheet)),
}
SHEETS = ["yatzy-order", "generala", long("yacht-12"), long("yacht"), long("yatzy")]


class Torn:
    """A stream that ends: whoever looks further has looked ahead."""

    def __init__(self, stream, rolls):
        self._stream, self._rolls = stream, rolls

    def block(self, k, n):
        assert k < self._rolls, "nobody asked for this roll yet"
        return self._stream.block(k, n)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize("id", SHEETS)
def test_a_player_finishes_its_game_and_plays_it_again_the_same(name, id):
    sheet = rulesets.find(id)
    _plays_the_same(sheet, PLAYERS[name], Stream(bytes(32)))


@pytest.mark.parametrize("id", ["yacht-triple", long("maxi-yatzy-saved"), long("maxi-yatzy")])
def test_the_planner_plays_the_sheets_that_have_no_table_too(id):
    _plays_the_same(rulesets.find(id), PLAYERS["planner"], Stream(bytes(32)))


def _plays_the_same(sheet, make, stream):
    first = bots.play(sheet, stream, make(sheet))
    assert first.finished
    assert bots.play(sheet, stream, make(sheet)).log == first.log
    assert rules.replay(sheet, stream, first.log).total == first.total


@pytest.mark.parametrize("name", PLAYERS)
def test_a_player_never_looks_at_a_roll_before_making_it(name):
    sheet = rulesets.find("yatzy-order")
    player, game = PLAYERS[name](sheet), rules.start(sheet)
    while not game.finished:
        game = rules.apply(game, Torn(Stream(bytes(32)), game.rolls + 1), player(game))


@pytest.mark.parametrize(
    ("id", "games"), [("generala", 30), long("yatzy", 500), long("yacht", 500)]
)
@pytest.mark.timeout(3000)
def test_the_planner_beats_the_greedy_one_and_neither_the_optimal_one(id, games):
    sheet = rulesets.find(id)
    greedy, planner = (
        bots.simulate(sheet, make(), games, "strength") for make in (bots.greedy, bots.planner)
    )
    assert greedy.mean() < planner.mean()
    assert planner.mean() < solved(sheet).mean + 3 * planner.std() / games**0.5


@pytest.mark.parametrize(
    ("id", "games"),
    [
        ("yatzy-order", 150),
        long("yatzy-order", 20_000),
        long("yacht", 20_000),
        long("yatzy", 20_000),
    ],
)
@pytest.mark.timeout(3000)
def test_the_optimal_player_scores_as_the_table_and_the_distribution_say(id, games):
    sheet = rulesets.find(id)
    odds = odds_of(solved(sheet))
    totals = bots.simulate(sheet, bots.optimal(solved(sheet)), games, "as the table says")
    assert abs(totals.mean() - solved(sheet).mean) < 3 * odds.sd / games**0.5
    # Chi-square, twenty classes about as likely: 43.8 is exceeded once in a thousand.
    edges = sorted({odds.quantile(share) for share in np.arange(0.05, 0.96, 0.05)})
    bounds = [-1, *edges, len(odds.chance) - 1]
    expected = np.array([odds.chance[a + 1 : b + 1].sum() for a, b in pairwise(bounds)])
    seen, _ = np.histogram(totals, bins=np.array(bounds) + 0.5)
    assert ((seen - games * expected) ** 2 / (games * expected)).sum() < 43.8
