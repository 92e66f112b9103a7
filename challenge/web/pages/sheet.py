"""A game as printed on its sheet: what each line shows, in which state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from challenge.game import log
from challenge.game.categories import Face
from challenge.game.ruleset import Category, Ruleset
from challenge.service.views.games import BoxView, GameView
from challenge.web.pages import words

State = Literal["open", "preview", "barred", "filled", "struck"]

SUM_ROW_FROM = 9  # lower lines from which the upper part has room for a row of its own


@dataclass(frozen=True, slots=True)
class Cell:
    """One box: ``value`` is its score, or what it would score; ``just`` the last entry made.

    ``asks`` says that it is asked about before it is entered, ``asked`` that it is right now.
    """

    id: str
    column: int
    state: State
    value: int | None
    just: bool
    asks: bool = False
    asked: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the sheet with a cell for each column; ``face`` is set in the upper part."""

    category: Category
    face: int | None
    cells: list[Cell]


@dataclass(frozen=True)
class Sheet:
    """What the templates draw of a game; all figures come from ``view``.

    ``ask`` is the box a zero is asked about, if any; ``careful`` whether such questions
    are asked at all.
    """

    view: GameView
    ruleset: Ruleset
    ask: str | None = None
    careful: bool = True

    @cached_property
    def scored(self) -> int | None:
        """Index of the box that the last action filled, until the next roll."""
        made = b"" if self.view.finished else log.from_text(self.view.log)
        return made[-1] if made and made[-1] < log.ROLL else None

    @cached_property
    def lines(self) -> list[Line]:
        """All lines, upper part first."""
        width = len(self.ruleset.categories)
        cells = [self._cell(i, box) for i, box in enumerate(self.view.boxes)]
        return [
            Line(category, _face(category), cells[i::width])
            for i, category in enumerate(self.ruleset.categories)
        ]

    def part(self, section: str) -> list[Line]:
        """The lines of the upper or the lower part."""
        return [line for line in self.lines if line.category.section == section]

    def _cell(self, index: int, box: BoxView) -> Cell:
        just = index == self.scored
        column = self.ruleset.boxes[index].column
        if box.score is not None:
            return Cell(box.box, column, "filled" if box.score else "struck", box.score, just)
        if box.legal:
            asks = box.box in self.doubtful
            asked = box.box == self.asked
            return Cell(box.box, column, "preview", box.preview, just, asks, asked)
        state: State = "open" if self.view.dice is None else "barred"
        return Cell(box.box, column, state, None, just)

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """Boxes that would take a 0 while another one would score, if questions are asked."""
        legal = [box for box in self.view.boxes if box.legal]
        if not self.careful or not any(box.preview for box in legal):
            return frozenset()
        return frozenset(box.box for box in legal if not box.preview)

    @property
    def asked(self) -> str | None:
        """The box in question."""
        return self.ask if self.ask in self.doubtful else None

    @property
    def untouched(self) -> bool:
        """True until the first entry of the game."""
        return all(box.score is None for box in self.view.boxes)

    @property
    def many(self) -> bool:
        """True on a sheet of several columns."""
        return len(self.ruleset.columns) > 1

    @property
    def sum_row(self) -> bool:
        """Whether the upper sum is printed on a row of its own, above the bonus."""
        return self.view.upper is not None and len(self.part("lower")) >= SUM_ROW_FROM

    @property
    def rows(self) -> int:
        """Rows of the longer of the two columns of the printed sheet."""
        bonus = self.view.upper is not None
        left = len(self.part("upper")) + bonus + self.sum_row + 1
        return max(left, len(self.part("lower")) + (self.view.extra is not None))

    @property
    def rolls(self) -> int:
        """Rolls this turn may take, saved ones included."""
        return self.view.rolls_used + self.view.rolls_left

    @cached_property
    def status(self) -> str:
        """The status line."""
        if self.asked:
            return words.zero_question(self.ruleset, self.asked)
        return words.status(self.view, self.ruleset, self.scored)

    @cached_property
    def spoken(self) -> str:
        """The line for the live region."""
        if self.asked:
            return f"{self.status} {words.zero_reason()}"
        return words.spoken(self.view, self.status)

    @cached_property
    def hold_table(self) -> list[str]:
        """The status line by hold mask."""
        return [] if self.asked else words.hold_table(self.view)

    @cached_property
    def promise(self) -> int:
        """Points the dice on the table bring beside the box."""
        return words.extra_promise(self.view, self.ruleset)


def _face(category: Category) -> int | None:
    pattern = category.pattern
    return pattern.face if isinstance(pattern, Face) else None
