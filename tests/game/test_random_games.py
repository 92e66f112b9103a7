"""Whole random games on every sheet, each held against the second statement of the rules.

84 games on each of 24 sheets: 2,016 in a normal run, 48,000 under ``-m soak``.
"""

from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from challenge.errors import BadInput, BadLog, IllegalAction
from challenge.game import game as rules
from challenge.game import log, rulesets, scorecard
from challenge.game.dice import held_positions
from tests.game import reference
from tests.game.play import Loaded, actions, choose, play

GAMES = 84
SOAK_GAMES = 2000

streams = st.builds(
    Loaded,
    st.binary(min_size=32, max_size=32),
    st.just(b"") | st.binary(min_size=1, max_size=40),
)
scripts = st.binary(max_size=20) | st.binary(min_size=80, max_size=160)
every_sheet = pytest.mark.parametrize("sheet", [sheet.id for sheet in rulesets.RULESETS])
quiet = {"deadline": None, "suppress_health_check": list(HealthCheck)}


@every_sheet
@settings(max_examples=GAMES, **quiet)
@given(stream=streams, script=scripts)
def test_a_random_game_obeys_every_rule_from_the_first_roll_to_the_last_box(sheet, stream, script):
    _check_game(rulesets.find(sheet), stream, script)


@pytest.mark.soak
@every_sheet
@settings(max_examples=SOAK_GAMES, **quiet)
@given(stream=streams, script=scripts)
def test_a_great_many_random_games_obey_every_rule(sheet, stream, script):
    _check_game(rulesets.find(sheet), stream, script)


def _check_game(ruleset, stream, script):
    states = play(ruleset, stream, script)
    end = states[-1]
    bookkeeper = Bookkeeper(ruleset.id)
    for before, after in pairwise(states):
        _check_state(before, bookkeeper)
        bookkeeper.note(before, after)
        assert after.total == bookkeeper.total()
        assert after.total >= before.total
        assert after.log[:-1] == before.log
    _check_end(end, states, stream)


def _check_state(game, bookkeeper):
    """Never a dead end; previews and legal boxes are those of the second statement."""
    assert actions(game), "no action is legal before the last box"
    assert game.round == len(bookkeeper.scores) + 1
    placed = rules.placement(game)
    if placed is None:
        return
    offers = reference.offers(
        bookkeeper.sheet, bookkeeper.scores, bookkeeper.fives, game.dice, game.used == 1
    )
    legal = rules.legal_boxes(game)
    assert [game.ruleset.boxes[i].id for i in legal] == list(offers)
    for box, (points, extra) in zip(legal, offers.values(), strict=True):
        assert scorecard.value_in(game.card, box, placed) == points
        assert placed.extra * (placed.extra_boxes >> box & 1) == extra


def _check_end(end, states, stream):
    ruleset = end.ruleset
    assert end.total <= ruleset.max_score
    assert len(end.log) <= ruleset.rounds * (ruleset.rolls_per_turn + 1)
    assert (end.dice, end.rolls_left, end.round) == (None, 0, ruleset.rounds)
    assert log.from_text(log.to_text(end.log)) == end.log
    assert bytes(log.encode(log.decode(byte)) for byte in end.log) == end.log
    for ply in range(0, len(states), 7):
        assert rules.replay(ruleset, stream, end.log[:ply]) == states[ply]
    assert rules.replay(ruleset, stream, end.log) == end


class Bookkeeper:
    """Keeps a game's scores, extras and all-equal turns by the second statement alone."""

    def __init__(self, sheet_id):
        self.sheet = reference.SHEETS[sheet_id]
        self.scores = {}
        self.extras = {}
        self.fives = 0

    def note(self, before, after):
        """Book the action between two states; a preview must be what the entry wrote."""
        action = log.decode(after.log[-1])
        if isinstance(action, log.Roll):
            return _check_roll(before, after)
        box = before.ruleset.boxes[action.box].id
        offer = reference.offers(self.sheet, self.scores, self.fives, before.dice, before.used == 1)
        points, extra = offer[box]
        assert after.card.scores[action.box] == points
        column = reference.column_of(box)
        self.scores[box] = points
        self.extras[column] = self.extras.get(column, 0) + extra
        self.fives += len(set(before.dice)) == 1
        return None

    def total(self):
        """The sum of the parts."""
        return reference.total(self.sheet, self.scores, self.extras)


def _check_roll(before, after):
    for position in held_positions(after.hold):
        assert after.dice[position] == before.dice[position]
    assert after.rolls == before.rolls + 1
    assert after.rolls_left == before.rolls_left - 1
    assert after.total == before.total


@every_sheet
@settings(max_examples=20, **quiet)
@given(seed=st.binary(min_size=32, max_size=32), script=scripts, other=scripts)
def test_what_a_player_holds_never_changes_what_the_stream_deals(sheet, seed, script, other):
    """Roll k shows block k in every position not held, whoever plays and however."""
    ruleset = rulesets.find(sheet)
    stream = Loaded(seed, b"")
    for states in (play(ruleset, stream, script), play(ruleset, stream, other)):
        for before, after in pairwise(states):
            if after.rolls > before.rolls:
                block = Loaded(seed, b"").block(before.rolls, ruleset.dice)
                kept = held_positions(after.hold)
                thrown = [i for i in range(ruleset.dice) if i not in kept]
                assert all(after.dice[i] == block[i] for i in thrown)


@every_sheet
@settings(max_examples=15, **quiet)
@given(
    stream=streams,
    script=scripts,
    where=st.integers(min_value=0),
    byte=st.integers(min_value=0, max_value=255),
)
def test_a_corrupt_log_raises_or_is_another_game_of_the_same_sheet(
    sheet, stream, script, where, byte
):
    ruleset = rulesets.find(sheet)
    good = play(ruleset, stream, script)[-1].log
    at = where % len(good)
    bad = bytes((*good[:at], byte, *good[at + 1 :]))
    wrong_at, game = _replay_or_ply(ruleset, stream, bad)
    if game is None:
        assert at <= wrong_at < len(bad)
    else:
        assert game.log == bad
        assert game.total <= ruleset.max_score


def _replay_or_ply(ruleset, stream, bad):
    try:
        return None, rules.replay(ruleset, stream, bad)
    except BadLog as error:
        return error.ply, None


@every_sheet
@settings(max_examples=6, **quiet)
@given(stream=streams, script=scripts)
def test_in_every_state_each_byte_is_a_legal_action_or_refused_with_its_code(sheet, stream, script):
    """All 256 bytes in every third state of a game: none is forgotten, none changes a state."""
    for game in play(rulesets.find(sheet), stream, script)[::3]:
        legal = {log.encode(action) for action in actions(game)}
        before = tuple(game)
        for byte in range(256):
            code = _refusal(game, byte)
            assert (code is None) == (byte in legal)
            if code is not None:
                assert _code_of(game, stream, byte) == code
        assert tuple(game) == before


def _refusal(game, byte):
    """Why an action byte is refused, by the words of API.md; None where it is legal."""
    box, hold = byte, byte & 63
    if byte >= 128 or (byte < 64 and box >= game.ruleset.rounds):
        return "bad-input"
    if game.finished:
        return "game_finished"
    if byte & 64:
        return _roll_refusal(game, hold)
    if game.card.scores[box] is not None:
        return "box_filled"
    if game.dice is None:
        return "roll_first"
    return None if box in rules.legal_boxes(game) else "box_barred"


def _roll_refusal(game, hold):
    if game.dice is None:
        return "first_roll_takes_all_dice" if hold else None
    if game.rolls_left == 0:
        return "no_rolls_left"
    return "nothing_to_roll" if hold >= 2**game.ruleset.dice - 1 else None


def _code_of(game, stream, byte):
    try:
        rules.apply(game, stream, log.decode(byte))
    except IllegalAction as error:
        return error.reason
    except BadInput:
        return "bad-input"
    return None


@every_sheet
@settings(max_examples=15, **quiet)
@given(stream=streams, script=scripts)
def test_a_finished_game_takes_no_further_action(sheet, stream, script):
    ruleset = rulesets.find(sheet)
    end = play(ruleset, stream, script)[-1]
    for byte in (log.ROLL, log.ROLL | 1, 0, ruleset.rounds - 1, 200):
        with pytest.raises(BadLog) as refused:
            rules.replay(ruleset, stream, end.log + bytes((byte,)))
        assert refused.value.ply == len(end.log)


def test_a_game_played_with_one_roll_a_turn_needs_two_plies_a_box(ruleset):
    states = play(ruleset, Loaded(bytes(32), b""), b"")
    assert len(states) - 1 == 2 * ruleset.rounds
    assert choose(states[0], 0) == log.Roll(0)
