"""The sheets as data: every field against the golden data, and recomputed where it follows."""

import dataclasses
import re

import pytest

from challenge.errors import UnknownRuleset
from challenge.game import rulesets
from challenge.game.dice import throws
from tests.game import reference
from tests.vectors import load

GOLDEN = load("rulesets")
BY_ID = pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden["id"])


def test_the_sheets_stand_in_the_order_of_the_golden_data():
    assert [sheet.id for sheet in rulesets.RULESETS] == [golden["id"] for golden in GOLDEN]


@BY_ID
def test_every_field_of_a_sheet_is_that_of_the_golden_data(golden):
    sheet = rulesets.find(golden["id"])
    ours = {
        "id": sheet.id,
        "name_en": sheet.name,
        "short_en": sheet.short,
        "family": sheet.family,
        "dice": sheet.dice,
        "rounds": sheet.rounds,
        "rolls_per_turn": sheet.rolls_per_turn,
        "columns": list(sheet.columns),
        "order": sheet.order,
        "banked_rolls": sheet.banked_rolls,
        "max_score": sheet.max_score,
        "upper_bonus": _as_dict(sheet.upper_bonus),
        "extra_bonus": _as_dict(sheet.extra_bonus),
        "joker": _as_dict(sheet.joker),
    }
    named_by_the_catalogue_or_prose = {"name_de", "short_de", "note", "boxes"}
    assert ours == {k: v for k, v in golden.items() if k not in named_by_the_catalogue_or_prose}


@BY_ID
def test_every_box_of_a_sheet_is_that_of_the_golden_data(golden):
    sheet = rulesets.find(golden["id"])
    assert len(sheet.categories) == len(golden["boxes"])
    for category, box in zip(sheet.categories, golden["boxes"], strict=True):
        assert (category.id, category.name, category.section) == (
            box["id"],
            box["en"],
            box["section"],
        )
        _check_pattern(category, box)


def _as_dict(value):
    return None if value is None else dataclasses.asdict(value)


def _check_pattern(category, box):
    pattern = dataclasses.asdict(category.pattern)
    if box["rule"] == "gen":
        assert pattern["fixed"] == box["points"]
        assert (category.served or pattern["fixed"]) == box["served"]
        assert category.needs == ("yatzy" if box["pattern"] == "double" else None)
        return
    written = {"rule": re.sub(r"(?<!^)([A-Z])", r"_\1", type(category.pattern).__name__).lower()}
    if "a" in pattern:
        written["groups"] = [pattern["a"], pattern["b"]]
    written |= {"points" if k == "fixed" else k: v for k, v in pattern.items() if k not in "ab"}
    facts = {k: v for k, v in box.items() if k not in ("id", "de", "en", "section")}
    assert {k: list(v) if isinstance(v, tuple) else v for k, v in written.items()} == facts
    assert category.served is None
    assert category.needs is None


@BY_ID
def test_every_throw_gives_in_every_box_what_the_second_statement_says(golden):
    sheet = rulesets.find(golden["id"])
    for dice in throws(sheet.dice):
        for first in (False, True):
            theirs = tuple(reference.natural(golden, box.id, dice, first) for box in sheet.boxes)
            assert sheet.values_of(dice, first) == theirs


@BY_ID
def test_the_order_of_the_dice_never_matters(golden):
    sheet = rulesets.find(golden["id"])
    for dice in throws(sheet.dice):
        for category in sheet.categories:
            assert category.pattern.points(dice[::-1]) == category.pattern.points(dice)


@BY_ID
def test_the_legal_values_of_each_box_are_the_values_some_throw_gives(golden):
    sheet = rulesets.find(golden["id"])
    for category, box in zip(sheet.categories, golden["boxes"], strict=True):
        assert category.values == sheet.reachable_values(category)
        assert category.values == _reachable(golden, box)


def _reachable(golden, box):
    found = {0}
    for dice in throws(golden["dice"]):
        found |= {reference.natural(golden, box["id"], dice, first) for first in (False, True)}
    if golden["joker"] and box["rule"] in reference.JOKERS:
        found.add(box["points"])
    return tuple(sorted(found))


def test_an_unknown_sheet_is_named_in_the_error():
    with pytest.raises(UnknownRuleset, match="yahoo"):
        rulesets.find("yahoo")


def test_a_fingerprint_finds_its_sheet_and_no_two_sheets_share_one():
    assert len({sheet.fingerprint for sheet in rulesets.RULESETS}) == len(rulesets.RULESETS)
    for sheet in rulesets.RULESETS:
        assert rulesets.find_edition(sheet.fingerprint) is sheet
    assert rulesets.find_edition("0" * 64) is None


def test_names_do_not_change_a_fingerprint_and_rules_do():
    yacht = rulesets.find("yacht")
    renamed = dataclasses.replace(yacht, name="Other", short="Other", _cache={})
    changed = dataclasses.replace(yacht, rolls_per_turn=4, _cache={})
    assert renamed.fingerprint == yacht.fingerprint
    assert changed.fingerprint != yacht.fingerprint


def test_the_log_can_name_every_box_of_every_sheet():
    assert all(sheet.rounds <= 64 for sheet in rulesets.RULESETS)
