"""The model: what it says of a card is what the game does with it, on every sheet."""

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from challenge.game import game as rules
from challenge.game.scorecard import column_totals
from challenge.solver.derive import model_of
from challenge.solver.table import Table
from challenge.solver.turn import Turn
from tests.game.play import Loaded, play

GAMES = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))


def _numbered(sheet):
    """A table in which no two states have the same value."""
    model = model_of(sheet)
    return Table(model, np.arange(model.states) * 10_000.0)


def _so_far(card):
    (column,) = column_totals(card)
    return column.boxes + column.extras


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=40), st.binary(max_size=60))
@GAMES
def test_each_legal_box_its_points_and_the_state_after_it_are_those_of_the_game(
    exact, seed, loads, script
):
    table = _numbered(exact)
    for game in play(exact, Loaded(seed, loads), script):
        if game.dice is not None:
            after = {box: rules.score(game, box).card for box in rules.legal_boxes(game)}
            assert Turn(table, game.card).entries(game.dice, game.used) == {
                box: _so_far(card) + table.values[table.model.state_of(card)]
                for box, card in after.items()
            }


def test_a_full_sheet_is_worth_its_upper_bonus(exact):
    model = model_of(exact)
    bonus = exact.upper_bonus.points if exact.upper_bonus else 0
    assert set(model.ends) == {0, bonus}


def test_no_state_stands_for_an_upper_sum_nobody_can_reach(exact):
    lanes = model_of(exact).lanes
    assert lanes.of[0, 0] == 0
    assert (lanes.of[0, 1:] == -1).all()
    assert (lanes.counts <= lanes.threshold + 1).all()
