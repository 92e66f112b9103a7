"""Other names people know a sheet by: no brands, only what the games are called.

Each name has its source in words. A name that means several sheets lists them all.
"""

from __future__ import annotations

from typing import NamedTuple


class Alias(NamedTuple):
    """A name, the ids of the sheets it means, and where it comes from."""

    name: str
    sheets: tuple[str, ...]
    source: str


_FRENCH = ("yams", "yams-joker", "yams-premium", "yams-joker-premium")
_IN_ORDER = ("yatzy-order", "yatzy-order-side", "yatzy-order-b25", "yatzy-order-b25-side")
_SIX = ("maxi-yatzy", "maxi-yatzy-saved", "maxi-yatzy-order")
_DANISH = "what players in Denmark and Norway call it"
_NORTH = "how the fifteen boxes are told from the thirteen outside the north"

ALIASES: tuple[Alias, ...] = (
    Alias("Yam", _FRENCH, "the name of the game in France"),
    Alias("Yams", _FRENCH, "the name of the game in France, the five equal dice themselves"),
    Alias("Yam’s", _FRENCH, "French spelling with an apostrophe, as pads print it"),
    Alias("Yatzy scandinave", ("yatzy",), "French name of the sheet of the north"),
    Alias("Scandinavian Yatzy", ("yatzy",), _NORTH),
    Alias("Skandinavisches Yatzy", ("yatzy",), _NORTH),
    Alias("Jatsi", ("yatzy",), "Finnish spelling"),
    Alias("Tvungen Yatzy", _IN_ORDER, _DANISH),
    Alias("Forced Yatzy", _IN_ORDER, "English for the sheet filled from top to bottom"),
    Alias("Maxi", _SIX, "short for the sheet of six dice"),
    Alias("Six-dice Yatzy", _SIX, "description by the number of dice"),
    Alias("Yatzy mit sechs Würfeln", _SIX, "description by the number of dice"),
    Alias("Yacht 1938", ("yacht-12",), "the year of the first printed rules of Yacht"),
    Alias("Choice", ("yacht-12",), "its name for the sum of all dice"),
    Alias("Triple", ("yacht-triple",), "short for the sheet of three columns"),
    Alias("Three columns", ("yacht-triple",), "description by its columns"),
    Alias("Drei Spalten", ("yacht-triple",), "description by its columns"),
    Alias("Escalera", ("generala",), "Spanish for the straight, after which tables name the game"),
    Alias("Generala doble", ("generala",), "Spanish name of its highest box"),
)


def of_sheet(id: str) -> list[str]:
    """The other names of a sheet."""
    return [alias.name for alias in ALIASES if id in alias.sheets]
