"""An export of a player, game by game: what the log gives, beside what the export says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import msgspec

from challenge.errors import BadInput, BadLog
from challenge.game import game as rules
from challenge.game import log as notation
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.game.stream import Stream, commitment_of
from challenge.service.views.players import ExportedGameView

Verdict = Literal["same", "differs", "open", "gone"]

_WORDS = {
    "same": "as exported",
    "differs": "DIFFERS",
    "open": "not yet: its board is not closed",
    "gone": "no longer kept: its board was compacted",
}


class _Export(msgspec.Struct):
    games: list[ExportedGameView]


@dataclass(frozen=True, slots=True)
class Checked:
    """One game: ``total`` as replayed, None where there is nothing to replay, or no game."""

    game: ExportedGameView
    verdict: Verdict
    total: int | None
    why: str = ""

    def facts(self) -> dict[str, object]:
        """For JSON."""
        return {
            "date": self.game.date,
            "ruleset": self.game.ruleset,
            "mode": self.game.mode,
            "finished": self.game.finished,
            "score": self.game.score,
            "replayed": self.total,
            "verdict": self.verdict,
        }

    def line(self) -> str:
        """For people: date, sheet, mode, what the export says, what came out."""
        score = "unfinished" if self.game.score is None else str(self.game.score)
        words = _WORDS[self.verdict] + (f" ({self.why})" if self.why else "")
        where = f"{self.game.date}   {self.game.ruleset:<24} {self.game.mode:<8}"
        return f"{where} {score:>10}   {words}"


def check_all(text: str) -> list[Checked]:
    """Every game of an export, replayed.

    Raises:
        BadInput: the text is no export.
    """
    try:
        return [_check(game) for game in msgspec.json.decode(text, type=_Export).games]
    except (msgspec.MsgspecError, UnicodeError) as error:
        raise BadInput(f"The file is not an export of Samedice: {error}.") from None


def lines(found: list[Checked]) -> Iterator[str]:
    """All games and a summary."""
    for each in found:
        yield each.line()
    counts = {verdict: sum(each.verdict == verdict for each in found) for verdict in _WORDS}
    gone = f", no longer kept: {counts['gone']}" if counts["gone"] else ""
    yield (
        f"Games: {len(found)}. As exported: {counts['same']}, differing: {counts['differs']}, "
        f"not to be replayed before their board closes: {counts['open']}{gone}."
    )


def _check(game: ExportedGameView) -> Checked:
    if game.seed is None:
        return Checked(game, "open", None)
    if game.log is None:
        return Checked(game, "gone", None)
    try:
        sheet, seed = _sheet(game), bytes.fromhex(game.seed)
        if commitment_of(seed) != game.commitment:
            return Checked(game, "differs", None, "the seed is not the one promised")
        played = rules.replay(sheet, Stream(seed), notation.from_text(game.log))
    except (BadInput, BadLog, ValueError) as error:
        return Checked(game, "differs", None, str(error))
    total = played.total if played.finished else None
    same = (played.finished, total) == (game.finished, game.score)
    why = "" if same else f"the log gives {'no finished game' if total is None else total}"
    return Checked(game, "same" if same else "differs", total, why)


def _sheet(game: ExportedGameView) -> Ruleset:
    """The edition of the sheet the board was opened with."""
    found = rulesets.find_edition(game.fingerprint)
    if found is None or found.id != game.ruleset:
        raise BadInput("this version of Samedice does not have the edition of the sheet")
    return found
