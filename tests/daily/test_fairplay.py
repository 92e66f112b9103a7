"""Fair play: the measures mean what they say, honest players stay below, scouts stand out.

The full figures are those of ``tests/bench/test_fairplay.py``.
"""

from __future__ import annotations

import random
from math import isfinite, log, sqrt
from statistics import fmean, stdev

import pytest

from challenge.daily.evidence import (
    NOTABLE,
    NOTHING,
    Evidence,
    deviations,
    odds,
    together,
)
from challenge.daily.fairplay import PLAUSIBLE, _Sight, evidence
from challenge.errors import BadLog, NotFinished
from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.log import Roll
from challenge.game.stream import Stream
from tests.daily.scouts import HONEST, SCOUTS, Turns, noisy, weighed
from tests.marks import long, some
from tests.solver.conftest import solved
from tests.solver.sheets import SMALL

YACHT = rulesets.find("yacht")
FIVE_DICE = SMALL[0]
STREAM = Stream(bytes(32))


def choices_of(table, stream):
    """Every choice of a noisy game: the game before it, the action."""
    log_ = noisy(4.0, table, stream, random.Random(1))
    game = rules.start(table.model.ruleset)
    for ply in range(len(log_)):
        after = rules.replay(table.model.ruleset, stream, log_[: ply + 1])
        if game.dice is not None:
            byte = log_[ply]
            yield (
                game,
                Roll(byte & 0x3F)
                if byte & 0x40
                else next(
                    action
                    for action, _ in Turns(table).of(game).actions(game.dice, game.used)
                    if not isinstance(action, Roll) and action.box == byte
                ),
            )
        game = after


def test_a_choice_is_held_against_what_others_bring_on_the_very_same_block():
    table = solved(YACHT)
    sight, turns, seen = _Sight(table), Turns(table), 0
    for game, made in choices_of(table, STREAM):
        block = STREAM.block(game.rolls, 5)
        found = sight.values(game, game.dice, made, block)
        known = dict(turns.of(game).actions(game.dice, game.used))
        least = max(known.values()) - PLAUSIBLE
        plausible = [made, *(a for a, value in known.items() if value >= least and a != made)]
        if found is None:
            assert len(plausible) == 1 or game.card.open.bit_count() == 1
            continue
        blind, values = found
        assert blind == pytest.approx([known[action] for action in plausible])
        brought = [turns.brings(game, STREAM, action) for action in plausible]
        assert values[:, -1] == pytest.approx(brought)
        seen += 1
    assert seen > 20


def test_the_blocks_that_could_have_come_bring_the_blind_value_in_the_mean():
    table = solved(YACHT)
    sight, checked = _Sight(table), 0
    for game, made in choices_of(table, STREAM):
        found = sight.values(game, game.dice, made, STREAM.block(game.rolls, 5))
        if found is not None:
            blind, values = found
            assert values[:, :-1].mean(axis=1) == pytest.approx(blind, abs=1e-9)
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("kind", ["optimal", long("very noisy")])
def test_both_measures_expect_nothing_of_who_cannot_see_ahead(kind):
    found = [each for _, each in weighed(solved(FIVE_DICE), kind, 250)]
    spread = sqrt(fmean(each.variance for each in found))
    assert abs(fmean(each.gained for each in found)) < 4 * spread / sqrt(len(found))
    assert 0.6 < stdev([deviations(each) for each in found if each.variance]) < 1.4
    for scout in range(len(NOTHING.logs)):
        factors = [10 ** odds(each._replace(logs=each.logs[scout : scout + 1])) for each in found]
        assert abs(fmean(factors) - 1) < 4 * stdev(factors) / sqrt(len(factors))


def test_evidence_adds_up_over_games():
    one, two = Evidence(3, 5.0, 9.0, (1.0, 2.0)), Evidence(2, -1.0, 7.0, (0.5, -4.0))
    assert together([one, two]) == Evidence(5, 4.0, 16.0, (1.5, -2.0))
    assert together([]) == NOTHING
    assert deviations(together([one, two])) == 1.0
    assert (deviations(NOTHING), odds(NOTHING)) == (0.0, 0.0)


def test_odds_are_the_mean_over_the_kinds_of_scouts():
    assert odds(Evidence(1, 0.0, 1.0, (log(199), log(1)))) == pytest.approx(2.0)
    assert odds(Evidence(1, 0.0, 1.0, (-5000.0, -5000.0))) == pytest.approx(-5000 / log(10))


@pytest.mark.parametrize("sheet", SMALL, ids=lambda sheet: sheet.id)
def test_every_kind_of_sheet_can_be_weighed(sheet):
    for _, found in weighed(solved(sheet), "very noisy", 3):
        assert isfinite(odds(found))
        assert isfinite(deviations(found))
        assert found.choices <= len(sheet.boxes) * sheet.rolls_per_turn


def test_what_is_no_finished_game_is_not_weighed():
    table = solved(FIVE_DICE)
    with pytest.raises(NotFinished):
        evidence(table, STREAM, b"\x40")
    with pytest.raises(BadLog):
        evidence(table, STREAM, b"\x01")


@pytest.mark.parametrize("kind", some(list(HONEST), 0, 2))
def test_honest_games_and_weeks_stay_below(kind):
    found = [each for _, each in weighed(solved(YACHT), kind, 7)]
    assert max(map(odds, found)) < NOTABLE
    assert odds(together(found)) < NOTABLE


@pytest.mark.parametrize(
    ("kind", "games", "least"), [long("sees all", 4, 3), ("tries twice", 5, 3)]
)
def test_most_games_of_scouts_stand_out_and_a_few_together_do(kind, games, least):
    found = [each for _, each in weighed(solved(YACHT), kind, games)]
    assert sum(odds(each) >= NOTABLE for each in found) >= least
    assert odds(together(found)) > 5


def test_who_knows_the_next_roll_stands_out_at_once():
    assert all(odds(each) > 5 for _, each in weighed(solved(YACHT), "sees the next roll", 4))


def test_who_looks_at_every_third_roll_only_stands_out_after_a_week():
    found = [each for _, each in weighed(solved(YACHT), "sees it every third time", 7)]
    assert odds(together(found)) >= NOTABLE


def test_the_kinds_are_those_of_the_bench():
    assert (len(HONEST), len(SCOUTS)) == (5, 4)
