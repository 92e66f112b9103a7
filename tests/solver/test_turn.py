"""One turn from a table: the same values as the solve, and honest about what is allowed."""

import pytest

from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.scorecard import blank
from challenge.game.stream import Stream
from challenge.solver.turn import Turn
from tests.game.play import actions, play
from tests.solver.brute import Brute
from tests.solver.conftest import solved
from tests.solver.sheets import SMALL

YACHT_12 = rulesets.find("yacht-12")


def test_the_value_of_a_turn_is_that_of_its_state_in_the_table(small):
    table = solved(small)
    assert Turn(table, blank(small)).value == pytest.approx(table.mean, abs=1e-9)


@pytest.mark.parametrize("sheet", [YACHT_12, rulesets.find("generala")], ids=lambda s: s.id)
def test_what_can_be_done_is_what_the_game_allows_and_never_worth_more_than_the_best(sheet):
    table = solved(sheet)
    script = bytes(range(0, 240, 7))
    for game in play(sheet, Stream(bytes(32)), script):
        if game.dice is None:
            continue
        turn = Turn(table, game.card)
        found = dict(turn.actions(game.dice, game.used))
        assert set(found) == set(actions(game))
        best, value = turn.best(game.dice, game.used)
        assert found[best] == value
        assert max(found.values()) == pytest.approx(turn.rolled(game.dice, game.used), abs=1e-9)


def test_the_worth_of_an_entry_on_a_card_half_full_is_what_brute_force_finds():
    sheet = next(sheet for sheet in SMALL if sheet.id == "forced joker")
    brute, table = Brute(sheet), solved(sheet)
    for game in play(sheet, Stream(bytes(32)), b""):
        if not game.finished:
            assert Turn(table, game.card).value == pytest.approx(brute.value(game.card), abs=1e-9)


def test_the_hold_of_all_dice_is_no_move_and_after_the_last_roll_none_is():
    turn = Turn(solved(YACHT_12), blank(YACHT_12))
    assert 0b11111 not in turn.holds((1, 2, 3, 4, 5), 1)
    assert len(turn.holds((1, 2, 3, 4, 5), 2)) == 31
    assert turn.holds((1, 2, 3, 4, 5), 3) == {}
    assert rules.start(YACHT_12).rolls_left == 3
