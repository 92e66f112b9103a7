"""Exports: all that is held about a player, with what it takes to replay every game."""

from __future__ import annotations

from datetime import datetime

from challenge.daily import names
from challenge.daily.evidence import Evidence
from challenge.game import game as rules
from challenge.game import log as notation
from challenge.service.days import Board, Days
from challenge.service.devices import Devices
from challenge.service.fairplay import FairPlay
from challenge.service.groups import Groups
from challenge.service.reviews import Reviews
from challenge.service.views.fairplay import evidence_view
from challenge.service.views.players import (
    ExportedGameView,
    ExportedGroupView,
    ExportView,
    PlayerView,
)
from challenge.service.views.reviews import skill_view
from challenge.solver.skill import Skill
from challenge.store.games import Stored
from challenge.store.store import Store

VERSION = 1  # of the shape of an export
BATCH = 500  # boards read at once


class Exports:
    """Exports of all players."""

    def __init__(
        self,
        store: Store,
        days: Days,
        groups: Groups,
        devices: Devices,
        reviews: Reviews,
        fairplay: FairPlay,
    ) -> None:
        self._store = store
        self._days = days
        self._groups = groups
        self._devices = devices
        self._reviews = reviews
        self._fairplay = fairplay

    def export(self, player: str, now: datetime) -> ExportView:
        """Everything about a player; boards whose time has passed are closed first.

        Raises:
            BoardRefused: a board was opened under another secret or an unknown sheet.
            StoreUnavailable: Redis does not answer.
        """
        (shown,) = self._store.players.names([player])
        name, hidden = self._store.players.given(player)
        return ExportView(
            version=VERSION,
            exported_at=now.replace(microsecond=0),
            player=PlayerView(id=player, name=names.display(player, shown)),
            name=name,
            name_hidden=hidden,
            reports=self._store.reports.count(player),
            recovery_code=self._devices.has_recovery(player),
            sign_outs=self._store.players.epoch(player),
            groups=self._seats(player),
            games=self._games(player, now),
        )

    def _seats(self, player: str) -> list[ExportedGroupView]:
        mine = self._groups.mine(player)
        seats = self._store.groups.seats([group.id for group in mine], [player] * len(mine))
        return [
            ExportedGroupView(
                id=group.id,
                name=group.name,
                owned=group.owned,
                joined=self._groups.day_of(seat.joined).isoformat(),
            )
            for group, seat in zip(mine, seats, strict=True)
            if seat is not None and seat.joined is not None
        ]

    def _games(self, player: str, now: datetime) -> list[ExportedGameView]:
        begun = self._store.players.begun(player)
        games: list[ExportedGameView] = []
        for start in range(0, len(begun), BATCH):
            boards = [
                self._days.close_if_due(board.id, now) if _is_due(board, now) else board
                for board in self._days.glance(begun[start : start + BATCH])
            ]
            # In this order: before a board is marked as compacted, its scores are in the records.
            scores = self._store.players.record(player)
            asked = [(board.id, board.note.shards) for board in boards]
            stored = zip(boards, self._store.games.read_many(asked, player), strict=True)
            weighed = self._fairplay.known(player, boards)
            skills = self._reviews.known(player, [board.id for board in boards])
            games += [
                _game(board, each, skills.get(board.id), weighed.get(board.id), now)
                if not board.note.compacted
                else _kept(board, scores[board.id], skills.get(board.id))
                for board, each in stored
                if (board.id in scores if board.note.compacted else each.log is not None)
            ]
        return games


def _is_due(board: Board, now: datetime) -> bool:
    return board.opened and not board.note.closed and board.state(now) == "closed"


def _game(
    board: Board, stored: Stored, skill: Skill | None, weighed: Evidence | None, now: datetime
) -> ExportedGameView:
    log = stored.log or b""
    # A log read just before its last entry, the score just after it: not finished yet.
    finished = notation.entries(log) == len(board.ruleset.boxes)
    closed = board.state(now) == "closed"
    counted = stored.score is not None
    return ExportedGameView(
        date=board.id.day.isoformat(),
        number=board.number,
        ruleset=board.id.ruleset,
        fingerprint=board.note.fingerprint,
        mode="daily" if counted or not (stored.closed or closed) else "archive",
        finished=finished,
        score=_total(board, stored, log) if finished else None,
        log=notation.to_text(log),
        commitment=board.note.commitment,
        seed=board.seed.hex() if board.note.closed else None,
        review=skill_view(skill),
        fair_play=evidence_view(weighed),
    )


def _kept(board: Board, score: int, skill: Skill | None) -> ExportedGameView:
    """What is left of a game that counted, on a board that keeps no games any more."""
    return ExportedGameView(
        date=board.id.day.isoformat(),
        number=board.number,
        ruleset=board.id.ruleset,
        fingerprint=board.note.fingerprint,
        mode="daily",
        finished=True,
        score=score,
        log=None,
        commitment=board.note.commitment,
        seed=board.seed.hex(),
        review=skill_view(skill),
        fair_play=None,
    )


def _total(board: Board, stored: Stored, log: bytes) -> int:
    """The total as it stands on the board; where it does not, as the log gives it."""
    if stored.score is not None:
        return stored.score
    return rules.replay(board.ruleset, board.stream, log).total
