"""``max_score`` of every sheet, recomputed: a bound that nothing can exceed, and a game
that reaches it, replayed by the engine.

Sheets with a joker or an extra: dynamic programming over (filled boxes, what the
all-equal box holds, an earlier all-equal entry, upper sum capped at the threshold).
The best throw for a box that is not all-equal is found beforehand; of several throws for
one box only those count that no other beats in points, upper points and extra at once.
The others, and the triple sheet: every box at its maximum, every extra paid.
"""

from functools import cache

import pytest

from challenge.game import rulesets
from challenge.game.dice import throws
from tests.game import reference
from tests.game.play import deal
from tests.marks import long

PROGRAMMED = [
    sheet["id"]
    for sheet in reference.SHEETS.values()
    if (sheet["joker"] or sheet["extra_bonus"]) and len(sheet["columns"]) == 1
]
SUMMED = [id for id in reference.SHEETS if id not in PROGRAMMED]


DAILY = ("yacht", "german-block", "yams-joker-premium")


@pytest.mark.parametrize("id", [id if id in DAILY else long(id) for id in PROGRAMMED])
def test_no_line_of_play_beats_the_maximum_and_one_reaches_it(id):
    best, turns = Best(reference.SHEETS[id]).line()
    assert best == rulesets.find(id).max_score
    assert deal(rulesets.find(id), turns).total == best


@pytest.mark.parametrize("id", SUMMED)
def test_the_maximum_is_the_sum_of_the_best_of_every_box_and_a_game_reaches_it(id):
    sheet = reference.SHEETS[id]
    assert _bound(sheet) == rulesets.find(id).max_score
    assert deal(rulesets.find(id), _ideal_turns(sheet)).total == _bound(sheet)


def _best_throw(sheet, box):
    """The throw worth most in a box, as first roll of its turn; as a joker all sixes."""
    return max(throws(sheet["dice"]), key=lambda dice: reference.natural(sheet, box, dice, True))


def _bound(sheet):
    """No box above its best, the upper bonus of each column, an extra for each box but one."""
    ids = [line["id"] for line in sheet["boxes"]]
    boxes = sum(reference.natural(sheet, box, _best_throw(sheet, box), True) for box in ids)
    bonus = sheet["upper_bonus"]["points"] if sheet["upper_bonus"] else 0
    extras = sheet["extra_bonus"]["points"] * (len(ids) - 1) if sheet["extra_bonus"] else 0
    return sum(sheet["columns"]) * (boxes + bonus + extras)


def _ideal_turns(sheet):
    boxes = reference.box_ids(sheet)
    if sheet["extra_bonus"] is None:
        return [(_best_throw(sheet, box), box) for box in boxes]
    faces = {box: reference.line_of(sheet, box).get("face", 0) for box in boxes}
    first = [box for box in boxes if box.endswith("yatzy")]
    upper = [box for box in boxes if faces[box]]
    lower = [box for box in boxes if box not in upper and box not in first]
    return [((faces[box] or 6,) * sheet["dice"], box) for box in (*first, *upper, *lower)]


class Best:
    """The most a sheet of one column can still give, by dynamic programming."""

    def __init__(self, sheet):
        self.sheet = sheet
        self.boxes = reference.box_ids(sheet)
        self.bonus = sheet["upper_bonus"]
        self.upper = {b for b in self.boxes if reference.line_of(sheet, b)["section"] == "upper"}
        self.plain = {box: self._best_plain(box) for box in self.boxes}
        self.rest = cache(self._rest)

    def line(self):
        """(the maximum, the turns of a game that reaches it as (throw, box))."""
        state = (frozenset(self.boxes), None, False, 0)
        best, turns = self.rest(state), []
        while state[0]:
            _, turn, state = max(
                self._choices(state), key=lambda choice: choice[0] + self.rest(choice[2])
            )
            turns.append(turn)
        return best, turns

    def _best_plain(self, box):
        unequal = [dice for dice in throws(self.sheet["dice"]) if len(set(dice)) > 1]
        best = max(unequal, key=lambda dice: reference.natural(self.sheet, box, dice))
        return reference.natural(self.sheet, box, best), best

    def _rest(self, state):
        if not state[0]:
            return self.bonus["points"] if state[3] >= self.bonus["threshold"] else 0
        return max(gain + self.rest(after) for gain, _, after in self._choices(state))

    def _choices(self, state):
        """(points gained, (throw, box), state after) for every entry worth a thought."""
        free, yatzy, earlier, _ = state
        offers = {box: [(*self.plain[box], 0)] for box in free}
        scores = self._stand_in_scores(free, yatzy)
        for face in range(1, 7):
            dice = (face,) * self.sheet["dice"]
            found = reference.offers(self.sheet, scores, int(earlier), dice)
            for box, (points, extra) in found.items():
                offers[box].append((points, dice, extra))
        for box, some in offers.items():
            for points, dice, extra in some if box == "yatzy" else _undominated(some):
                yield points + extra, (dice, box), self._after(state, box, points, dice)

    def _stand_in_scores(self, free, yatzy):
        """Filled boxes with 0: of all scores only the all-equal box's is ever looked at."""
        scores = {box: 0 for box in self.boxes if box not in free}
        return scores | {"yatzy": yatzy} if yatzy is not None else scores

    def _after(self, state, box, points, dice):
        free, yatzy, earlier, upper = state
        if box in self.upper:
            upper = min(upper + points, self.bonus["threshold"])
        return (
            free - {box},
            points if box == "yatzy" else yatzy,
            earlier or len(set(dice)) == 1,
            upper,
        )


def _undominated(offers):
    """Those not beaten in points and in extra by a throw that is as good for the future.

    An earlier all-equal entry only ever widens a later choice, so that an all-equal throw
    beats any other with no more points. Not for the all-equal box itself: what it holds
    decides what is legal later.
    """
    keyed = {(points, extra, len(set(dice)) == 1): dice for points, dice, extra in offers}
    return [
        (points, dice, extra)
        for (points, extra, equal), dice in keyed.items()
        if not any(
            (p >= points and e >= extra and q >= equal) and (p, e, q) != (points, extra, equal)
            for p, e, q in keyed
        )
    ]
