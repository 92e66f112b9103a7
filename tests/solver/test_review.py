"""The review of a game: its books balance, on every sheet."""

import random

import pytest

from challenge.errors import BadLog, NotFinished
from challenge.game import rulesets
from challenge.game.log import Entry
from challenge.game.stream import Stream
from challenge.solver import bots
from challenge.solver.review import review
from tests.game.play import Loaded, play
from tests.marks import some
from tests.solver.conftest import EXACT, solved
from tests.solver.sheets import SMALL

CHEAP = [EXACT.index(rulesets.find(id)) for id in ("generala", "yatzy-order-side")]
ORDER = rulesets.find("yatzy-order")
GAMES = 25  # of each sheet; more than 500 of all


@pytest.mark.parametrize("sheet", [*SMALL, *some(EXACT, *CHEAP)], ids=lambda sheet: sheet.id)
def test_mean_and_luck_less_what_was_given_away_is_the_total(sheet):
    dealer = random.Random(sheet.id)
    for _ in range(GAMES):
        stream = Loaded(dealer.randbytes(32), dealer.randbytes(dealer.choice((0, 7))))
        game = play(sheet, stream, dealer.randbytes(60))[-1]
        found = review(solved(sheet), stream, game.log)
        balance = found.optimal_mean + found.luck - found.given_away
        assert found.total == game.total == pytest.approx(balance, abs=1e-6)
        assert 0 <= found.skill <= 1


def test_the_optimal_player_gives_nothing_away():
    game = bots.play(ORDER, Stream(bytes(32)), bots.optimal(solved(ORDER)))
    found = review(solved(ORDER), Stream(bytes(32)), game.log)
    assert found.given_away == pytest.approx(0, abs=1e-8)
    assert found.skill == pytest.approx(1)
    assert all(decision.played == decision.best for decision in found.decisions)


def test_every_ply_is_a_roll_a_decision_or_both():
    states = play(ORDER, Stream(bytes(32)), bytes(range(0, 250, 5)))
    found = review(solved(ORDER), Stream(bytes(32)), states[-1].log)
    plies = {decision.ply for decision in found.decisions} | {roll.ply for roll in found.rolls}
    assert plies == set(range(len(states[-1].log)))
    entries = [d for d in found.decisions if isinstance(d.played, Entry)]
    assert len(entries) == ORDER.rounds


def test_a_game_with_open_boxes_or_of_other_dice_is_refused():
    game = play(ORDER, Stream(bytes(32)), bytes((120, 0) * 20))[-1]
    with pytest.raises(NotFinished):
        review(solved(ORDER), Stream(bytes(32)), game.log[:-1])
    with pytest.raises(BadLog):
        review(solved(ORDER), Stream(bytes(32)), game.log + b"\x40")
