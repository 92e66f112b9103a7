"""Reviews: a player's finished games held against the best play that cannot see ahead.

What a review came to is kept with the player, so that averages cost one round trip; who is
erased loses it. Importing this module needs none of the packages of the extra ``solver``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from statistics import fmean
from typing import TYPE_CHECKING

from challenge.errors import BoardRefused, Gone, NotFinished, NotFound, NotSolved
from challenge.game import log
from challenge.service.days import Board, Days
from challenge.service.insight import Insight
from challenge.service.records import Records
from challenge.service.views.reviews import (
    DecisionView,
    LuckView,
    ReviewView,
    StrengthsView,
    action_view,
)
from challenge.solver.skill import Skill
from challenge.store.keys import BoardId
from challenge.store.store import Store

if TYPE_CHECKING:
    from challenge.solver.review import Review

STRENGTHS = 30  # last games in the averages
AT_ONCE = 5  # of them reviewed in one go; the next look goes on


@dataclass(frozen=True, slots=True)
class Reviewed:
    """A finished game of a player with its review."""

    board: Board
    log: bytes
    review: Review


class Reviews:
    """The reviews of all players."""

    def __init__(self, store: Store, days: Days, insight: Insight, records: Records) -> None:
        self._store = store
        self._days = days
        self._insight = insight
        self._records = records

    def review(self, player: str, day: date, ruleset: str, now: datetime) -> Reviewed:
        """The review of a player's own finished game.

        Raises:
            Spoiler: the board is not closed, and the player has not finished it.
            NotFound: the player began no game there.
            NotFinished: it is not finished.
            Gone: the games of that board are no longer kept.
            NotSolved: there is no table of the sheet.
            NotOpenYet, UnknownRuleset, BoardRefused, StoreUnavailable: see Days.
        """
        board = self._days.board(day, ruleset, now)
        self._insight.need_finished(board, player, now)
        self._days.need_kept(board, now)
        made = self._store.games.read(board.id, board.note.shards, player).log
        if made is None:
            raise NotFound("No game was begun here.")
        if not _is_whole(board, made):
            raise NotFinished
        found = self._work_out(board, made)
        self._keep(player, {board.id: found.skill})
        return Reviewed(board, made, found)

    def skill(self, player: str, board: Board, now: datetime) -> Skill | None:
        """What the review of a player's finished game came to; None without a table.

        None as well where the game was never looked at and is no longer kept.

        Raises:
            Spoiler, NotFound, NotFinished, StoreUnavailable: as :meth:`review`.
        """
        (known,) = self._store.skills.read(player, [board.id])
        if known is not None:
            return known
        try:
            return self.review(player, board.id.day, board.id.ruleset, now).review.skill
        except (NotSolved, Gone):
            return None

    def strengths(self, player: str) -> StrengthsView | None:
        """Averages over a player's last games finished in their day; None without any.

        Those never looked at are reviewed now, a few at a time.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        finished = self._records.finished(player)
        last = sorted(finished, key=lambda board: (board.day, board.ruleset))[-STRENGTHS:]
        read = zip(last, self._store.skills.read(player, last), strict=True)
        known = {board: skill for board, skill in read if skill is not None}
        missing = [board for board in reversed(last) if board not in known]
        known |= self._catch_up(player, missing)
        if not known:
            return None
        return StrengthsView(
            played=len(last),
            reviewed=len(known),
            skill=fmean(skill.share for skill in known.values()),
            luck=fmean(skill.luck for skill in known.values()),
            given_away=fmean(skill.given_away for skill in known.values()),
        )

    def known(self, player: str, boards: list[BoardId]) -> dict[BoardId, Skill]:
        """What is kept of a player's games on these boards; nothing is worked out."""
        read = zip(boards, self._store.skills.read(player, boards), strict=True)
        return {board: skill for board, skill in read if skill is not None}

    def forget(self, player: str) -> None:
        """Part of an erasure."""
        self._store.skills.forget(player)

    def _catch_up(self, player: str, missing: list[BoardId]) -> dict[BoardId, Skill]:
        """The first few of these games that can be reviewed, kept from now on."""
        found: dict[BoardId, Skill] = {}
        for board in self._solved(missing):
            if len(found) == AT_ONCE:
                break
            made = self._store.games.read(board.id, board.note.shards, player).log
            if made is not None and _is_whole(board, made):
                found[board.id] = self._work_out(board, made).skill
        self._keep(player, found)
        return found

    def _solved(self, ids: list[BoardId]) -> Iterable[Board]:
        try:
            boards = self._days.glance(ids) if ids else []
        except BoardRefused:  # of another secret or code: not to be reviewed here
            return
        for board in boards:
            if self._insight.has_table(board.ruleset):
                yield board

    def _work_out(self, board: Board, made: bytes) -> Review:
        table = self._insight.table_of(board.ruleset)
        from challenge.solver.review import review  # noqa: PLC0415 - needs numpy

        return review(table, board.stream, made)

    def _keep(self, player: str, found: dict[BoardId, Skill]) -> None:
        if not found:
            return
        self._store.skills.keep(player, found)
        if self._store.players.is_gone(player):  # erased meanwhile: with it
            self._store.skills.forget(player)


def review_view(reviewed: Reviewed) -> ReviewView:
    """A review as an answer."""
    review, sheet = reviewed.review, reviewed.board.ruleset
    skill = review.skill
    return ReviewView(
        optimal_mean=skill.optimal_mean,
        luck=skill.luck,
        given_away=skill.given_away,
        skill=skill.share,
        total=review.total,
        decisions=[
            DecisionView(
                ply=each.ply,
                played=action_view(each.played, sheet),
                best=action_view(each.best, sheet),
                value_played=each.value_played,
                value_best=each.value_best,
                given_away=each.given_away,
            )
            for each in review.decisions
        ],
        rolls=[LuckView(ply=each.ply, luck=each.luck) for each in review.rolls],
    )


def _is_whole(board: Board, made: bytes) -> bool:
    return log.entries(made) == len(board.ruleset.boxes)
