"""Games: as their player sees them, at a glance, and finished ones of others.

``notice`` is a code here (see :data:`NOTICES`); the web floor says it in words.
"""

from __future__ import annotations

from typing import Literal

from challenge.daily.ranking import Standing
from challenge.game import game as rules
from challenge.game import log, scorecard
from challenge.game.dice import held_positions
from challenge.game.game import Game
from challenge.game.ruleset import Ruleset
from challenge.game.scorecard import ColumnTotal
from challenge.service.views.base import Mode, View
from challenge.service.views.players import PlayerView

NOTICES = ("must_matching", "joker_lower", "zero_upper", "next_only")
"""Reason codes of RULES.md section 3 that bar boxes; the others bar nothing."""


class BoxView(View):
    """One box: its score once filled, else what the dice on the table would give if legal."""

    box: str
    score: int | None
    preview: int | None
    legal: bool


class UpperView(View):
    """Upper part of one column; ``awarded`` is what the bonus gives so far (0 or ``points``)."""

    sum: int
    threshold: int
    points: int
    awarded: int


class ExtraView(View):
    """Extra bonuses of one column: how many, and their points together."""

    count: int
    points: int


class StandingView(View):
    """Where a score stands; ``beaten`` and ``tied`` count other players."""

    rank: int
    players: int
    beaten: int
    tied: int


class GameView(View):
    """A game as its player sees it (API.md "Playing")."""

    date: str
    number: int
    ruleset: str
    mode: Mode
    ply: int
    round: int
    rounds: int
    rolls_used: int
    rolls_left: int
    bank: int
    dice: tuple[int, ...] | None
    held: list[int]
    boxes: list[BoxView]
    upper: list[UpperView] | None
    extra: list[ExtraView] | None
    total: int
    notice: str | None
    log: str
    finished: bool
    standing: StandingView | None


class GlanceView(View):
    """A player's game on one board at a glance: not begun, begun, or done with a score.

    ``gone`` says that the board keeps no games any more; ``score`` is then the player's own
    where one counted.
    """

    date: str
    ruleset: str
    state: Literal["none", "begun", "done", "gone"]
    mode: Mode
    round: int
    rounds: int
    score: int | None


class FinishedGameView(GameView):
    """Another player's finished game: the scorecard and the log, and whose they are."""

    player: PlayerView


def standing_view(standing: Standing | None) -> StandingView | None:
    """A standing as an answer."""
    if standing is None:
        return None
    return StandingView(
        rank=standing.rank, players=standing.players, beaten=standing.beaten, tied=standing.tied
    )


def game_view(
    game: Game, *, date: str, number: int, mode: Mode, standing: Standing | None
) -> GameView:
    """A game as its player sees it."""
    ruleset = game.ruleset
    placed = rules.placement(game)
    columns = scorecard.column_totals(game.card)
    return GameView(
        date=date,
        number=number,
        ruleset=ruleset.id,
        mode=mode,
        ply=game.ply,
        round=game.round,
        rounds=ruleset.rounds,
        rolls_used=game.used,
        rolls_left=game.rolls_left,
        bank=game.bank,
        dice=game.dice,
        held=held_positions(game.hold),
        boxes=_boxes(game, placed),
        upper=_upper(ruleset, columns),
        extra=_extra(ruleset, game.card.extras),
        total=scorecard.weigh(ruleset, columns),
        notice=placed.reason if placed and placed.reason in NOTICES else None,
        log=log.to_text(game.log),
        finished=game.finished,
        standing=standing_view(standing),
    )


def _boxes(game: Game, placed: scorecard.Placement | None) -> list[BoxView]:
    legal = placed.legal if placed else 0
    return [
        BoxView(
            box=box.id,
            score=score,
            preview=(
                scorecard.value_in(game.card, i, placed) if placed and legal >> i & 1 else None
            ),
            legal=bool(legal >> i & 1),
        )
        for i, (box, score) in enumerate(zip(game.ruleset.boxes, game.card.scores, strict=True))
    ]


def _upper(ruleset: Ruleset, columns: tuple[ColumnTotal, ...]) -> list[UpperView] | None:
    bonus = ruleset.upper_bonus
    if bonus is None:
        return None
    return [
        UpperView(
            sum=column.upper,
            threshold=bonus.threshold,
            points=bonus.points,
            awarded=column.bonus,
        )
        for column in columns
    ]


def _extra(ruleset: Ruleset, extras: tuple[int, ...]) -> list[ExtraView] | None:
    if ruleset.extra_bonus is None:
        return None
    points = ruleset.extra_bonus.points
    return [ExtraView(count=count, points=count * points) for count in extras]
