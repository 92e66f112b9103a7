"""The best game of a stream: as good as trying everything, playable, and never beaten."""

from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from challenge.errors import NotSolvable
from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.stream import Stream
from challenge.solver.hindsight import hindsight
from tests.game.play import Loaded, play
from tests.marks import long
from tests.solver.sheets import SMALL

SHORT = [sheet for sheet in SMALL if sheet.dice == 3]


def _stream(number):
    """Streams full of all-equal throws and plain ones in turn."""
    loads = bytes((number * 37 + i * 101) % 256 for i in range(7)) if number % 2 else b""
    return Loaded(number.to_bytes(32, "big"), loads)


def _highest(sheet, stream):
    """The highest total, by trying every action of the game in every state."""

    @cache
    def best(card, rolls):
        game = rules.Game(card, b"", rolls, 0, 0, None, 0)
        if game.finished:
            return game.total
        return max(
            best(after.card, after.rolls)
            for turn in _turns(rules.roll(game, stream, 0), stream)
            for after in (rules.score(turn, box) for box in rules.legal_boxes(turn))
        )

    return best(rules.start(sheet).card, 0)


def _turns(game, stream):
    """Every state of a turn in which an entry can be made."""
    yield game
    if game.rolls_left:
        for hold in range((1 << game.ruleset.dice) - 1):
            yield from _turns(rules.roll(game, stream, hold), stream)


def _check(sheet, number):
    stream = _stream(number)
    found = hindsight(sheet, stream)
    assert found.total == _highest(sheet, stream)
    game = rules.replay(sheet, stream, found.log)
    assert game.finished
    assert game.total == found.total


@pytest.mark.parametrize("sheet", SHORT, ids=lambda sheet: sheet.id)
@pytest.mark.parametrize("streams", [range(2), long(range(2, 18))])
def test_the_best_game_is_as_good_as_trying_everything_and_can_be_played(sheet, streams):
    for number in streams:
        _check(sheet, number)


@pytest.mark.parametrize("dice", [5, 6])
def test_with_more_dice_too(dice):
    _check(next(sheet for sheet in SMALL if sheet.dice == dice), 3)


def test_the_log_of_the_best_game_replays_to_its_total(exact):
    stream = Stream(bytes(32))
    found = hindsight(exact, stream)
    game = rules.replay(exact, stream, found.log)
    assert game.finished
    assert game.total == found.total <= exact.max_score


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=9), st.binary(max_size=60))
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("id", ["yacht", "generala", "yatzy-order", "yacht-12"])
def test_no_game_played_on_a_stream_is_better(id, seed, loads, script):
    sheet, stream = rulesets.find(id), Loaded(seed, loads)
    found = hindsight(sheet, stream)
    assert play(sheet, stream, script)[-1].total <= found.total
    assert rules.replay(sheet, stream, found.log).total == found.total


@pytest.mark.parametrize("id", ["maxi-yatzy", "maxi-yatzy-saved", "yacht-triple"])
def test_a_sheet_of_too_many_states_is_refused(id):
    with pytest.raises(NotSolvable):
        hindsight(rulesets.find(id), Stream(bytes(32)))
