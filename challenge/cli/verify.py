"""``challenge verify``: the dice of a board from its revealed seed, by anyone, anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

import click

from challenge.cli import report
from challenge.cli.arguments import (
    HEX,
    LOG,
    day_argument,
    json_option,
    seed_option,
    sheet_argument,
)
from challenge.daily.calendar import number
from challenge.game import game as rules
from challenge.game.dice import Dice
from challenge.game.game import Game
from challenge.game.ruleset import Ruleset
from challenge.game.stream import Stream, commitment_of


@click.command()
@day_argument
@sheet_argument
@seed_option
@click.option("--commitment", metavar="HEX", type=HEX, help="What was published in advance.")
@click.option("--log", "played", metavar="TEXT", type=LOG, help="The log of a game to replay.")
@json_option
def verify(
    *,
    day: date,
    sheet: Ruleset,
    seed: bytes,
    commitment: bytes | None,
    played: bytes | None,
    as_json: bool,
) -> int:
    """Check a board's seed against its commitment, and a game against the seed.

    Needs no server and no secret: prints the commitment of the seed, the dice of every
    roll and, with --log, the score sheet. Exit code 1 where the commitment differs.

    \b
    Example:
      challenge verify 2026-11-30 yacht \\
        --seed 8d8045d23abb4fe433c42d7c95b6e7ed489d1b8e41ee871480d6ce2475fea76e \\
        --commitment 031636e1f2037471a6588e65535d15fef37767bf8d2a9cae8aa560d16b9568ff
    """
    found = Verified(day, sheet, seed, commitment, _replayed(sheet, seed, played))
    report.say(found.facts(), found.lines(), as_json)
    return int(found.matches is False)


def _replayed(sheet: Ruleset, seed: bytes, played: bytes | None) -> Game | None:
    return None if played is None else rules.replay(sheet, Stream(seed), played)


@dataclass(frozen=True)
class Verified:
    """A board as its seed gives it, beside what was promised and one game played on it."""

    day: date
    sheet: Ruleset
    seed: bytes
    promised: bytes | None
    game: Game | None

    @property
    def matches(self) -> bool | None:
        """Whether the seed is the promised one; None where nothing was promised."""
        own = commitment_of(self.seed)
        return None if self.promised is None else self.promised.hex() == own

    @property
    def rolls(self) -> list[Dice]:
        """What each roll of a game reads."""
        return report.blocks(self.sheet, self.seed, report.most_rolls(self.sheet))

    def facts(self) -> report.Facts:
        """For JSON."""
        return {
            "date": self.day.isoformat(),
            "number": number(self.day),
            "ruleset": self.sheet.id,
            "seed": self.seed.hex(),
            "commitment": commitment_of(self.seed),
            "matches": self.matches,
            "rolls": self.rolls,
            "game": None if self.game is None else report.game_facts(self.game),
        }

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"Samedice #{number(self.day)} · {self.day} · {self.sheet.id}"
        yield f"commitment {commitment_of(self.seed)}"
        if self.matches is not None:
            verdict = "matches" if self.matches else "does NOT match"
            yield f"The seed {verdict} the commitment published in advance."
        yield from report.block_lines(self.rolls)
        if self.game is not None:
            yield from report.game_lines(self.game)
