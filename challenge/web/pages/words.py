"""What the status line says: the state of a game in words, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from babel.lists import format_list

from challenge.game import scorecard
from challenge.game.ruleset import Ruleset
from challenge.service.views.games import GameView
from challenge.web.i18n import (
    box_name,
    gettext,
    language,
    locale,
    ngettext,
    notice_text,
    npgettext,
    pgettext,
)


def split_name(name: str) -> tuple[str, str]:
    """A printed name and its explanation: ``Yatzy (five of a kind)`` is two lines on a phone."""
    head, _, tail = name.partition(" (")
    return head, tail.rstrip(")")


# Literal messages, so that the extraction finds them; only the one that is said is looked up.
_NUMBERS: tuple[Callable[[], str], ...] = (
    lambda: pgettext("number of dice", "no"),
    lambda: pgettext("number of dice", "one"),
    lambda: pgettext("number of dice", "two"),
    lambda: pgettext("number of dice", "three"),
    lambda: pgettext("number of dice", "four"),
    lambda: pgettext("number of dice", "five"),
    lambda: pgettext("number of dice", "six"),
)
_FACES: tuple[Callable[[int], str], ...] = (
    lambda n: npgettext("faces", "a one", "%(n)s ones", n),
    lambda n: npgettext("faces", "a two", "%(n)s twos", n),
    lambda n: npgettext("faces", "a three", "%(n)s threes", n),
    lambda n: npgettext("faces", "a four", "%(n)s fours", n),
    lambda n: npgettext("faces", "a five", "%(n)s fives", n),
    lambda n: npgettext("faces", "a six", "%(n)s sixes", n),
)


def number_word(n: int) -> str:
    """``two``; 0 to 6 dice are all there is to count."""
    return _NUMBERS[n]()


def faces_words(face: int, n: int) -> str:
    """``two sixes``, ``a six``."""
    return _FACES[face - 1](n) % {"n": number_word(n)}


def hold_words(dice: tuple[int, ...], mask: int) -> str:
    """``Two sixes stay, three dice roll again.`` for the positions in ``mask``."""
    kept = sorted((face for i, face in enumerate(dice) if mask >> i & 1), reverse=True)
    return _hold_words(tuple(kept), len(dice), language())


@lru_cache(maxsize=4096)  # a page says 32 of them; there are 924 of six dice in a language
def _hold_words(kept: tuple[int, ...], dice: int, _language: str) -> str:
    """In the language of the request, which is part of what is remembered."""
    if not kept:
        return gettext("Pick the dice to keep, or choose a box.")
    if len(kept) == dice:
        return gettext("Every die is held. Let at least one go, or choose a box.")
    groups = [faces_words(face, kept.count(face)) for face in dict.fromkeys(kept)]
    held = format_list(groups, locale=locale())
    stay = ngettext("%(dice)s stays", "%(dice)s stay", len(kept)) % {"dice": held}
    rest = dice - len(kept)
    again = ngettext("one die rolls again", "%(n)s dice roll again", rest)
    sentence = gettext("%(stay)s, %(again)s.") % {
        "stay": stay,
        "again": again % {"n": number_word(rest)},
    }
    return sentence[:1].upper() + sentence[1:]


def hold_table(view: GameView) -> list[str]:
    """The status line for every hold mask while dice may be rolled again, by mask."""
    if view.dice is None or not view.rolls_left:
        return []
    table = [hold_words(view.dice, mask) for mask in range(1 << len(view.dice))]
    if view.notice:
        table[0] = notice_words(view)
    return table


def notice_words(view: GameView) -> str:
    """Why boxes are barred, and what the throw brings on top."""
    return notice_text(view.notice) if view.notice else ""


def extra_promise(view: GameView, ruleset: Ruleset) -> int:
    """Points an entry of the dice on the table brings beside the box; 0 for most."""
    if view.dice is None:
        return 0
    scores = {box.box: box.score for box in view.boxes if box.score is not None}
    placed = scorecard.placement(scorecard.filled(ruleset, scores), view.dice, False)
    return placed.extra


def status(view: GameView, ruleset: Ruleset, scored: int | None) -> str:
    """The status line as the page is first shown; ``scored`` is the box just filled."""
    if view.finished:
        return gettext("This game is finished.")
    if view.dice is None:
        return _between_turns(view, ruleset, scored)
    extra = extra_promise(view, ruleset)
    if extra or view.notice not in (None, "next_only"):
        return " ".join(filter(None, (notice_words(view), _extra_words(extra))))
    if not view.rolls_left:
        return notice_words(view) or gettext("No rolls are left in this turn. Choose a box.")
    return hold_table(view)[sum(1 << i for i in view.held)]


def _extra_words(points: int) -> str:
    return gettext("It brings %(n)d extra.") % {"n": points} if points else ""


def _between_turns(view: GameView, ruleset: Ruleset, scored: int | None) -> str:
    if scored is None:
        return gettext("The same dice for everyone. Roll to see yours.")
    points = view.boxes[scored].score or 0
    entered = ngettext("%(n)d point in %(box)s.", "%(n)d points in %(box)s.", points)
    name, _ = split_name(box_name(ruleset, ruleset.boxes[scored].category))
    next_round = gettext("On to round %(round)d.") % {"round": view.round}
    return f"{entered % {'n': points, 'box': name}} {next_round}"


def zero_question(ruleset: Ruleset, box: str) -> str:
    """Asks whether a zero is meant; the column is named where there are several."""
    found = ruleset.boxes[ruleset.index[box]]
    name, _ = split_name(box_name(ruleset, found.category))
    if len(ruleset.columns) > 1:
        name = f"{name} ×{ruleset.columns[found.column]}"
    return gettext("Score 0 in %(box)s?") % {"box": name}


def zero_reason() -> str:
    """Why it is asked."""
    return gettext("Other boxes would score.")


def spoken(view: GameView, line: str) -> str:
    """What the live region says after a move: the roll in figures, then the status line."""
    if view.finished:
        return gettext("Finished with %(n)d points.") % {"n": view.total}
    if view.dice is None:
        return line
    said = gettext("Roll %(roll)d of %(rolls)d: %(dice)s.") % {
        "roll": view.rolls_used,
        "rolls": view.rolls_used + view.rolls_left,
        "dice": ", ".join(map(str, view.dice)),
    }
    return f"{said} {line}"
