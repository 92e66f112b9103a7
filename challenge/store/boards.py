"""Boards: the opening note, the closing marks, scores, histogram.

When Redis fails: every method raises StoreUnavailable and may be called again; opening,
closing and settling are idempotent, a board never opens twice with two notes.
"""

from __future__ import annotations

import heapq
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from challenge.errors import StoreUnavailable
from challenge.store import keys
from challenge.store.client import Script, answered, within_reach
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link
from challenge.store.notes import Note, fields_of, note_of

__all__ = ["Boards", "Note", "Numbers", "Row", "merge_histograms"]


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many players began and finished the daily game of a board."""

    started: int
    finished: int


@dataclass(frozen=True, slots=True)
class Row:
    """One finished game on a board."""

    player: str
    score: int


class Boards:
    """All boards of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._open = Script(link, "open_board")
        self._position = Script(link, "position")
        self._widths: dict[BoardId, int] = {}  # of live boards

    def notes(self, boards: Sequence[BoardId]) -> list[Note | None]:
        """The notes of boards in one round trip; None for those never opened."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board in boards:
                pipe.hgetall(board.note)
            return [note_of(raw) for raw in pipe.execute()]

    def open(self, board: BoardId, note: Note) -> Note:
        """Opens a board with this note, or gives the one it was opened with before."""
        self.enlist([board])  # first: a board opened but unknown to the worker would never close
        raw = self._open([board.note], fields_of(note))
        opened = note_of(dict(zip(raw[::2], raw[1::2], strict=True)))
        assert opened is not None  # noqa: S101 - the script wrote it or found it
        return opened

    def close(self, board: BoardId, shards: int, seed: bytes) -> None:
        """Marks every shard, then notes the seed; in this order, so that it can be repeated.

        A shard that has been compacted since the caller looked keeps that mark.
        """
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.set(shard.closed, "1", nx=True)
            pipe.execute()
            self._link.redis.hset(board.note, mapping={"seed": seed.hex(), "closed": "1"})

    def enlist(self, boards: Iterable[BoardId]) -> None:
        """Puts boards on the worker's list."""
        with answered():
            self._link.redis.sadd(keys.BOARDS, *map(str, boards))

    def live(self) -> list[BoardId]:
        """Boards not yet closed and settled, oldest first."""
        with answered():
            found: Any = self._link.redis.smembers(keys.BOARDS)
        names = sorted(name.decode() for name in found)
        return [BoardId.parse(name) for name in names]

    def retire(self, board: BoardId) -> None:
        """Takes a closed and settled board off the worker's list."""
        with answered():
            self._link.redis.srem(keys.BOARDS, str(board))

    def numbers(
        self, boards: Iterable[tuple[BoardId, int]], compacted: Container[BoardId] = ()
    ) -> list[Numbers]:
        """Started and finished of boards (with their number of shards), in one round trip.

        Of those ``compacted`` the list is cut; there the histogram counts who finished.
        """
        widths = []
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board, shards in boards:
                widths.append(shards)
                for shard in board.shards(shards):
                    pipe.get(shard.started)
                    if board in compacted:
                        pipe.hvals(shard.histogram)
                    else:
                        pipe.zcard(shard.scores)
            found = iter(pipe.execute())
        return [_numbers(list(islice(found, 2 * width))) for width in widths]

    def histogram(self, board: BoardId, shards: int) -> dict[int, int]:
        """Score -> number of players, over all shards."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.hgetall(shard.histogram)
            return merge_histograms(pipe.execute())

    def score_of(self, board: BoardId, shards: int, player: str) -> int | None:
        """A player's score on a board; None where no daily game of theirs is finished."""
        with answered():
            raw = self._link.redis.zscore(board.shard_of(player, shards).scores, player)
        return None if raw is None else -int(raw)

    def page(
        self, board: BoardId, shards: int, offset: int, limit: int
    ) -> tuple[list[Row], dict[int, int]]:
        """Rows ``offset`` … ``offset + limit − 1``, best first, and the histogram beside them.

        With one shard both come from one instant.
        """
        if shards == 1:
            return self._page_of_one(board.shards(1)[0], offset, limit)
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.zrange(shard.scores, 0, offset + limit - 1, withscores=True)
                pipe.hgetall(shard.histogram)
            found = pipe.execute()
        merged = heapq.merge(*(_pairs(raw) for raw in found[::2]))
        return _rows(islice(merged, offset, offset + limit)), merge_histograms(found[1::2])

    def position(self, board: BoardId, shards: int, player: str, score: int) -> int:
        """How many rows stand before a player's on the whole board."""
        return sum(self._positions(board, shards, player, score))

    def around(
        self, board: BoardId, shards: int, player: str, score: int, limit: int
    ) -> tuple[int, list[Row]]:
        """``limit`` rows with the player's in the middle, and the offset of the first."""
        positions = self._positions(board, shards, player, score)
        here = sum(positions)
        offset = max(0, here - limit // 2)
        before = here - offset
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard, at in zip(board.shards(shards), positions, strict=True):
                pipe.zrange(shard.scores, max(0, at - before), at + limit - 1, withscores=True)
            found = pipe.execute()
        rows = list(heapq.merge(*(_pairs(raw) for raw in found)))
        # Fewer stand before the player by now where some were erased meanwhile.
        first = max(0, rows.index((-score, player)) - before) if (-score, player) in rows else 0
        return offset, _rows(rows[first : first + limit])

    def unsettled(self, board: BoardId, shards: int, count: int) -> list[Row]:
        """Up to ``count`` finishes a shard that are not yet in their players' records."""
        with answered():
            rows: list[Row] = []
            for shard in board.shards(shards):
                pipe = self._link.redis.pipeline(transaction=False)
                members: Any = self._link.redis.srandmember(shard.unsettled, count)
                for member in members:
                    pipe.zscore(shard.scores, member)
                scores = pipe.execute() if members else []
                rows += [
                    Row(member.decode(), -int(raw))
                    for member, raw in zip(members, scores, strict=True)
                    if raw is not None
                ]
        return rows

    def unsettled_of(self, player: str) -> list[BoardId]:
        """Boards with a finish of this player that is not yet in the player's record.

        Where some of a cluster's servers are away, those on the others.
        """
        opened = self._live_shards()
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board, shards in opened:
                pipe.sismember(board.shard_of(player, shards).unsettled, player)
            found = within_reach(pipe.execute(raise_on_error=False))
        return [board for (board, _), waits in zip(opened, found, strict=True) if waits]

    def _live_shards(self) -> list[tuple[BoardId, int]]:
        """Live boards with their number of shards, which never changes once it is noted."""
        try:
            live = self.live()
        except StoreUnavailable:  # on a cluster the list may be away, and its boards not
            if self._link.kind != "cluster" or not self._widths:
                raise
            return list(self._widths.items())
        unknown = [board for board in live if board not in self._widths]
        notes = zip(unknown, self.notes(unknown) if unknown else [], strict=True)
        known = self._widths | {board: note.shards for board, note in notes if note is not None}
        self._widths = {board: known[board] for board in live if board in known}
        return list(self._widths.items())

    def settled(self, board: BoardId, shards: int, players: Iterable[str]) -> None:
        """Takes players off the unsettled sets."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for player in players:
                pipe.srem(board.shard_of(player, shards).unsettled, player)
            pipe.execute()

    def _positions(self, board: BoardId, shards: int, player: str, score: int) -> list[int]:
        return [
            int(self._position([shard.scores], [-score, player])) for shard in board.shards(shards)
        ]

    def _page_of_one(
        self, shard: Shard, offset: int, limit: int
    ) -> tuple[list[Row], dict[int, int]]:
        with answered():
            pipe = self._link.redis.pipeline(transaction=True)
            pipe.zrange(shard.scores, offset, offset + limit - 1, withscores=True)
            pipe.hgetall(shard.histogram)
            rows, histogram = pipe.execute()
        return _rows(_pairs(rows)), merge_histograms([histogram])


def merge_histograms(raw: Iterable[dict[bytes, bytes]]) -> dict[int, int]:
    """Histograms as Redis gives them, added up."""
    total: dict[int, int] = {}
    for one in raw:
        for score, count in one.items():
            total[int(score)] = total.get(int(score), 0) + int(count)
    return total


def _pairs(raw: Iterable[Any]) -> list[tuple[int, str]]:
    return [(int(negative), member.decode()) for member, negative in raw]


def _rows(pairs: Iterable[tuple[int, str]]) -> list[Row]:
    return [Row(player, -negative) for negative, player in pairs]


def _numbers(raw: list[Any]) -> Numbers:
    return Numbers(sum(int(value or 0) for value in raw[::2]), sum(map(_count, raw[1::2])))


def _count(raw: Any) -> int:
    """Players by the length of a list, or by the counts of a histogram."""
    return raw if isinstance(raw, int) else sum(map(int, raw))
