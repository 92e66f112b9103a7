"""What the rules forbid: each refusal with its code, and nothing changed."""

import pytest

from challenge.errors import BadInput, BadLog, IllegalAction
from challenge.game import game as rules
from challenge.game import log, rulesets
from challenge.game.stream import Stream
from tests.game.play import Dealt, deal

STREAM = Stream(bytes(32))


def _refused(act):
    with pytest.raises(IllegalAction) as refused:
        act()
    return refused.value.reason


def test_the_first_roll_of_a_turn_holds_nothing(ruleset):
    game = rules.start(ruleset)
    assert _refused(lambda: rules.roll(game, STREAM, 1)) == "first_roll_takes_all_dice"
    game = rules.score(rules.roll(game, STREAM, 0), 0)
    all_dice = (1 << ruleset.dice) - 1
    assert _refused(lambda: rules.roll(game, STREAM, all_dice)) == "first_roll_takes_all_dice"


def test_a_roll_that_holds_every_die_is_refused(ruleset):
    game = rules.roll(rules.start(ruleset), STREAM, 0)
    all_dice = (1 << ruleset.dice) - 1
    assert _refused(lambda: rules.roll(game, STREAM, all_dice)) == "nothing_to_roll"
    assert _refused(lambda: rules.roll(game, STREAM, all_dice + 1)) == "nothing_to_roll"


def test_a_fourth_roll_is_refused_even_where_it_would_hold_everything(ruleset):
    game = rules.start(ruleset)
    for _ in range(3):
        game = rules.roll(game, STREAM, 0)
    assert game.rolls_left == 0
    assert _refused(lambda: rules.roll(game, STREAM, 0)) == "no_rolls_left"
    assert _refused(lambda: rules.roll(game, STREAM, 31)) == "no_rolls_left"


def test_nothing_is_scored_before_the_first_roll_of_a_turn(ruleset):
    game = rules.start(ruleset)
    assert _refused(lambda: rules.score(game, 0)) == "roll_first"
    game = rules.score(rules.roll(game, STREAM, 0), 0)
    assert _refused(lambda: rules.score(game, 1)) == "roll_first"


def test_a_filled_box_is_refused_before_and_after_the_roll(ruleset):
    game = rules.score(rules.roll(rules.start(ruleset), STREAM, 0), 0)
    assert _refused(lambda: rules.score(game, 0)) == "box_filled"
    game = rules.roll(game, STREAM, 0)
    assert _refused(lambda: rules.score(game, 0)) == "box_filled"


def test_a_box_the_sheet_does_not_have_is_bad_input_not_a_rule(ruleset):
    game = rules.roll(rules.start(ruleset), STREAM, 0)
    for box in (-1, ruleset.rounds, 1000):
        with pytest.raises(BadInput):
            rules.score(game, box)


@pytest.mark.parametrize("sheet", [s.id for s in rulesets.RULESETS if s.order == "fixed"])
def test_in_order_only_the_next_box_is_open(sheet):
    game = rules.roll(rules.start(rulesets.find(sheet)), STREAM, 0)
    assert rules.legal_boxes(game) == [0]
    assert rules.placement(game).reason == "next_only"
    assert _refused(lambda: rules.score(game, 1)) == "box_barred"


def test_the_ladder_bars_every_box_but_the_matching_one():
    yacht = rulesets.find("yacht")
    five_sixes = (6,) * 5
    game = deal(yacht, [(five_sixes, "yatzy")])
    game = rules.roll(game, Dealt(five_sixes, five_sixes), 0)
    assert [yacht.boxes[i].id for i in rules.legal_boxes(game)] == ["sixes"]
    assert rules.placement(game).reason == "must_matching"
    assert _refused(lambda: rules.score(game, yacht.index["chance"])) == "box_barred"


def test_each_step_of_the_ladder_says_why_boxes_are_barred():
    yacht = rulesets.find("yacht")
    six, plain = (6,) * 5, (1, 2, 2, 3, 6)
    lower = ["three_kind", "four_kind", "full_house", "small_straight", "large_straight", "chance"]
    turns = [(six, "yatzy"), (six, "sixes")]
    assert _reason(yacht, turns, six) == "joker_lower"
    turns += [(plain, box) for box in lower]
    assert _reason(yacht, turns, six) == "zero_upper"
    assert _reason(yacht, turns, plain) == "choose"
    assert _reason(yacht, turns, (1,) * 5) == "must_matching"


def test_the_free_joker_is_an_offer_and_the_extra_has_its_own_word():
    six = (6,) * 5
    taken = [(six, "yatzy"), (six, "sixes")]
    assert _reason(rulesets.find("yams-joker"), taken, six) == "joker_offer"
    assert _reason(rulesets.find("yams-joker-premium"), taken, six) == "joker_offer"
    assert _reason(rulesets.find("yams-premium"), taken, six) == "extra_points"
    assert _reason(rulesets.find("yams"), taken, six) == "choose"


def _reason(ruleset, turns, dice):
    game = deal(ruleset, turns)
    stream = Dealt(*([dice] * (game.rolls + 1)))
    return rules.placement(rules.roll(game, stream, 0)).reason


def test_a_refused_action_changes_nothing(ruleset):
    game = rules.roll(rules.start(ruleset), STREAM, 0)
    before = (game, game.log, game.card.scores, game.total)
    for act in (
        lambda: rules.roll(game, STREAM, 31 if ruleset.dice == 5 else 63),
        lambda: rules.score(rules.score(game, 0), 0),
    ):
        _refused(act)
    assert (game, game.log, game.card.scores, game.total) == before


def test_a_player_who_stops_early_reads_the_next_block(ruleset):
    n = ruleset.dice
    early = rules.score(rules.roll(rules.start(ruleset), STREAM, 0), 0)
    assert rules.roll(early, STREAM, 0).dice == STREAM.block(1, n)
    late = rules.start(ruleset)
    for hold in (0, 1, 3):
        late = rules.roll(late, STREAM, hold)
    late = rules.score(late, 0)
    assert rules.roll(late, STREAM, 0).dice == STREAM.block(3, n)


def test_saved_rolls_may_all_be_used_in_one_later_turn():
    saved = rulesets.find("maxi-yatzy-saved")
    game = rules.start(saved)
    for box in range(3):
        game = rules.score(rules.roll(game, STREAM, 0), box)
    assert game.bank == 6
    for _ in range(9):
        game = rules.roll(game, STREAM, 0)
    assert _refused(lambda: rules.roll(game, STREAM, 0)) == "no_rolls_left"
    assert rules.score(game, 3).bank == 0


@pytest.mark.parametrize(
    ("bad", "ply"),
    [
        (b"\x00", 0),
        (b"\x41", 0),
        (b"\x40\x5f", 1),
        (b"\x40\x40\x40\x40", 3),
        (b"\x40\x0d", 1),
        (b"\x40\x3f", 1),
        (b"\x40\x00\x00", 2),
        (b"\x40\x00\x40\x00", 3),
        (b"\x80", 0),
        (b"\x40\xff", 1),
        (b"\x40\x60", 1),
    ],
)
def test_a_log_no_game_could_have_produced_names_the_ply_that_is_wrong(bad, ply):
    with pytest.raises(BadLog) as refused:
        rules.replay(rulesets.find("yacht"), STREAM, bad)
    assert refused.value.ply == ply


@pytest.mark.parametrize(
    "text", ["=", "QA==", "QB", "Q", "Q A", "Q+A_", "ä", "QEA\n", "A" * 400, "QA\x00", "\ud800"]
)
def test_a_log_text_that_is_not_canonical_base64url_is_refused(text):
    with pytest.raises(BadInput):
        log.from_text(text)


@pytest.mark.parametrize("byte", [-1, 128, 255, 300])
def test_a_byte_that_is_no_action_is_refused(byte):
    with pytest.raises(BadInput):
        log.decode(byte)
