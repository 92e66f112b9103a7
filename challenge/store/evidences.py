"""What the choices of finished games say about whether their players knew the dice.

A game's evidence is kept in 19 bytes, little-endian: version (one byte), choices (two), then
four float32: points gained, their variance, and the logarithms of :data:`SCOUTS`. A float32 is
off by 6e-8 of the number at most; odds of a week near a threshold by a millionth of a power of
ten. What was kept decides, see :func:`kept`, so that nothing looks different when it is read.

All of it follows from the games: writing it twice writes the same, losing it costs time only.
When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from challenge.daily.evidence import SCOUTS, Evidence
from challenge.store.client import Script, answered
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link

BATCH = 500
VERSION = 2  # of how evidence is worked out and kept; what another one left is worked out anew
_PACKED = struct.Struct(f"<BH{2 + len(SCOUTS)}f")

Asked = tuple[BoardId, int]
"""A board and its number of shards."""


class Evidences:
    """The evidence hashes of all boards of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._write = Script(link, "evidence")

    def waiting(self, boards: Sequence[Asked]) -> list[int]:
        """How many finished games of each board have no evidence yet, in one round trip."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board, shards in boards:
                for shard in board.shards(shards):
                    pipe.zcard(shard.scores)
                    pipe.hlen(shard.evidence)
            found = iter(pipe.execute())
        return [
            sum(max(0, next(found) - next(found)) for _ in range(shards)) for _, shards in boards
        ]

    def logs(self, board: BoardId, shards: int) -> Iterator[tuple[str, bytes | None]]:
        """Player and log of the finished games that have no evidence of this version yet.

        A log is None where there is none; what is written while this runs may be missed.
        """
        for shard in board.shards(shards):
            for players in self._finished(shard):
                with answered():
                    known: Any = self._link.redis.hmget(shard.evidence, players)
                pairs = zip(players, known, strict=True)
                missing = [player for player, raw in pairs if not _is_current(raw)]
                if missing:
                    with answered():
                        found: Any = self._link.redis.hmget(shard.games, missing)
                    yield from zip(missing, found, strict=True)

    def write(
        self, board: BoardId, shards: int, player: str, found: Evidence, *, apart: bool
    ) -> None:
        """Notes the evidence of a player's game and whether it is listed apart.

        Of a game that was erased meanwhile nothing is kept.
        """
        shard = board.shard_of(player, shards)
        keys = [shard.games, shard.evidence, shard.apart]
        self._write(keys, [player, _pack(found), int(apart)])

    def read(self, boards: Sequence[Asked], players: Sequence[str]) -> list[dict[str, Evidence]]:
        """Per board player -> evidence, of those who have any, in one round trip."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            asked = []
            for board, shards in boards:
                split = _split(board, shards, players)
                for shard, those in split:
                    pipe.hmget(shard.evidence, those)
                asked.append([those for _, those in split])
            found = iter(pipe.execute() if any(asked) else [])
        return [_known([pair for those in each for pair in zip(those, next(found), strict=True)])
                for each in asked]  # fmt: skip

    def apart(self, board: BoardId, shards: int) -> frozenset[str]:
        """The players whose games are listed apart, in one round trip."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.smembers(shard.apart)
            return frozenset(player.decode() for each in pipe.execute() for player in each)

    def _finished(self, shard: Shard) -> Iterator[list[str]]:
        """Everybody on a shard, in batches; some may come twice."""
        cursor: int | None = None
        while cursor != 0:
            with answered():
                raw: Any = self._link.redis.zscan(shard.scores, cursor or 0, count=BATCH)
            cursor, rows = int(raw[0]), raw[1]
            if rows:
                yield [row[0].decode() for row in rows]


def _split(board: BoardId, shards: int, players: Sequence[str]) -> list[tuple[Shard, list[str]]]:
    by_shard: dict[Shard, list[str]] = {}
    for player in players:
        by_shard.setdefault(board.shard_of(player, shards), []).append(player)
    return list(by_shard.items())


def _known(pairs: Sequence[tuple[str, bytes | None]]) -> dict[str, Evidence]:
    return {player: _unpack(raw) for player, raw in pairs if raw and _is_current(raw)}


def kept(found: Evidence) -> Evidence:
    """Evidence as it will be read again."""
    return _unpack(_pack(found))


def _is_current(raw: bytes | None) -> bool:
    return raw is not None and len(raw) == _PACKED.size and raw[0] == VERSION


def _pack(found: Evidence) -> bytes:
    return _PACKED.pack(VERSION, found.choices, found.gained, found.variance, *found.logs)


def _unpack(raw: bytes) -> Evidence:
    _, choices, gained, variance, *logs = _PACKED.unpack(raw)
    return Evidence(choices, gained, variance, tuple(logs))
