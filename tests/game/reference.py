"""A second statement of the rules, written against RULES.md alone.

It reads the sheets from ``tests/vectors/rulesets.json`` and imports nothing of the
package, so that both engines would have to be wrong in the same way. It is slow and
literal on purpose: a pattern is looked for in every choice of the dice.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from typing import Any

from tests.vectors import load

Sheet = dict[str, Any]
Throw = tuple[int, ...]
Offer = tuple[int, int]  # points written into the box, points of the extra bonus

SHEETS: dict[str, Sheet] = {sheet["id"]: sheet for sheet in load("rulesets")}


def box_ids(sheet: Sheet) -> list[str]:
    """The boxes in the order of the log: column after column."""
    return _box_ids(sheet["id"])


@cache
def _box_ids(sheet_id: str) -> list[str]:
    sheet = SHEETS[sheet_id]
    ids = [box["id"] for box in sheet["boxes"]]
    many = len(sheet["columns"]) > 1
    return [f"{c}:{i}" for c in range(1, len(sheet["columns"]) + 1) for i in ids] if many else ids


def line_of(sheet: Sheet, box: str) -> dict[str, Any]:
    """The line of the sheet a box belongs to."""
    return _line_of(sheet["id"], box)


@cache
def _line_of(sheet_id: str, box: str) -> dict[str, Any]:
    name = box.rpartition(":")[2]
    return next(line for line in SHEETS[sheet_id]["boxes"] if line["id"] == name)


def column_of(box: str) -> int:
    """0-based column of a box."""
    return int(box.partition(":")[0]) - 1 if ":" in box else 0


def natural(sheet: Sheet, box: str, dice: Throw, first: bool = False) -> int:
    """What the table of a box gives, ``first`` for the first roll of a turn."""
    return _natural(sheet["id"], box.rpartition(":")[2], tuple(sorted(dice)), first)


@cache
def _natural(sheet_id: str, line_id: str, dice: Throw, first: bool) -> int:
    line = line_of(SHEETS[sheet_id], line_id)
    if line["rule"] == "gen":
        found = GENERALA[line["pattern"]](dice)
        return (line["served"] if first else line["points"]) if found else 0
    return ATOMS[line["rule"]](line, dice)


def _equal(choice: Throw) -> bool:
    return len(set(choice)) == 1


def _kinds(line: dict[str, Any], dice: Throw) -> list[Throw]:
    return [choice for choice in combinations(dice, line["n"]) if _equal(choice)]


def _pairs(line: dict[str, Any], dice: Throw) -> list[Throw]:
    n = line["n"]
    choices = [tuple(sorted(choice)) for choice in combinations(dice, 2 * n)]
    return [c for c in choices if c[::2] == c[1::2] and len(set(c)) == n]


def _groups(a: int, b: int, dice: Throw) -> list[Throw]:
    wanted = {tuple(sorted((f,) * a + (g,) * b)) for f, g in permutations(range(1, 7), 2)}
    return [c for c in combinations(tuple(sorted(dice)), a + b) if c in wanted]


def _run(n: int, dice: Throw) -> bool:
    return any(set(range(low, low + n)) <= set(dice) for low in range(1, 8 - n))


ATOMS = {
    "face": lambda line, dice: sum(d for d in dice if d == line["face"]),
    "sum": lambda line, dice: sum(dice),
    "all_equal": lambda line, dice: line["points"] * _equal(dice),
    "kind_all": lambda line, dice: sum(dice) * bool(_kinds(line, dice)),
    "kind_own": lambda line, dice: max(map(sum, _kinds(line, dice)), default=0),
    "pairs_own": lambda line, dice: max(map(sum, _pairs(line, dice)), default=0),
    "pairs_all": lambda line, dice: sum(dice) * bool(_pairs(line, dice)),
    "full_fixed": lambda line, dice: line["points"] * bool(_groups(3, 2, dice)),
    "groups": lambda line, dice: max(map(sum, _groups(*line["groups"], dice)), default=0),
    "contains": lambda line, dice: line["points"] * (set(line["faces"]) <= set(dice)),
    "run": lambda line, dice: line["points"] * _run(line["n"], dice),
}

GENERALA = {
    "straight": lambda dice: sorted(dice) in ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]),
    "full": lambda dice: bool(_groups(3, 2, dice)),
    "four": lambda dice: any(_equal(c) for c in combinations(dice, 4)),
    "five": _equal,
    "double": _equal,
}

JOKERS = ("full_fixed", "run")


def offers(
    sheet: Sheet, scores: dict[str, int], fives: int, dice: Throw, first: bool = False
) -> dict[str, Offer]:
    """Every legal box with what an entry there gives (RULES.md sections 2 and 3)."""
    free = [box for box in box_ids(sheet) if box not in scores]
    if sheet["order"] == "fixed":
        free = free[:1]
    legal, joker = _placed(sheet, scores, fives, dice, free)
    found = {}
    for box in legal:
        points = natural(sheet, box, dice, first)
        line = line_of(sheet, box)
        if line.get("pattern") == "double" and not scores.get("yatzy"):
            points = 0
        if joker and line["rule"] in JOKERS:
            points = int(line["points"])
        found[box] = (points, _extra(sheet, scores, box, dice))
    return found


def _placed(
    sheet: Sheet, scores: dict[str, int], fives: int, dice: Throw, free: list[str]
) -> tuple[list[str], bool]:
    """The legal boxes, and whether the throw counts as a joker in lower ones."""
    rule = sheet["joker"]
    if rule is None or not _equal(dice) or not _yatzy_boxes_are(sheet, scores, rule["needs_box"]):
        return free, False
    matching = [box for box in free if line_of(sheet, box).get("face") == dice[0]]
    lower = [box for box in free if line_of(sheet, box)["section"] == "lower"]
    if rule["mode"] == "free":
        earlier = fives > 0 or not rule["needs_prior"]
        return free, earlier and not matching
    if matching:
        return matching, False
    return (lower, True) if lower else (free, False)


def _yatzy_boxes_are(sheet: Sheet, scores: dict[str, int], wanted: str) -> bool:
    boxes = [box for box in box_ids(sheet) if box.rpartition(":")[2] == "yatzy"]
    if wanted == "filled":
        return all(box in scores for box in boxes)
    return all(scores.get(box) == line_of(sheet, box)["points"] for box in boxes)


def _extra(sheet: Sheet, scores: dict[str, int], box: str, dice: Throw) -> int:
    rule = sheet["extra_bonus"]
    if rule is None or not _equal(dice) or not _yatzy_boxes_are(sheet, scores, "full_points"):
        return 0
    matching = line_of(sheet, box).get("face") == dice[0]
    return int(rule["points"]) if rule["where"] == "any" or matching else 0


def upper_bonus(sheet: Sheet, scores: dict[str, int], column: int = 0) -> int:
    """What the upper part of a column earns on top."""
    rule = sheet["upper_bonus"]
    upper = sum(
        points
        for box, points in scores.items()
        if line_of(sheet, box)["section"] == "upper" and column_of(box) == column
    )
    return int(rule["points"]) if rule and upper >= rule["threshold"] else 0


def total(sheet: Sheet, scores: dict[str, int], extras: dict[int, int]) -> int:
    """Σ over columns of factor × (boxes + bonus + extra points)."""
    return sum(
        factor
        * (
            sum(points for box, points in scores.items() if column_of(box) == column)
            + upper_bonus(sheet, scores, column)
            + extras.get(column, 0)
        )
        for column, factor in enumerate(sheet["columns"])
    )
