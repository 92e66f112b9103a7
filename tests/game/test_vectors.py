"""The golden data of the rules, case by case."""

import pytest

from challenge.errors import IllegalAction
from challenge.game import game as rules
from challenge.game import rulesets, scorecard
from challenge.game.dice import hold_mask
from challenge.game.stream import Stream, commitment_of, seed_of
from tests.vectors import load

SCORING = load("scoring")
ENTRIES = [case for case in SCORING if case["category"] not in ("upper_bonus", "total")]
SUMS = [case for case in SCORING if case["category"] in ("upper_bonus", "total")]
TURNS = load("turns")


def _name(case):
    return f"{case['ruleset']}-{case['category']}-{''.join(map(str, case['dice']))}"


def _card(case):
    """The sheet of a case; its extras are points, of the only column or per column from 1."""
    ruleset = rulesets.find(case["ruleset"])
    state = case.get("state", {})
    extras = state.get("extras", 0)
    per_column = extras if isinstance(extras, dict) else {"1": extras}
    each = ruleset.extra_bonus.points if ruleset.extra_bonus else 1
    counts = {int(column) - 1: points // each for column, points in per_column.items()}
    return scorecard.filled(
        ruleset, state.get("scores", {}), counts, fives=state.get("fives_before", 0)
    )


@pytest.mark.parametrize("case", ENTRIES, ids=_name)
def test_a_throw_is_legal_and_scores_as_the_golden_data_say(case):
    card = _card(case)
    box = card.ruleset.index[case["category"]]
    served = case.get("state", {}).get("first_roll", False)
    placed = scorecard.placement(card, tuple(case["dice"]), served)
    assert bool(placed.legal >> box & 1) is case["legal"]
    if case["legal"]:
        assert scorecard.value_in(card, box, placed) == case["score"]
    if "bonus" in case:
        assert (placed.extra if placed.extra_boxes >> box & 1 else 0) == case["bonus"]


@pytest.mark.parametrize("case", SUMS, ids=_name)
def test_bonus_and_total_are_what_the_golden_data_say(case):
    card = _card(case)
    if case["category"] == "total":
        assert scorecard.total(card) == case["score"]
    else:
        assert sum(column.bonus for column in scorecard.column_totals(card)) == case["score"]


class FixedStream:
    """The written-out stream of the turn examples."""

    def block(self, k, n):
        return tuple(TURNS["stream"][n * k : n * k + n])


@pytest.mark.parametrize("example", TURNS["examples"], ids=lambda example: example["title"])
def test_a_turn_reads_the_stream_as_the_example_shows(example):
    sheet = {(5, False): "yatzy", (6, False): "maxi-yatzy", (6, True): "maxi-yatzy-saved"}
    game = rules.start(rulesets.find(sheet[example["dice"], example["bank"]]))
    for step in example["steps"]:
        game = _step(game, step)
        assert game.rolls * example["dice"] == step.get("cursor", game.rolls * example["dice"])
        assert game.bank == step.get("bank", game.bank)


def _step(game, step):
    if "error" in step:
        with pytest.raises(IllegalAction) as refused:
            _act(game, step)
        assert refused.value.reason == step["error"]
        return game
    after = _act(game, step)
    if step["op"] == "roll":
        assert after.dice == tuple(step["dice"])
        assert after.used == step["rolls_used"]
    return after


def _act(game, step):
    if step["op"] == "roll":
        return rules.roll(game, FixedStream(), hold_mask(step["held"]))
    first_open = (game.card.open & -game.card.open).bit_length() - 1
    return rules.score(game, first_open)


@pytest.mark.parametrize(
    "case", load("stream")["vectors"], ids=lambda c: f"{c['date']}-{c['ruleset']}"
)
def test_secret_date_and_sheet_give_the_golden_seed_commitment_and_values(case):
    from challenge.daily.calendar import parse_date

    seed = seed_of(case["secret"].encode(), parse_date(case["date"]), case["ruleset"])
    assert seed.hex() == case["seed"]
    assert commitment_of(seed) == case["commitment"]
    assert list(Stream(seed).values(90)) == case["first_90"]


def test_every_sheet_has_exactly_the_legal_values_of_the_golden_data():
    ours = {
        sheet.id: {category.id: list(category.values) for category in sheet.categories}
        for sheet in rulesets.RULESETS
    }
    assert ours == load("legal_values")


@pytest.mark.parametrize(
    "case", load("pad"), ids=lambda c: f"{c['ruleset']}-{c['category']}-{c['value']}"
)
def test_a_score_pad_accepts_a_number_only_where_the_box_can_hold_it(case):
    sheet = rulesets.find(case["ruleset"])
    category = next(c for c in sheet.categories if c.id == case["category"])
    assert (case["value"] in category.values) is case["legal"]
