"""Compaction: takes the games off a board that is no longer kept whole.

What stays is the note with its seed, the histogram, the numbers, the best scores, and every
player's own score in the player's record. The note is marked first, for good; from then on
nobody looks for a game there. The rest goes in steps that never hold Redis up, each of which
may be repeated.

When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

from challenge.store.boards import Row
from challenge.store.client import answered
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link

KEPT = 1000
"""Places of a compacted board that stay in its list."""

BATCH = 500
NO_GAMES = "2"  # value of a shard's mark, see ``keys``


class Compaction:
    """The steps of a compaction, on any board of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def mark(self, board: BoardId, shards: int) -> None:
        """From now on the board has no games; every shard refuses new ones."""
        with answered():
            self._link.redis.hset(board.note, "compacted", "1")
        self._mark(board, shards)

    def swept(self, board: BoardId, shards: int) -> None:
        """Notes that nothing is left to be done; a mark lost in a failover is there again."""
        self._mark(board, shards)
        with answered():
            self._link.redis.hset(board.note, "swept", "1")

    def _mark(self, board: BoardId, shards: int) -> None:
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.set(shard.closed, NO_GAMES)
            pipe.execute()

    def count(self, board: BoardId, shards: int) -> int:
        """Games and scores of a board that would go, or have yet to."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.hlen(shard.games)
                pipe.zcard(shard.scores)
            found: Any = pipe.execute()
        return int(sum(found[::2])) + max(0, int(sum(found[1::2])) - KEPT)

    def drop_games(self, shard: Shard) -> Iterator[tuple[int, list[str]]]:
        """Takes games off a shard, a batch at a time, and what is worked out about them.

        Yields how many went, and the players among them whose game had no score.
        """
        cursor = 0
        while True:
            with answered():
                found: Any = self._link.redis.hscan(shard.games, cursor, count=BATCH)
            cursor, players = int(found[0]), list(found[1])
            if players:
                yield len(players), self._drop(shard, players)
            if cursor == 0:
                break
        with answered():
            self._link.redis.unlink(shard.games, shard.evidence, shard.apart)

    def _drop(self, shard: Shard, players: list[bytes]) -> list[str]:
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            pipe.zmscore(shard.scores, players)  # type: ignore[arg-type]  # bytes are members too
            pipe.hdel(shard.games, *players)
            pipe.hdel(shard.evidence, *players)
            scores = pipe.execute()[0]
        return [p.decode() for p, score in zip(players, scores, strict=True) if score is None]

    def kept(self, board: BoardId, shards: int) -> list[int]:
        """How many of the best scores of the whole board lie on each shard."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.zrange(shard.scores, 0, KEPT - 1, withscores=True)
            found: Any = pipe.execute()
        rows = [[(raw, who, i) for who, raw in each] for i, each in enumerate(found)]
        best = Counter(i for _, _, i in islice(heapq.merge(*rows), KEPT))
        return [best[i] for i in range(shards)]

    def beyond(self, shard: Shard, kept: int) -> list[Row]:
        """Some of the rows behind the first ``kept`` of a shard, from the end; none at last."""
        with answered():
            redis = self._link.redis
            start = max(kept, int(redis.zcard(shard.scores)) - BATCH)
            found: Any = redis.zrange(shard.scores, start, -1, withscores=True)
        return [Row(member.decode(), -int(raw)) for member, raw in found]

    def cut(self, shard: Shard, rows: list[Row]) -> None:
        """Takes rows off the list; they count in the histogram as before."""
        with answered():
            self._link.redis.zrem(shard.scores, *(row.player for row in rows))
