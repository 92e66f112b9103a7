"""The result as text to paste: three short lines that spoil nothing.

Source: DESIGN.md "Result text", byte for byte. Wording comes from a catalogue, so
that a further language is a further catalogue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from challenge.daily.ranking import Standing

PLACE_BELOW = 20  # with fewer players a place says more than a percentage


class Translator(Protocol):
    """What :class:`gettext.NullTranslations` and its kin offer."""

    def gettext(self, message: str) -> str:
        """The message in the reader's language."""
        ...

    def ngettext(self, singular: str, plural: str, n: int) -> str:
        """The message in the plural form of ``n``."""
        ...


@dataclass(frozen=True, slots=True)
class Result:
    """A finished game as its text tells it.

    ``standing`` is None for an archive game; ``final`` says that the board is closed;
    ``streak`` is the length of the streak as of that service day; ``skill`` the share of the
    optimal mean that was not given away, in per cent, None where the sheet is not solved.
    """

    number: int
    sheet: str
    score: int
    link: str
    standing: Standing | None
    final: bool
    streak: int
    skill: int | None = None


def text(result: Result, words: Translator, language: str) -> str:
    """The three lines, joined by ``\\n``, without one at the end."""
    points = words.ngettext("%(n)d point", "%(n)d points", result.score) % {"n": result.score}
    head = words.gettext("Samedice #%(number)d · %(sheet)s · %(points)s") % {
        "number": result.number,
        "sheet": result.sheet,
        "points": points,
    }
    return "\n".join((head, " · ".join(_second_line(result, words, language)), result.link))


def _second_line(result: Result, words: Translator, language: str) -> list[str]:
    if result.standing is None:
        parts = [words.gettext("archive")]
    else:
        parts = [standing_words(result.standing, result.final, words, language)]
    if result.skill is not None:
        parts.append(skill_words(result.skill, words))
    if result.standing is not None and result.streak >= 2:
        parts.append(words.gettext("streak %(n)d") % {"n": result.streak})
    return parts


def skill_words(percent: int, words: Translator) -> str:
    """``96 % skill``."""
    return words.gettext("%(percent)d %% skill") % {"percent": percent}


def standing_words(standing: Standing, final: bool, words: Translator, language: str) -> str:
    """``Better than 92 % of 348 so far``; below 20 players ``12th of 14 so far``."""
    if standing.players < PLACE_BELOW:
        message = (
            words.gettext("%(place)s of %(players)d")
            if final
            else words.gettext("%(place)s of %(players)d so far")
        )
        return message % {"place": ordinal(standing.rank, language), "players": standing.players}
    message = (
        words.gettext("Better than %(percent)d %% of %(players)d")
        if final
        else words.gettext("Better than %(percent)d %% of %(players)d so far")
    )
    return message % {"percent": standing.percent, "players": standing.players}


def ordinal(n: int, language: str) -> str:
    """A place as the language writes it inside a sentence: ``12th``, ``21st``, German ``12``."""
    if language != "en":
        return str(n)
    suffix = "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n}{suffix}"
