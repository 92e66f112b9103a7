"""Records: what a player has finished, the streak and the figures that follow from it.

Whether a finish counts is the board's to say; a record only tells what stands there. What
the worker has not settled yet is read from the boards, so no figure waits for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from datetime import date, datetime

from challenge.daily import calendar, ranking
from challenge.daily.streaks import current_streak, longest_streak, streak_on
from challenge.game import rulesets
from challenge.service.days import Days
from challenge.service.views.boards import BinView
from challenge.service.views.players import LastView, SheetStatsView, StatsView, StreakView
from challenge.store.keys import BoardId
from challenge.store.store import Store

LAST = 10  # finished games named with the figures

Finished = Mapping[BoardId, int]
"""Board -> score of a game finished in its day."""


class Records:
    """The records of all players."""

    def __init__(self, store: Store, days: Days) -> None:
        self._store = store
        self._days = days

    def finished(self, player: str) -> dict[BoardId, int]:
        """Every game finished in its day, settled or not, with its score.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        # In this order: what is settled in between is met twice, not missed.
        waiting = self._store.boards.unsettled_of(player)
        record = self._store.players.record(player)
        return record | self._scores([board for board in waiting if board not in record], player)

    def _scores(self, boards: list[BoardId], player: str) -> dict[BoardId, int]:
        if not boards:
            return {}
        notes = zip(boards, self._store.boards.notes(boards), strict=True)
        asked = [(board, note.shards) for board, note in notes if note is not None]
        games = self._store.games.read_many(asked, player)
        found = zip(asked, games, strict=True)
        return {board: game.score for (board, _), game in found if game.score is not None}

    def best(self, player: str, ruleset: str, *, beside: date | None = None) -> int | None:
        """A player's best score of a sheet over all finished games; None before the first.

        The game of the day ``beside`` is left out.
        """
        games = _of_sheet(self.finished(player), ruleset)
        return max((score for board, score in games.items() if board.day != beside), default=None)

    def has_finished(self, player: str, ruleset: str) -> bool:
        """Whether the player has ever finished a sheet in its day; mostly one round trip.

        A finish settled at this very moment may be missed: no figure hangs on it.
        """
        settled = self._store.players.record(player)
        if any(board.ruleset == ruleset for board in settled):
            return True
        return any(b.ruleset == ruleset for b in self._store.boards.unsettled_of(player))

    def streak(self, player: str, day: date) -> int:
        """The streak as of a service day, over all sheets; 0 where nothing was finished."""
        boards = [*self._store.boards.unsettled_of(player), *self._store.players.record(player)]
        return streak_on({board.day for board in boards}, day)

    def stats(self, player: str, ruleset: str | None, now: datetime) -> StatsView:
        """The figures of a player, of one sheet or over all; the streak always over all.

        Raises:
            UnknownRuleset: no such sheet.
            StoreUnavailable: Redis does not answer.
        """
        finished = self.finished(player)
        games = finished if ruleset is None else _of_sheet(finished, rulesets.find(ruleset).id)
        histogram = Counter(games.values())
        return StatsView(
            played=len(games),
            streak=_streaks(finished, self._days.today(now)),
            best=max(games.values(), default=None),
            mean=ranking.mean(histogram),
            median=ranking.median(histogram),
            histogram=[BinView(score=s, count=n) for s, n in sorted(histogram.items())],
            last=_last(games),
            sheets=_sheets(games),
        )


def _of_sheet(finished: Finished, ruleset: str) -> dict[BoardId, int]:
    return {board: score for board, score in finished.items() if board.ruleset == ruleset}


def _streaks(finished: Finished, today: date) -> StreakView:
    days = {board.day for board in finished}
    return StreakView(current=current_streak(days, today), best=longest_streak(days))


def _last(games: Finished) -> list[LastView]:
    """The newest days first, a day's games in sheet order."""
    ordered = sorted(games, key=lambda board: (-board.day.toordinal(), _place(board.ruleset)))
    return [
        LastView(
            date=board.day.isoformat(),
            number=calendar.number(board.day),
            ruleset=board.ruleset,
            score=games[board],
        )
        for board in ordered[:LAST]
    ]


def _sheets(games: Finished) -> list[SheetStatsView]:
    played = sorted({board.ruleset for board in games}, key=_place)
    return [_sheet(sheet, Counter(_of_sheet(games, sheet).values())) for sheet in played]


def _sheet(ruleset: str, histogram: Counter[int]) -> SheetStatsView:
    return SheetStatsView(
        ruleset=ruleset,
        played=histogram.total(),
        best=max(histogram),
        mean=ranking.mean(histogram),
        median=ranking.median(histogram),
    )


def _place(ruleset: str) -> int:
    """The place of a sheet in their order; what this code does not know comes last."""
    return _ORDER.get(ruleset, len(_ORDER))


_ORDER = {sheet.id: i for i, sheet in enumerate(rulesets.RULESETS)}
