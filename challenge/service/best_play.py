"""The best game a board's dice allow and the computer players' games, for those who may look.

Both are worked out by the worker (:mod:`challenge.service.preparing`) and only read here.
"""

from __future__ import annotations

from datetime import date, datetime

from challenge.errors import NotFound, NotSolved
from challenge.game import game as rules
from challenge.game import log
from challenge.service.days import Board, Days
from challenge.service.insight import Insight
from challenge.service.views.best_play import BotsView, BotView, HindsightView
from challenge.store.insights import Known
from challenge.store.store import Store

STRENGTHS = ("greedy", "planner", "optimal")
"""The computer players, the weakest first."""


class BestPlay:
    """What was possible on a board, and how players that see no dice ahead fared."""

    def __init__(self, store: Store, days: Days, insight: Insight) -> None:
        self._insights = store.insights
        self._days = days
        self._insight = insight

    def hindsight(
        self, day: date, ruleset: str, player: str | None, now: datetime
    ) -> HindsightView:
        """The highest total of any game on a board's dice; its log once the board is closed.

        Raises:
            Spoiler: the board is not closed and the player has not finished it.
            NotSolved: it has not been worked out.
        """
        board, known = self._known(day, ruleset, player, now)
        if known.best is None or known.line is None:
            raise self._missing(board)
        closed = board.state(now) == "closed"
        return HindsightView(total=known.best, log=log.to_text(known.line) if closed else None)

    def bots(self, day: date, ruleset: str, player: str | None, now: datetime) -> BotsView:
        """The computer players' games, best first; ``name`` is left to the web.

        Raises:
            Spoiler: the board is not closed and the player has not finished it.
            NotSolved: none of them has played yet.
        """
        board, known = self._known(day, ruleset, player, now)
        if not known.bots:
            raise self._missing(board)
        found = [
            BotView(
                strength=strength,
                name=strength,
                score=rules.replay(board.ruleset, board.stream, known.bots[strength]).total,
                log=log.to_text(known.bots[strength]),
            )
            for strength in STRENGTHS
            if strength in known.bots
        ]
        return BotsView(bots=sorted(found, key=lambda bot: -bot.score))

    def bot(
        self, day: date, ruleset: str, strength: str, player: str | None, now: datetime
    ) -> BotView:
        """One of :meth:`bots`, raising as it does.

        Raises:
            NotFound: there is no such computer player on this board.
        """
        for bot in self.bots(day, ruleset, player, now).bots:
            if bot.strength == strength:
                return bot
        raise NotFound("There is no such computer player on this board.")

    def _known(
        self, day: date, ruleset: str, player: str | None, now: datetime
    ) -> tuple[Board, Known]:
        board = self._days.board(day, ruleset, now)
        self._insight.need_finished(board, player, now)
        (known,) = self._insights.read([board.id])
        return board, known

    def _missing(self, board: Board) -> NotSolved:
        """What it takes: packages or a method where there is none, else only the worker's turn."""
        try:
            self._insight.table_of(board.ruleset)
        except NotSolved as error:
            return error
        return NotSolved(board.id.ruleset, "board")
