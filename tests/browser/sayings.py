"""What the status line has to say, worked out from the API's state alone, in two languages."""

from __future__ import annotations

from typing import Any

Names = dict[str, str]

NUMBERS = {
    "en": ["no", "one", "two", "three", "four", "five", "six"],
    "de": ["kein", "ein", "zwei", "drei", "vier", "fünf", "sechs"],
}
FACES = {
    "en": ["one", "two", "three", "four", "five", "six"],
    "de": ["Einser", "Zweier", "Dreier", "Vierer", "Fünfer", "Sechser"],
}
FIRST = {
    "en": "The same dice for everyone. Roll to see yours.",
    "de": "Alle bekommen dieselben Würfel. Leg los!",
}
NO_ROLLS = {
    "en": "No rolls are left in this turn. Choose a box.",
    "de": "In dieser Runde hast du keinen Wurf mehr. Wähl ein Feld.",
}
NO_HOLD = {
    "en": "Pick the dice to keep, or choose a box.",
    "de": "Such aus, was liegen bleibt, oder wähl ein Feld.",
}
ENTERED = {
    "en": ("{n} point in {box}.", "{n} points in {box}."),
    "de": ("{n} Punkt bei „{box}“.", "{n} Punkte bei „{box}“."),
}
NEXT = {"en": "On to round {n}.", "de": "Weiter mit Runde {n}."}


def with_dice(state: dict[str, Any], lang: str, held: list[int]) -> str:
    """While dice lie on the table; the notice of the API where it says why boxes are barred."""
    if not state["rolls_left"]:
        return str(state["notice"] or NO_ROLLS[lang])
    if not held:
        return str(state["notice"] or NO_HOLD[lang])
    return _stay(state["dice"], lang, held)


def between(state: dict[str, Any], lang: str, names: Names, box: str) -> str:
    """After an entry into ``box``; ``names`` are the API's names of the boxes."""
    points = next(each["score"] for each in state["boxes"] if each["box"] == box)
    entered = ENTERED[lang][points != 1].format(n=points, box=names[box].partition(" (")[0])
    return f"{entered} {NEXT[lang].format(n=state['round'])}"


def _stay(dice: list[int], lang: str, held: list[int]) -> str:
    kept = [dice[i] for i in held]
    groups = [_group(face, kept.count(face), lang) for face in sorted(set(kept), reverse=True)]
    last = {"en": " and ", "de": " und "}[lang]
    said = last.join(filter(None, (", ".join(groups[:-1]), groups[-1])))
    rest = len(dice) - len(kept)
    stay = {"en": ("stays", "stay"), "de": ("bleibt", "bleiben")}[lang][len(kept) > 1]
    words = {
        "en": ("one die rolls again", "{n} dice roll again"),
        "de": ("ein Würfel rollt neu", "{n} Würfel rollen neu"),
    }[lang]
    line = f"{said} {stay}, {words[rest > 1].format(n=NUMBERS[lang][rest])}."
    return line[0].upper() + line[1:]


def _group(face: int, n: int, lang: str) -> str:
    name = FACES[lang][face - 1]
    if n == 1:
        return f"{'a' if lang == 'en' else 'ein'} {name}"
    many = {"six": "sixes"}.get(name, f"{name}s") if lang == "en" else name
    return f"{NUMBERS[lang][n]} {many}"
