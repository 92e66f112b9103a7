"""Settling: finishes of a board go into their players' own records."""

from __future__ import annotations

from challenge.service.days import Board
from challenge.store.store import Store


def settle(store: Store, board: Board, count: int) -> int:
    """Settles up to ``count`` finishes a shard; how many. Repeating it is harmless.

    Raises:
        StoreUnavailable: Redis does not answer; the next call goes on.
    """
    shards = board.note.shards
    rows = store.boards.unsettled(board.id, shards, count)
    if rows:
        store.players.settle(board.id, rows)
        store.boards.settled(board.id, shards, (row.player for row in rows))
    return len(rows)
