"""What a circle of named players did on boards, read from the boards themselves.

When Redis fails: reading raises StoreUnavailable and may be done again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from challenge.store.boards import merge_histograms
from challenge.store.client import answered
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link

Width = tuple[BoardId, int]
"""A board and its number of shards."""


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

    def scores(self, boards: Sequence[Width], players: Sequence[str]) -> list[Scores]:
        """Scores of players on boards, in one round trip."""
        plans = [_by_shard(board, players) for board in boards]
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for (board, shards), plan in zip(boards, plans, strict=True):
                for shard, some in plan:
                    pipe.zmscore(shard.scores, some)
                for shard in board.shards(shards):
                    pipe.hgetall(shard.histogram)
            found = iter(pipe.execute() if boards else [])
        read = []
        for (_, shards), plan in zip(boards, plans, strict=True):
            of = _together(plan, [next(found) for _ in plan])
            histogram = merge_histograms([next(found) for _ in range(shards)])
            read.append(Scores({p: -int(raw) for p, raw in of.items()}, histogram))
        return read

    def begun(self, boards: Sequence[Width], players: Sequence[str]) -> list[set[str]]:
        """Who of the players has begun a game on each board, in one round trip."""
        plans = [_by_shard(board, players) for board in boards]
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for plan in plans:
                for shard, some in plan:
                    pipe.hmget(shard.games, some)
            found = iter(pipe.execute() if any(plans) else [])
        return [set(_together(plan, [next(found) for _ in plan])) for plan in plans]


def _by_shard(width: Width, players: Sequence[str]) -> list[tuple[Shard, list[str]]]:
    board, shards = width
    plan: dict[Shard, list[str]] = {}
    for player in players:
        plan.setdefault(board.shard_of(player, shards), []).append(player)
    return list(plan.items())


def _together(plan: list[tuple[Shard, list[str]]], found: list[list[Any]]) -> dict[str, Any]:
    """Player -> what was found of them, where something was."""
    return {
        player: raw
        for (_, some), row in zip(plan, found, strict=True)
        for player, raw in zip(some, row, strict=True)
        if raw is not None
    }
