"""What a circle of named players did on boards, read from the boards themselves.

When Redis fails: reading raises StoreUnavailable and may be done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from challenge.store import keys
from challenge.store.boards import merge_histograms
from challenge.store.client import answered
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link
from challenge.store.notes import Note

Asked = tuple[BoardId, Note]
"""A board and its note: how many shards there are, and whether it is compacted."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One board: the scores of those of the circle who finished it in its day.

    ``histogram`` is the whole board's, read beside them.
    """

    of: Mapping[str, int]
    histogram: Mapping[int, int]


class Circles:
    """Readers of the boards of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def scores(self, boards: Sequence[Asked], players: Sequence[str]) -> list[Scores]:
        """Scores of players on boards, in one round trip, and one more for compacted ones."""
        plans = [_by_shard(board, players) for board in boards]
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for (board, note), plan in zip(boards, plans, strict=True):
                for shard, some in plan:
                    pipe.zmscore(shard.scores, some)
                for shard in board.shards(note.shards):
                    pipe.hgetall(shard.histogram)
            found = iter(pipe.execute() if boards else [])
        read = []
        for (_, note), plan in zip(boards, plans, strict=True):
            of = _together(plan, [next(found) for _ in plan])
            histogram = merge_histograms([next(found) for _ in range(note.shards)])
            read.append(Scores({p: -int(raw) for p, raw in of.items()}, histogram))
        recorded = self._recorded([board for board, note in boards if note.compacted], players)
        return [
            Scores(recorded[board], each.histogram) if note.compacted else each
            for (board, note), each in zip(boards, read, strict=True)
        ]

    def _recorded(
        self, boards: Sequence[BoardId], players: Sequence[str]
    ) -> dict[BoardId, dict[str, int]]:
        """Scores as the players' records have them: of compacted boards nothing else does."""
        if not boards or not players:
            return {board: {} for board in boards}
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for player in players:
                pipe.hmget(keys.record(player), [str(board) for board in boards])
            found = pipe.execute()
        return {
            board: {
                player: int(scores[i])
                for player, scores in zip(players, found, strict=True)
                if scores[i]
            }
            for i, board in enumerate(boards)
        }

    def begun(self, boards: Sequence[Asked], players: Sequence[str]) -> list[set[str]]:
        """Who of the players has begun a game on each board, in one round trip."""
        plans = [_by_shard(board, players) for board in boards]
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for plan in plans:
                for shard, some in plan:
                    pipe.hmget(shard.games, some)
            found = iter(pipe.execute() if any(plans) else [])
        return [set(_together(plan, [next(found) for _ in plan])) for plan in plans]


def _by_shard(asked: Asked, players: Sequence[str]) -> list[tuple[Shard, list[str]]]:
    board, note = asked
    plan: dict[Shard, list[str]] = {}
    for player in players:
        plan.setdefault(board.shard_of(player, note.shards), []).append(player)
    return list(plan.items())


def _together(plan: list[tuple[Shard, list[str]]], found: list[list[Any]]) -> dict[str, Any]:
    """Player -> what was found of them, where something was."""
    return {
        player: raw
        for (_, some), row in zip(plan, found, strict=True)
        for player, raw in zip(some, row, strict=True)
        if raw is not None
    }
