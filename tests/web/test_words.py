"""The status line in words, in both languages."""

from __future__ import annotations

import pytest
from flask import Flask

from challenge.game import game as rules
from challenge.game import rulesets, scorecard
from challenge.game.game import Game
from challenge.service.views.games import GameView, game_view
from challenge.web.pages import words

FIVES = (4, 4, 4, 4, 4)


def _view(sheet: str, scores: dict[str, int], dice: tuple[int, ...] | None, used: int) -> GameView:
    card = scorecard.filled(rulesets.find(sheet), scores, fives=1)
    state = Game(card, b"\x40", 1, used, 0, dice, 0)
    return game_view(state, date="2026-11-30", number=334, mode="daily", standing=None)


@pytest.mark.parametrize(
    ("dice", "mask", "english", "german"),
    [
        (
            (2, 6, 5, 6, 3),
            0b01010,
            "Two sixes stay, three dice roll again.",
            "Zwei Sechser bleiben, drei Würfel rollen neu.",
        ),
        (
            (2, 6, 5, 6, 3),
            0b00001,
            "A two stays, four dice roll again.",
            "Ein Zweier bleibt, vier Würfel rollen neu.",
        ),
        (
            (1, 1, 5, 6, 6),
            0b11110,
            "Two sixes, a five and a one stay, one die rolls again.",
            "Zwei Sechser, ein Fünfer und ein Einser bleiben, ein Würfel rollt neu.",
        ),
        (
            (3, 3, 3, 4, 4, 4),
            0b111000,
            "Three fours stay, three dice roll again.",
            "Drei Vierer bleiben, drei Würfel rollen neu.",
        ),
        (
            (3, 3, 3, 4, 4),
            0b11111,
            "Every die is held. Let at least one go, or choose a box.",
            "Du hältst alle Würfel. Lass einen los oder wähl ein Feld.",
        ),
        (
            (3, 3, 3, 4, 4),
            0,
            "Pick the dice to keep, or choose a box.",
            "Such aus, was liegen bleibt, oder wähl ein Feld.",
        ),
    ],
)
def test_what_stays_and_what_rolls_is_said_in_words(
    app: Flask, dice: tuple[int, ...], mask: int, english: str, german: str
) -> None:
    for language, said in (("en", english), ("de", german)):
        with app.test_request_context(f"/?lang={language}"):
            assert words.hold_words(dice, mask) == said


@pytest.mark.parametrize(
    ("sheet", "scores", "said"),
    [
        (
            "yacht",
            {"yatzy": 50},
            "All dice are equal: they belong in their own upper box. It brings 100 extra.",
        ),
        (
            "yacht",
            {"yatzy": 0, "fours": 8},
            "Its upper box is full: this throw is a joker for any lower box.",
        ),
        ("yams-premium", {"yatzy": 50}, "It brings 100 extra."),
        ("german-block", {"yatzy": 50, "fours": 8}, "Its upper box is full: this throw is a joker"),
        ("yacht-plain", {"yatzy": 50}, "Pick the dice to keep, or choose a box."),
        ("yatzy-order", {}, "This sheet is filled in order: only the next box is open."),
    ],
)
def test_it_is_said_why_boxes_are_barred_and_what_comes_on_top(
    app: Flask, sheet: str, scores: dict[str, int], said: str
) -> None:
    with app.test_request_context("/"):
        view = _view(sheet, scores, FIVES, 1)
        assert words.status(view, rulesets.find(sheet), None).startswith(said)


def test_between_turns_the_last_entry_is_said(app: Flask) -> None:
    yatzy = rulesets.find("yatzy")
    view = _view("yatzy", {"yatzy": 50, "ones": 1}, None, 0)
    with app.test_request_context("/?lang=de"):
        said = words.status(view, yatzy, yatzy.index["yatzy"])
        assert said == "50 Punkte bei „Yatzy“. Weiter mit Runde 3."
        said = words.status(view, yatzy, yatzy.index["ones"])
        assert said == "1 Punkt bei „Einser“. Weiter mit Runde 3."


def test_there_is_a_line_for_every_hold_mask_and_none_when_nothing_can_roll(app: Flask) -> None:
    with app.test_request_context("/"):
        assert len(words.hold_table(_view("maxi-yatzy", {}, (1, 2, 3, 4, 5, 6), 1))) == 64
        assert words.hold_table(_view("yacht", {}, FIVES, 3)) == []
        blank = rules.start(rulesets.find("yacht"))
        view = game_view(blank, date="2026-11-30", number=334, mode="daily", standing=None)
        assert words.hold_table(view) == []
