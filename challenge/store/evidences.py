"""What the choices of finished games say about whether their players knew the dice.

All of it follows from the games: writing it twice writes the same, losing it costs time only.
When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from challenge.daily.evidence import SCOUTS, Evidence
from challenge.store.client import Script, answered
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link

BATCH = 500
VERSION = 1  # of how evidence is worked out; what another one left is worked out anew

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
                missing = [player for player, text in pairs if not _is_current(text)]
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
        self._write(keys, [player, _text(found), int(apart)])

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
    return {player: _evidence(text) for player, text in pairs if text and _is_current(text)}


def _is_current(text: bytes | None) -> bool:
    return text is not None and text.split(b" ", 1)[0] == str(VERSION).encode()


def _text(found: Evidence) -> str:
    numbers = (found.gained, found.variance, *found.logs)
    return " ".join((str(VERSION), str(found.choices), *(repr(float(each)) for each in numbers)))


def _evidence(text: bytes) -> Evidence:
    _, choices, gained, variance, *logs = text.split()
    assert len(logs) == len(SCOUTS)  # noqa: S101 - of this version
    return Evidence(int(choices), float(gained), float(variance), tuple(map(float, logs)))
