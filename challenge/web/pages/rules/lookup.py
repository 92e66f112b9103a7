"""A search among the sheets by any name of theirs, in every language there is.

Case, accents, spelled-out umlauts, silent letters and a small slip do not matter. The names
of boxes are searched after those of the sheets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.web import i18n
from challenge.web.pages.rules import aliases

LONGEST = 60  # letters of a query that are looked at
_ALIKE = (("ß", "ss"), ("ae", "a"), ("oe", "o"), ("ue", "u"), ("ee", "y"), ("ie", "y"), ("i", "y"))
_SILENT = re.compile(r"(?<=[aeouy])h")


def search(query: str) -> list[Ruleset]:
    """The sheets that bear a name, the best match first; none for a query without a word."""
    wanted = _words(query[:LONGEST])
    ranked = [(_rank(wanted, ruleset), ruleset) for ruleset in rulesets.RULESETS]
    found = [(rank, ruleset) for rank, ruleset in ranked if wanted and rank is not None]
    return [ruleset for _, ruleset in sorted(found, key=lambda each: each[0])]


def _rank(wanted: list[str], ruleset: Ruleset) -> int | None:
    """0 for a name letter by letter, more for looser matches, None for none."""
    own, boxes = _names(ruleset)
    if "".join(wanted) in own:
        return 0
    for rank, words in enumerate((own, boxes), start=1):
        worst = max((_distance_class(word, words) for word in wanted), default=0)
        if worst < _MISS:
            return rank * 10 + worst
    return None


_MISS = 9


def _distance_class(word: str, words: Iterable[str]) -> int:
    """0 equal, 1 beginning or part, 2 a small slip, 9 nothing like it."""
    best = _MISS
    for each in words:
        if each == word:
            return 0
        if each.startswith(word) or (len(word) > 3 and word in each):
            best = min(best, 1)
        elif best > 2 and _slips(word, each) <= _allowed(word):
            best = 2
    return best


def _allowed(word: str) -> int:
    return 0 if len(word) < 4 else 1 if len(word) < 7 else 2


def _slips(left: str, right: str) -> int:
    """Letters to change, add, drop or swap with their neighbour (optimal string alignment)."""
    if abs(len(left) - len(right)) > _allowed(left):
        return _MISS
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        older, before, row = before, row, [i]
        for j, b in enumerate(right, start=1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]


@cache
def _names(ruleset: Ruleset) -> tuple[frozenset[str], frozenset[str]]:
    """The words of all names of a sheet, and those of its boxes."""
    own, boxes = [ruleset.id, *aliases.of_sheet(ruleset.id)], []
    for code in i18n.languages():
        own += [i18n.sheet_name(ruleset, code), i18n.sheet_short(ruleset, code)]
        boxes += [i18n.box_name(ruleset, category, code) for category in ruleset.categories]
    return _folded(own), _folded(boxes)


def _folded(names: Iterable[str]) -> frozenset[str]:
    """The words of names, and each name as one word."""
    split = [_words(name) for name in names]
    return frozenset({word for words in split for word in words} | {"".join(w) for w in split})


def _words(text: str) -> list[str]:
    return [word for word in map(_fold, re.findall(r"[^\W_]+", _apart(text))) if word]


def _apart(text: str) -> str:
    """Apostrophes join, as in Yam’s; everything else that is no letter parts."""
    return re.sub(r"['’`´]", "", text.casefold())


def _fold(word: str) -> str:
    plain = unicodedata.normalize("NFKD", word)
    plain = "".join(letter for letter in plain if not unicodedata.combining(letter))
    plain = _SILENT.sub("", plain)
    for spelled, alike in _ALIKE:
        plain = plain.replace(spelled, alike)
    return plain
