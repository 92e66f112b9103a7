"""The rules of a sheet as a page states them: every sentence and figure from the sheet's data."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from challenge.game.ruleset import Category, Ruleset
from challenge.web.i18n import gettext
from challenge.web.pages.rules import examples
from challenge.web.pages.rules.examples import Example
from challenge.web.pages.rules.pattern_words import condition, named, points, title
from challenge.web.pages.words import number_word

FACES_SUM = 21  # one of each face: 63 is three of each


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the sheet: what it asks, what it gives, and a throw with its score."""

    category: Category
    name: str
    condition: str
    points: str
    example: Example

    @property
    def scored(self) -> int:
        """What the drawn throw gives here."""
        return self.example.points_in(self.category.id)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of the joker rule; ``offers`` are (box, points, extra)."""

    text: str
    example: Example
    offers: list[tuple[str, int, int]]


@dataclass(frozen=True)
class Rulebook:
    """Everything the rules page of a sheet says, in the language of the request."""

    ruleset: Ruleset

    def part(self, section: str) -> list[Line]:
        """The lines of the upper or the lower part."""
        return [self._line(c) for c in self.ruleset.categories if c.section == section]

    def _line(self, category: Category) -> Line:
        return Line(
            category,
            title(self.ruleset, category),
            condition(self.ruleset, category),
            points(self.ruleset, category),
            examples.of_box(self.ruleset, category),
        )

    @cached_property
    def turn(self) -> list[str]:
        """How a turn goes, and when the game ends."""
        rolls, dice = number_word(self.ruleset.rolls_per_turn), number_word(self.ruleset.dice)
        said = [
            gettext(
                "A turn has up to %(rolls)s rolls with %(dice)s dice. Before each further roll "
                "you choose anew which dice stay."
            )
            % {"rolls": rolls, "dice": dice},
            gettext(
                "You can stop after any roll. Every turn fills exactly one box; if nothing "
                "fits, a box takes 0."
            ),
        ]
        said += [self._saved()] if self.ruleset.banked_rolls else []
        said += [self._order()] if self.ruleset.order == "fixed" else []
        end = gettext("After %(n)d turns every box is filled and the game is over.")
        return [*said, end % {"n": self.ruleset.rounds}]

    def _saved(self) -> str:
        return gettext(
            "Rolls you leave unused are saved for later turns, without limit. What is left at "
            "the end is worth nothing."
        )

    def _order(self) -> str:
        return gettext(
            "The boxes are filled from top to bottom: only the next one is open. What does not "
            "fit there is 0."
        )

    @cached_property
    def columns(self) -> str | None:
        """How several columns add up."""
        factors = self.ruleset.columns
        if len(factors) == 1:
            return None
        text = gettext(
            "The sheet has %(n)s columns of these boxes, and you enter in whichever you like. "
            "Each has its own bonus, and its sum counts %(factors)s in the end."
        )
        shown = {"n": number_word(len(factors)), "factors": ", ".join(f"×{f}" for f in factors)}
        extra = gettext("An extra counts in the column of its entry.")
        return text % shown + (f" {extra}" if self.ruleset.extra_bonus else "")

    @cached_property
    def bonus(self) -> list[str]:
        """The upper bonus, and what its threshold comes to."""
        rule = self.ruleset.upper_bonus
        if rule is None:
            return [gettext("There is no bonus for the upper boxes.")]
        text = gettext("From %(threshold)d points in the upper boxes on you get %(points)d more.")
        said = [text % {"threshold": rule.threshold, "points": rule.points}]
        each, rest = divmod(rule.threshold, FACES_SUM)
        if not rest:
            text = gettext("That is %(n)s of each face, for example.")
            said.append(text % {"n": number_word(each)})
        return said

    @cached_property
    def extra(self) -> str | None:
        """The extra bonus for a further all-equal throw."""
        rule = self.ruleset.extra_bonus
        if rule is None:
            return None
        own = gettext(
            "Once %(box)s holds %(full)d, every further throw of equal dice brings %(points)d "
            "extra if it is entered in its own upper box."
        )
        anywhere = gettext(
            "Once %(box)s holds %(full)d, every further throw of equal dice brings %(points)d "
            "extra, whichever box it goes to."
        )
        text = own if rule.where == "matching_upper_only" else anywhere
        return text % {**self._yatzy, "points": rule.points}

    @property
    def _yatzy(self) -> dict[str, str | int]:
        many = len(self.ruleset.columns) > 1
        box = gettext("“%(box)s” in every column") if many else gettext("“%(box)s”")
        name = box % {"box": named(self.ruleset, "yatzy")}
        return {"box": name, "full": self.ruleset.yatzy_points}

    @cached_property
    def extra_example(self) -> Step | None:
        """An all-equal throw in its own upper box, with the extra bonus."""
        if self.ruleset.extra_bonus is None:
            return None
        full = examples.full_yatzy(self.ruleset)
        step = self._step("", examples.place(self.ruleset, examples.equal(self.ruleset), full))
        own = self.ruleset.categories[examples.FACE - 1].id
        at = [o.category.id for o in step.example.offers].index(own)
        return Step("", step.example, [step.offers[at]])

    # -- joker ---------------------------------------------------------------------------

    @cached_property
    def joker(self) -> str:
        """When the joker rule holds, or that there is none."""
        rule = self.ruleset.joker
        if rule is None:
            return gettext(
                "There is no joker: a further throw of equal dice counts like any other."
            )
        if rule.needs_prior:
            text = gettext(
                "Once %(box)s is filled and a turn has ended with equal dice, this holds for "
                "every further throw of equal dice:"
            )
        elif rule.needs_box == "full_points":
            text = gettext(
                "Once %(box)s holds %(full)d, this holds for every further throw of equal dice:"
            )
        else:
            text = gettext(
                "Once %(box)s is filled, even with 0, this holds for every further throw of "
                "equal dice:"
            )
        return text % self._yatzy

    @cached_property
    def steps(self) -> list[Step]:
        """The steps of the joker rule, each with a throw and where it may go."""
        if self.ruleset.joker is None:
            return []
        texts = self._free() if self.ruleset.joker.mode == "free" else self._forced()
        shown = zip(texts, examples.ladder(self.ruleset), strict=False)
        return [self._step(text, example) for text, example in shown]

    def _forced(self) -> list[str]:
        return [
            gettext("If its own upper box is open, it must go there."),
            gettext(
                "If that is filled, it goes to any open lower box: full house and straights "
                "count in full, the others as usual."
            ),
            gettext("If the lower boxes are full too, an open upper box takes 0."),
        ]

    def _free(self) -> list[str]:
        return [
            gettext("If its own upper box is open, it counts in any open box as usual."),
            gettext(
                "If that is filled, it is a joker: in the lower part full house and straights "
                "count in full."
            ),
        ]

    def _step(self, text: str, example: Example) -> Step:
        offers = [(title(self.ruleset, o.category), o.points, o.extra) for o in example.offers]
        return Step(text, example, offers)
