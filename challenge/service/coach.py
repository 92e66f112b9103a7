"""The coach: before a decision on a closed day's dice, what every choice is worth."""

from __future__ import annotations

from datetime import date, datetime

from challenge.errors import NotFound, Spoiler
from challenge.game import game as rules
from challenge.game.dice import held_positions
from challenge.game.game import Game
from challenge.service.days import Days
from challenge.service.insight import Insight
from challenge.service.views.coach import AdviceView, EntryValueView, HoldView
from challenge.store.store import Store


class Coach:
    """Looks the choices of an archive game up; never while its board is open or closing."""

    def __init__(self, store: Store, days: Days, insight: Insight) -> None:
        self._games = store.games
        self._days = days
        self._insight = insight

    def advice(self, player: str, day: date, ruleset: str, now: datetime) -> AdviceView:
        """What can be done with the dice that lie on the table.

        Raises:
            Spoiler: the board is not closed.
            NotSolved: the sheet has no table here.
            Gone: the games of that board are no longer kept.
            NotFound: no game was begun, or no dice lie there.
        """
        board = self._days.board(day, ruleset, now)
        if board.state(now) != "closed":
            raise Spoiler
        self._days.need_kept(board, now)
        stored = self._games.read(board.id, board.note.shards, player)
        game = rules.replay(board.ruleset, board.stream, stored.log or b"")
        if game.dice is None:
            raise NotFound("There are no dice to decide about.")
        return self._advice(game)

    def _advice(self, game: Game) -> AdviceView:
        table = self._insight.table_of(game.ruleset)
        from challenge.solver.turn import Turn  # noqa: PLC0415 - needs numpy

        dice = game.dice or ()
        turn = Turn(table, game.card)
        entries = turn.entries(dice, game.used)
        holds = {
            tuple(sorted(dice[i] for i in held_positions(mask))): value
            for mask, value in turn.holds(dice, game.used).items()
        }
        best = max([*entries.values(), *holds.values()])
        boxes = game.ruleset.boxes
        return AdviceView(
            best=best,
            holds=sorted(
                (HoldView(list(kept), value, best - value) for kept, value in holds.items()),
                key=lambda hold: (hold.lost, -len(hold.dice)),
            ),
            boxes=sorted(
                (EntryValueView(boxes[i].id, v, best - v) for i, v in entries.items()),
                key=lambda entry: entry.lost,
            ),
        )
