"""Rulesets: what sheets there are and what they hold."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response

from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.web import i18n
from challenge.web.api.answers import answer, finished, language
from challenge.web.current import services

routes = Blueprint("rulesets", __name__)


@routes.get("/rulesets")
def list_rulesets() -> Response:
    """Every sheet new days offer, and the default one."""
    settings = services().settings
    offered = [r for r in rulesets.RULESETS if r.id in settings.rulesets]
    return finished(
        answer(
            {
                "default": settings.default_ruleset,
                "rulesets": [describe(ruleset, language()) for ruleset in offered],
            }
        )
    )


@routes.get("/rulesets/<id>")
def get_ruleset(id: str) -> Response:
    """One sheet, offered or not."""
    return finished(answer(describe(rulesets.find(id), language())))


def describe(ruleset: Ruleset, language: str) -> dict[str, Any]:
    """A sheet as API.md has it, names in this language."""
    return {
        "id": ruleset.id,
        "name": i18n.sheet_name(ruleset, language),
        "dice": ruleset.dice,
        "rounds": ruleset.rounds,
        "rolls_per_turn": ruleset.rolls_per_turn,
        "order": ruleset.order,
        "family": ruleset.family,
        "columns": ruleset.columns,
        "banked_rolls": ruleset.banked_rolls,
        "boxes": [
            {
                "box": box.id,
                "category": box.category.id,
                "column": box.column + 1,
                "section": box.category.section,
                "name": i18n.box_name(ruleset, box.category, language),
                "values": box.category.values,
            }
            for box in ruleset.boxes
        ],
        "upper_bonus": ruleset.upper_bonus and asdict(ruleset.upper_bonus),
        "extra_bonus": ruleset.extra_bonus and asdict(ruleset.extra_bonus),
        "joker": ruleset.joker and asdict(ruleset.joker),
        "max_score": ruleset.max_score,
    }
