"""Fair play: weighs finished games for knowledge of the dice, for the operator.

Ranks, histograms and friends' boards take no notice. Weighing needs numpy and the table of the
sheet; looking at what was weighed needs neither.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, timedelta
from itertools import islice

from challenge.config import FairPlay as Mode
from challenge.daily import evidence as weights
from challenge.daily import names
from challenge.daily.calendar import FIRST_DAY
from challenge.daily.evidence import NOTHING, Evidence
from challenge.errors import BadLog, NotFinished, NotFound
from challenge.game import rulesets
from challenge.service.days import Board, Days
from challenge.service.insight import Insight
from challenge.service.views.fairplay import FairPlayView, WeighedView
from challenge.store.boards import Row
from challenge.store.evidences import BATCH, kept
from challenge.store.keys import BoardId
from challenge.store.store import Store

WEEK = 7  # days whose games are looked at together

Progress = Callable[[int, int], None]
"""Called with the number of games weighed so far and of those to weigh."""


class FairPlay:
    """What the choices of finished games say; ``mode`` is the setting."""

    def __init__(self, store: Store, days: Days, insight: Insight, mode: Mode) -> None:
        self._store = store
        self._evidences = store.evidences
        self._days = days
        self._insight = insight
        self.mode = mode

    def waiting(self, ids: Sequence[BoardId]) -> list[BoardId]:
        """Those of these boards that have finished games not weighed yet."""
        notes = zip(ids, self._store.boards.notes(ids), strict=True) if ids else ()
        kept = ((id, note) for id, note in notes if note is not None and not note.compacted)
        asked = [(id, note.shards) for id, note in kept]
        counts = self._evidences.waiting(asked) if asked else []
        return [id for (id, _), count in zip(asked, counts, strict=True) if count]

    def weigh(self, board: Board, progress: Progress = lambda _done, _all: None) -> int:
        """Weighs the finished games of a board that are not weighed yet; how many.

        Raises:
            NotSolved: there is no table of its sheet.
            StoreUnavailable: Redis does not answer; the next call goes on.
        """
        if board.note.compacted:
            return 0
        (whole,) = self._evidences.waiting([(board.id, board.note.shards)])
        waiting = self._evidences.logs(board.id, board.note.shards)
        done = 0
        while batch := list(islice(waiting, BATCH)):
            past = self._of_week(board.id, [player for player, _ in batch])
            for player, log in batch:
                found = kept(self._evidence(board, log))
                clear = _most([found, weights.together([*past[player].values(), found])])
                self._evidences.write(
                    board.id, board.note.shards, player, found, apart=clear >= weights.CLEAR
                )
                done += 1
                progress(done, max(done, whole))
        return done

    def report(self, day: date, ruleset: str, now: datetime) -> FairPlayView:
        """All weighed games of a board; games being played are never looked at.

        Raises:
            NotFound: fair play is switched off; else like Days.board.
            Gone: the games of that board are no longer kept.
        """
        if self.mode == "off":
            raise NotFound("Games are not weighed here (CHALLENGE_FAIRPLAY is off).")
        board = self._days.board(day, ruleset, now)
        self._days.need_kept(board, now)
        games, finished = [], 0
        for rows in self._rows(board):
            finished += len(rows)
            games += self._weighed(board, rows)
        games.sort(key=lambda each: (-max(each.odds, each.week_odds), each.player))
        return FairPlayView(date=day.isoformat(), ruleset=ruleset, finished=finished, games=games)

    def apart(self, day: date, ruleset: str, now: datetime) -> frozenset[str]:
        """The players whose games are listed apart on a board; nobody unless it is set so."""
        if self.mode != "apart":
            return frozenset()
        board = self._days.peek(day, ruleset, now)
        return self._evidences.apart(board.id, board.note.shards)

    def known(self, player: str, boards: Sequence[Board]) -> dict[BoardId, Evidence]:
        """What the choices of a player's games on these boards say, as far as it is known."""
        asked = [(board.id, board.note.shards) for board in boards]
        found = self._evidences.read(asked, [player])
        return {id: each[player] for (id, _), each in zip(asked, found, strict=True) if each}

    # -- within ---------------------------------------------------------------------------

    def _evidence(self, board: Board, log: bytes | None) -> Evidence:
        """A log read just before its last entry, or none at all, says nothing."""
        table = self._insight.table_of(board.ruleset)
        from challenge.daily.fairplay import evidence  # noqa: PLC0415 - needs numpy

        with suppress(BadLog, NotFinished):
            return evidence(table, board.stream, log or b"")
        return NOTHING

    def _of_week(
        self, id: BoardId, players: Sequence[str]
    ) -> Mapping[str, Mapping[BoardId, Evidence]]:
        """Player -> the evidence of all other boards of the week up to that day."""
        days = [id.day - timedelta(days=back) for back in range(WEEK)]
        ids = [
            BoardId(day, sheet.id)
            for day in days
            if day >= FIRST_DAY
            for sheet in rulesets.RULESETS
            if (day, sheet.id) != (id.day, id.ruleset)
        ]
        notes = zip(ids, self._store.boards.notes(ids), strict=True)
        asked = [(other, note.shards) for other, note in notes if note is not None]
        found: dict[str, dict[BoardId, Evidence]] = {player: {} for player in players}
        for (other, _), known in zip(asked, self._evidences.read(asked, players), strict=True):
            for player, each in known.items():
                found[player][other] = each
        return found

    def _rows(self, board: Board) -> Iterator[list[Row]]:
        offset = 0
        while True:
            rows, _ = self._store.boards.page(board.id, board.note.shards, offset, BATCH)
            if not rows:
                return
            yield rows
            offset += len(rows)

    def _weighed(self, board: Board, rows: Sequence[Row]) -> list[WeighedView]:
        players = [row.player for row in rows]
        (known,) = self._evidences.read([(board.id, board.note.shards)], players)
        rows = [row for row in rows if row.player in known]
        players = [row.player for row in rows]
        past = self._of_week(board.id, players)
        apart = self._evidences.apart(board.id, board.note.shards)
        shown = self._store.players.names(players)
        return [
            _view(row, name, known[row.player], list(past[row.player].values()), apart)
            for row, name in zip(rows, shown, strict=True)
        ]


def _most(found: Sequence[Evidence]) -> float:
    return max(map(weights.odds, found))


def _view(
    row: Row, name: str | None, found: Evidence, past: Sequence[Evidence], apart: frozenset[str]
) -> WeighedView:
    week = weights.together([*past, found])
    most = _most([found, week])
    return WeighedView(
        player=row.player,
        name=names.display(row.player, name),
        score=row.score,
        choices=found.choices,
        odds=weights.odds(found),
        gained=found.gained,
        deviations=weights.deviations(found),
        week_games=1 + sum(each.choices > 0 for each in past),
        week_odds=weights.odds(week),
        week_deviations=weights.deviations(week),
        notable=most >= weights.NOTABLE,
        clear=most >= weights.CLEAR,
        apart=row.player in apart,
    )
