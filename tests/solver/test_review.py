"""Reviews: the books balance, the best play gives nothing away, every decision is priced."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenge.errors import BadLog, NotFinished
from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.log import Entry, Roll, decode, encode
from challenge.game.stream import Stream
from challenge.solver.review import Review, review
from challenge.solver.skill import Skill
from challenge.solver.turn import Turn
from tests.game.play import Loaded, actions, play
from tests.solver.brute import Brute
from tests.solver.conftest import solved
from tests.solver.sheets import SMALL

PENNY = 1e-6
EVERY = 500  # games of each solved sheet in the long run
DAILY = ("yacht-12", "yatzy-order", "generala")  # sheets whose tables are quick to make


def seeds(sheet, count):
    """Streams, every other one full of equal dice, and bytes that choose a random game on each."""
    for n in range(count):
        drawn = hashlib.shake_256(f"{sheet.id} {n}".encode()).digest(152)
        stream = Loaded(drawn[:32], drawn[-20:]) if n % 2 else Stream(drawn[:32])
        yield stream, drawn[32:-20]


def played(sheet, stream, script):
    """The log of a random game, by the script's bytes."""
    return play(sheet, stream, script)[-1].log


def assert_balanced(found: Review) -> None:
    """Mean, luck and what was given away make the total; nothing is ever won by a decision."""
    mean, luck, given_away = found.skill
    assert mean + luck - given_away == pytest.approx(found.total, abs=PENNY)
    assert all(decision.given_away >= 0 for decision in found.decisions)


@given(
    sheet=st.sampled_from(SMALL),
    script=st.binary(max_size=40),
    seed=st.binary(min_size=32, max_size=32),
    loads=st.binary(max_size=9),
)
def test_the_books_of_any_game_balance(sheet, script, seed, loads):
    stream = Loaded(seed, loads)
    log = played(sheet, stream, script)
    found = review(solved(sheet), stream, log)
    assert_balanced(found)
    assert found.total == rules.replay(sheet, stream, log).total


@pytest.mark.parametrize("name", DAILY)
def test_the_books_of_games_on_real_sheets_balance(name):
    sheet = rulesets.find(name)
    for stream, script in seeds(sheet, 15):
        assert_balanced(review(solved(sheet), stream, played(sheet, stream, script)))


@pytest.mark.soak
def test_the_books_of_500_games_of_every_solved_sheet_balance(exact):
    for stream, script in seeds(exact, EVERY):
        assert_balanced(review(solved(exact), stream, played(exact, stream, script)))


def test_every_decision_and_every_roll_of_a_game_is_told_once():
    sheet = rulesets.find("generala")
    ((stream, script),) = seeds(sheet, 1)
    log = played(sheet, stream, script)
    found = review(solved(sheet), stream, log)
    rolls = [ply for ply, byte in enumerate(log) if isinstance(decode(byte), Roll)]
    assert [roll.ply for roll in found.rolls] == rolls
    state, decided = rules.start(sheet), []
    for ply, byte in enumerate(log):
        if state.dice is not None:
            decided.append((ply, state.dice, state.used, decode(byte)))
        state = rules.apply(state, stream, decode(byte))
    told = [(each.ply, each.dice, each.used, each.played) for each in found.decisions]
    assert told == decided


def test_who_plays_the_best_of_everything_gives_nothing_away(small):
    table, stream = solved(small), Stream(bytes(range(32)))
    game = rules.start(small)
    while not game.finished:
        action = Roll(0)
        if game.dice is not None:
            action, _ = Turn(table, game.card).best(game.dice, game.used)
        game = rules.apply(game, stream, action)
    found = review(table, stream, game.log)
    assert found.skill.given_away == 0
    assert (found.skill.share, found.skill.percent) == (1, 100)
    assert all(decision.best == decision.played for decision in found.decisions)
    assert found.skill.luck == pytest.approx(found.total - table.mean, abs=PENNY)


def test_decisions_as_good_as_the_best_cost_nothing_and_are_the_best_themselves():
    sheet = rulesets.find("yacht-12")
    table, opening = solved(sheet), Turn(solved(sheet), rules.start(sheet).card)
    twins = 0
    for n in range(20):
        stream = Stream(bytes((n,)) * 32)
        game = rules.roll(rules.start(sheet), stream, 0)
        holds = opening.holds(game.dice, 1)
        best = [mask for mask, value in holds.items() if value == max(holds.values())]
        twins += len(best) > 1
        for mask in best:
            found = review(table, stream, _finished(sheet, stream, game, Roll(mask)))
            assert found.decisions[0].given_away == 0
            assert found.decisions[0].best == Roll(mask)
    assert twins


def _finished(sheet, stream, game, action):
    """The log of a game that goes on with this action and then takes what comes first."""
    game = rules.apply(game, stream, action)
    while not game.finished:
        game = rules.apply(game, stream, actions(game)[0])
    return game.log


def test_what_a_decision_costs_is_what_brute_force_finds():
    sheet = next(sheet for sheet in SMALL if sheet.id == "forced joker")
    brute, stream = Brute(sheet), Stream(bytes(32))
    log = played(sheet, stream, bytes(range(0, 200, 9)))
    state = rules.start(sheet)
    costs = {each.ply: each for each in review(solved(sheet), stream, log).decisions}
    checked = 0
    for ply, byte in enumerate(log):
        action = decode(byte)
        if state.dice is not None and isinstance(action, Entry):
            after = rules.apply(state, stream, action)
            value = after.total if after.finished else brute.value(after.card)
            assert costs[ply].value_played == pytest.approx(value, abs=PENNY)
            checked += 1
        state = rules.apply(state, stream, action)
    assert checked == len(sheet.boxes)


def test_a_game_that_goes_on_or_is_none_has_no_review():
    sheet = rulesets.find("generala")
    ((stream, script),) = seeds(sheet, 1)
    log = played(sheet, stream, script)
    with pytest.raises(NotFinished):
        review(solved(sheet), stream, log[:-1])
    with pytest.raises(BadLog):
        review(solved(sheet), stream, log + bytes((encode(Roll(0)),)))


@pytest.mark.parametrize(
    ("given_away", "percent"), [(0, 100), (0.001, 99), (2.4, 99), (10, 96), (12.6, 94), (300, 0)]
)
def test_skill_is_the_share_of_the_mean_that_was_kept_rounded_down(given_away, percent):
    assert Skill(optimal_mean=250, luck=3, given_away=given_away).percent == percent
