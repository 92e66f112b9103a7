"""Other names people know a sheet by: no brands, only what the games are called.

Each name has its source in words. A name that means several sheets lists them all.
"""

from __future__ import annotations

from typing import NamedTuple


class Alias(NamedTuple):
    """A name, the ids of the sheets it means, and where it comes from.

    ``language`` is set where only its speakers would call it so; all names are searched.
    """

    name: str
    sheets: tuple[str, ...]
    source: str
    language: str | None = None


_FRENCH = ("yams", "yams-joker", "yams-premium", "yams-joker-premium")
_IN_ORDER = ("yatzy-order", "yatzy-order-side", "yatzy-order-b25", "yatzy-order-b25-side")
_SIX = ("maxi-yatzy", "maxi-yatzy-saved", "maxi-yatzy-order")
_NORTH = "how the fifteen boxes are told from the thirteen outside the north"

ALIASES: tuple[Alias, ...] = (
    Alias("Yam", _FRENCH, "the name of the game in France"),
    Alias("Yams", _FRENCH, "the same in the plural, as most say it"),
    Alias("Yam’s", _FRENCH, "French spelling with an apostrophe, as pads print it"),
    Alias("Scandinavian Yatzy", ("yatzy",), _NORTH, "en"),
    Alias("Skandinavisches Yatzy", ("yatzy",), _NORTH, "de"),
    Alias("Jatsi", ("yatzy",), "Finnish spelling"),
    Alias("Tvungen Yatzy", _IN_ORDER, "what players in Denmark and Norway call it"),
    Alias("Forced Yatzy", _IN_ORDER, "English for the sheet filled from top to bottom", "en"),
    Alias("Zwangsyatzy", _IN_ORDER, "German for the sheet filled from top to bottom", "de"),
    Alias("Maxi", _SIX, "short for the sheet of six dice"),
    Alias("Six-dice Yatzy", _SIX, "description by the number of dice", "en"),
    Alias("Yatzy mit sechs Würfeln", _SIX, "description by the number of dice", "de"),
    Alias("Yacht of 1938", ("yacht-12",), "the year from which its rules are known", "en"),
    Alias("Yacht von 1938", ("yacht-12",), "the year from which its rules are known", "de"),
    Alias("Three columns", ("yacht-triple",), "description by its columns", "en"),
    Alias("Drei Spalten", ("yacht-triple",), "description by its columns", "de"),
)


def of_sheet(id: str, language: str | None = None) -> list[str]:
    """The other names of a sheet: all of them, or those a speaker of ``language`` uses."""
    return [
        alias.name
        for alias in ALIASES
        if id in alias.sheets and (language is None or alias.language in (None, language))
    ]
