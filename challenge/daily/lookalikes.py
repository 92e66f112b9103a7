"""Letters of another script that pass for these: ``Mіa`` with a Cyrillic і is not ``Mia``.

A name of one script is left alone, whichever it is, and so are scripts that are written
together or stand in words of their own; the tag tells players of one name apart. Scripts
and lookalikes are those of Unicode's UTS #39, through ``confusable-homoglyphs``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Set
from itertools import groupby

from confusable_homoglyphs import categories

# Shared signs; and what Chinese, Japanese and Korean mix, with Latin as well (UTS #39, 5.2).
_ALWAYS = frozenset(("COMMON", "INHERITED", "Unknown"))
_TOGETHER = frozenset(("HAN", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL"))
_LATIN = "LATIN"


def deceives(name: str) -> bool:
    """Whether letters of one script pass for another's that stands beside them.

    Beside them is in the same word; a word that passes for Latin as a whole may not stand
    with Latin words either.
    """
    words = _words(name)
    if any(_mixed(word) for word in words):
        return True
    foreign = [word for word in words if _scripts(word) - {_LATIN}]
    return _LATIN in _scripts(name) and any(map(_all_pass_for_latin, foreign))


def _words(name: str) -> list[str]:
    runs = groupby(name, lambda sign: unicodedata.category(sign)[0] in "LMN")
    return ["".join(run) for is_word, run in runs if is_word]


def _scripts(text: str) -> Set[str]:
    return {categories.alias(sign) for sign in text if not sign.isascii() or sign.isalpha()} - (
        _ALWAYS | _TOGETHER
    )


def _mixed(word: str) -> bool:
    scripts = _scripts(word)
    if len(scripts) < 2:
        return False
    imitated = {_LATIN} if _LATIN in scripts else scripts
    return any(_imitates(sign, imitated - {categories.alias(sign)}) for sign in word)


def _imitates(sign: str, scripts: Set[str]) -> bool:
    """Whether a letter passes for one of these scripts; α and а do as both look like a."""
    script = categories.alias(sign)
    if not scripts or script in _ALWAYS | _TOGETHER:
        return False
    alike = _homoglyphs(sign)
    alike |= {
        other for each in alike if categories.alias(each) == _LATIN for other in _homoglyphs(each)
    }
    return any(categories.alias(each) in scripts for each in alike)


def _all_pass_for_latin(word: str) -> bool:
    letters = [sign for sign in word if categories.alias(sign) not in _ALWAYS | {_LATIN}]
    return bool(letters) and all(any(map(str.isascii, _homoglyphs(sign))) for sign in letters)


def _homoglyphs(sign: str) -> set[str]:
    """The single letters that look like this one."""
    # Imported with the first name that mixes scripts: its table takes 17 MB.
    from confusable_homoglyphs import confusables  # noqa: PLC0415

    found = confusables.is_confusable(sign) or []
    return {other["c"] for each in found for other in each["homoglyphs"] if len(other["c"]) == 1}
