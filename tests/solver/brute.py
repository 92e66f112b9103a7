"""The value of a sheet worked out without any cleverness, from the game's functions alone.

Cards are told apart by all their scores, every keep of every throw is weighed against all
6^n rolls of the other dice, and the total is read from the finished card. Nothing of the
solver is imported.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np

from challenge.game.dice import throws
from challenge.game.scorecard import blank, enter, placement, total


class Brute:
    """Expected totals of cards of one sheet, remembered."""

    def __init__(self, ruleset):
        self.ruleset = ruleset
        self.throws = throws(ruleset.dice)
        index = {throw: i for i, throw in enumerate(self.throws)}
        found = {keep for throw in self.throws for keep in _keeps(throw)}
        self.keeps = sorted(found)
        numbers = {keep: i for i, keep in enumerate(self.keeps)}
        self.choices = [[numbers[keep] for keep in _keeps(throw)] for throw in self.throws]
        self.chances = np.zeros((len(self.keeps), len(self.throws)))
        for k, keep in enumerate(self.keeps):
            missing = ruleset.dice - len(keep)
            for roll in product(range(1, 7), repeat=missing):
                self.chances[k, index[tuple(sorted(keep + roll))]] += 6.0**-missing
        self._known = {}

    def value(self, card=None):
        """The expected total of a card under best play; of the blank one without argument."""
        card = blank(self.ruleset) if card is None else card
        if not card.open:
            return total(card)
        key = (card.scores, card.extras, card.fives)
        if key not in self._known:
            self._known[key] = self._turn(card)
        return self._known[key]

    def _turn(self, card):
        values = self._entered(card, served=self.ruleset.rolls_per_turn == 1)
        for used in range(self.ruleset.rolls_per_turn - 1, 0, -1):
            means = self.chances @ values
            entered = self._entered(card, served=used == 1)
            best = [max(means[choice]) for choice in self.choices]
            values = np.maximum(entered, best)
        return float(self.chances[self.keeps.index(())] @ values)

    def _entered(self, card, *, served):
        return np.array([self._best_entry(card, throw, served) for throw in self.throws])

    def _best_entry(self, card, throw, served):
        placed = placement(card, throw, served)
        return max(
            self.value(enter(card, box, throw, placed))
            for box in range(len(card.scores))
            if placed.legal >> box & 1
        )


def _keeps(throw):
    """Every way to keep fewer dice than all, by faces."""
    return {keep for size in range(len(throw)) for keep in combinations(throw, size)}
