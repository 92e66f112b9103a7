"""The scoring atoms in words: what a box asks of the dice, and what it gives for them."""

from __future__ import annotations

from challenge.game.categories import (
    AllEqual,
    Contains,
    Face,
    FullFixed,
    Groups,
    KindAll,
    KindFixed,
    KindOwn,
    PairsAll,
    PairsOwn,
    Pattern,
    Run,
    Sum,
)
from challenge.game.ruleset import Category, Ruleset
from challenge.web.i18n import box_name, gettext, ngettext
from challenge.web.pages.words import number_word, split_name

_HYPHEN = "\N{NON-BREAKING HYPHEN}"


def title(ruleset: Ruleset, category: Category) -> str:
    """The printed name of a line without its explanation."""
    return split_name(box_name(ruleset, category))[0]


def named(ruleset: Ruleset, id: str) -> str:
    """The printed name of the line of this id."""
    return title(ruleset, next(c for c in ruleset.categories if c.id == id))


def condition(ruleset: Ruleset, category: Category) -> str:
    """What the dice must show to score in a line; nothing to say of the upper ones."""
    text = _condition(category.pattern, ruleset.dice)
    if category.needs is None:
        return text
    needed = gettext("counts only once “%(box)s” has scored")
    return f"{text}; {needed % {'box': named(ruleset, category.needs)}}"


def points(ruleset: Ruleset, category: Category) -> str:
    """What a line gives for dice that fit."""
    text = _points(category.pattern, ruleset.dice)
    if category.served is None:
        return text
    at_once = gettext("%(points)s; %(served)d with the first roll")
    return at_once % {"points": text, "served": category.served}


def _condition(pattern: Pattern, dice: int) -> str:
    match pattern:
        case AllEqual():
            return gettext("all dice equal")
        case KindAll(n) | KindOwn(n) | KindFixed(n, _):
            return gettext("at least %(n)s equal dice") % {"n": number_word(n)}
        case PairsOwn(n) | PairsAll(n):
            pairs = ngettext("a pair", "%(n)s pairs of different faces", n)
            return pairs % {"n": number_word(n)}
        case FullFixed():
            return _groups(3, 2)
        case Groups(a, b):
            return _groups(a, b)
        case Contains(faces, _):
            return _with_free_dice(_HYPHEN.join(map(str, faces)), dice - len(faces))
        case Run(n, _):
            row = gettext("%(n)s faces in a row") % {"n": number_word(n)}
            return _with_free_dice(row, dice - n)
        case Face():
            return ""
    return gettext("any throw")


def _groups(a: int, b: int) -> str:
    both = gettext("%(a)s equal dice and %(b)s of another face")
    return both % {"a": number_word(a), "b": number_word(b)}


def _with_free_dice(text: str, free: int) -> str:
    return gettext("%(dice)s, the other die is free") % {"dice": text} if free else text


def _points(pattern: Pattern, dice: int) -> str:
    match pattern:
        case Face(face):
            return gettext("%(face)d for each %(face)d") % {"face": face}
        case KindOwn(n):
            return gettext("sum of the %(n)s equal dice") % {"n": number_word(n)}
        case PairsOwn(n) if 2 * n < dice:
            pairs = ngettext("sum of the highest pair", "sum of the %(n)s highest pairs", n)
            return pairs % {"n": number_word(n)}
        case Groups(a, b) if a + b < dice:
            return gettext("sum of these %(n)s dice") % {"n": number_word(a + b)}
        case KindAll() | PairsOwn() | PairsAll() | Groups() | Sum():
            return gettext("sum of all dice")
        case AllEqual(fixed) | FullFixed(fixed) | KindFixed(_, fixed):
            return _fixed(fixed)
        case Contains(_, fixed) | Run(_, fixed):
            return _fixed(fixed)
    raise TypeError(pattern)


def _fixed(points: int) -> str:
    return ngettext("%(n)d point", "%(n)d points", points) % {"n": points}
