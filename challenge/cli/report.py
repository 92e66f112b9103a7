"""Games and dice as the commands print them: facts for JSON, lines for people.

Positions of dice count from 0 in JSON, as everywhere in the API, and from 1 in the lines.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from challenge.game import game as rules
from challenge.game import log, scorecard
from challenge.game.dice import Dice, held_positions
from challenge.game.game import Game
from challenge.game.log import Action, Roll
from challenge.game.ruleset import Ruleset
from challenge.game.stream import Stream

Facts = dict[str, Any]


def say(facts: Any, lines: Iterator[str] | list[str], as_json: bool) -> None:
    """Print one or the other to stdout."""
    if as_json:
        click.echo(json.dumps(facts, indent=2, ensure_ascii=False))
    else:
        for line in lines:
            click.echo(line)


def most_rolls(sheet: Ruleset) -> int:
    """The rolls a game can make at most; saved rolls only move them to another turn."""
    return sheet.rounds * sheet.rolls_per_turn


def blocks(sheet: Ruleset, seed: bytes, count: int) -> list[Dice]:
    """What the first ``count`` rolls of a game read."""
    stream = Stream(seed)
    return [stream.block(k, sheet.dice) for k in range(count)]


def block_lines(dealt: list[Dice]) -> Iterator[str]:
    """One line a roll, counted from 1."""
    for number, dice in enumerate(dealt, start=1):
        yield f"roll {number:3}   {faces(dice)}"


def faces(dice: Dice) -> str:
    """``3 1 6 6 2``."""
    return " ".join(map(str, dice))


def steps(sheet: Ruleset, seed: bytes, played: bytes) -> list[tuple[Action, Game, Game]]:
    """Every action of a log with the state before and after it.

    Raises:
        BadLog: the log is not a game of this sheet on this seed.
    """
    stream = Stream(seed)
    rules.replay(sheet, stream, played)
    found = []
    game = rules.start(sheet)
    for byte in played:
        action = log.decode(byte)
        before, game = game, rules.apply(game, stream, action)
        found.append((action, before, game))
    return found


def step_facts(action: Action, before: Game, after: Game) -> Facts:
    """One action: the Action of the API, the dice it left or took, its score, the new total."""
    facts: Facts = {"ply": before.ply, "action": _action_facts(action, after)}
    facts["dice"] = after.dice if isinstance(action, Roll) else before.dice
    facts["score"] = None if isinstance(action, Roll) else after.card.scores[action.box]
    facts["total"] = after.total
    return facts


def _action_facts(action: Action, game: Game) -> Facts:
    if isinstance(action, Roll):
        return {"roll": {"hold": held_positions(action.hold)}}
    return {"score": {"box": game.ruleset.boxes[action.box].id}}


def step_line(action: Action, before: Game, after: Game) -> str:
    """The same for people: ``roll, hold 3 4   5 6 6 6 6``."""
    if isinstance(action, Roll):
        held = " ".join(str(position + 1) for position in held_positions(action.hold))
        words = f"roll, hold {held}" if held else "roll all dice"
        return f"{before.ply:4}   {words:<24}   {faces(after.dice or ())}"
    score = after.card.scores[action.box]
    words = f"score {after.ruleset.boxes[action.box].id}"
    extra = "  + extra bonus" if after.card.extras != before.card.extras else ""
    dice = faces(before.dice or ())
    return f"{before.ply:4}   {words:<24}   {dice}   {score:3}   total {after.total}{extra}"


def game_facts(game: Game) -> Facts:
    """The score sheet; sums, bonus and extras one per column, in points, before its factor."""
    columns = scorecard.column_totals(game.card)
    scores = zip(game.ruleset.boxes, game.card.scores, strict=True)
    return {
        "log": log.to_text(game.log),
        "boxes": [{"box": box.id, "score": score} for box, score in scores],
        "upper_sum": [column.upper for column in columns],
        "upper_bonus": [column.bonus for column in columns],
        "extra_bonus": [column.extras for column in columns],
        "total": game.total,
        "finished": game.finished,
    }


def game_lines(game: Game) -> Iterator[str]:
    """The score sheet, column after column, and its total."""
    width = len(game.ruleset.categories)
    cells = list(zip(game.ruleset.boxes, game.card.scores, strict=True))
    for number, column in enumerate(scorecard.column_totals(game.card)):
        for box, score in cells[number * width : (number + 1) * width]:
            yield _line(box.id, "-" if score is None else score)
        yield from _bonus_lines(game.ruleset, column, game.ruleset.columns[number])
    yield _line("total", game.total)
    if not game.finished:
        yield f"The game is not finished: {game.card.open.bit_count()} boxes are open."


def _bonus_lines(sheet: Ruleset, column: scorecard.ColumnTotal, factor: int) -> Iterator[str]:
    if sheet.upper_bonus is not None:
        yield _line(
            f"  upper bonus ({column.upper} of {sheet.upper_bonus.threshold})", column.bonus
        )
    if sheet.extra_bonus is not None:
        yield _line("  extra bonus", column.extras)
    if len(sheet.columns) > 1:
        yield _line("  factor of the column", factor)


def _line(words: str, value: object) -> str:
    return f"  {words:<28} {value:>5}"
