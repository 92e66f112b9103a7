"""Reading all there is, a piece at a time: whole boards, players, groups.

When Redis fails: every method raises StoreUnavailable and may be called again. A cursor holds
as long as the same servers run; each piece is as of the moment it was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from challenge.store import keys
from challenge.store.boards import Row, merge_histograms
from challenge.store.client import answered
from challenge.store.devices import RECOVERY
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link

BATCH = 500

Hash = dict[str, str]


@dataclass(frozen=True, slots=True)
class Game:
    """A game with all that lies beside it."""

    player: str
    log: bytes
    score: int | None
    unsettled: bool
    evidence: bytes
    apart: bool


@dataclass(frozen=True, slots=True)
class Person:
    """A player as the keys have it; ``recovery`` is the mark of a code that leads here."""

    id: str
    profile: Hash
    record: Hash
    skill: Hash
    recovery: str | None
    reports: Sequence[str]
    reported: int
    groups: dict[str, float]


@dataclass(frozen=True, slots=True)
class Circle:
    """A group as the keys have it."""

    id: str
    fields: Hash
    members: dict[str, float]


class Exporting:
    """Readers of one Redis, however many servers it has."""

    def __init__(self, link: Link) -> None:
        self._link = link

    # -- keys -------------------------------------------------------------------------------

    def servers(self) -> str:
        """What tells that cursors still hold: the runs of all servers."""
        with answered():
            found: list[Any] = [each.info("server") for each in self._link.masters()]
        return ",".join(str(info["run_id"]) for info in found)

    def scan(self, pattern: str, cursor: str) -> tuple[str, list[str]]:
        """Some keys of a pattern on all servers; the next cursor, empty at the end.

        A cursor is ``SERVER:CURSOR``; an empty one begins. A key may come twice.
        """
        server, _, at = (cursor or "0:0").partition(":")
        with answered():
            masters = self._link.masters()
            answer: Any = masters[int(server)].scan(int(at), match=pattern, count=BATCH)
        names = [key.decode() for key in answer[1]]
        if int(answer[0]):
            return f"{server}:{int(answer[0])}", names
        more = int(server) + 1 < len(masters)
        return (f"{int(server) + 1}:0" if more else ""), names

    # -- boards -----------------------------------------------------------------------------

    def started(self, board: BoardId, shards: int) -> list[int]:
        """Daily games begun on each shard.

        Only the sum means something where an import counted them on another shard than that
        from which an erasure took one: it then stands on the first.
        """
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in board.shards(shards):
                pipe.get(shard.started)
            counts = [int(value or 0) for value in pipe.execute()]
        return counts if min(counts) >= 0 else [max(0, sum(counts)), *[0] * (shards - 1)]

    def insight(self, board: BoardId) -> Hash:
        """What is worked out about the dice of a board."""
        with answered():
            raw: Any = self._link.redis.hgetall(board.insight)
        return _text(raw)

    def kept(
        self, board: BoardId, shards: int, most: int
    ) -> tuple[list[dict[int, int]], list[Row]]:
        """Score -> players of each shard, and the best ``most`` rows of a board without games.

        Both of a shard as of one moment: a row from before an erasure beside the counts from
        after it would not add up.
        """
        histograms, rows = [], []
        with answered():
            for shard in board.shards(shards):
                pipe = self._link.redis.pipeline(transaction=True)
                pipe.hgetall(shard.histogram)
                pipe.zrange(shard.scores, 0, most - 1, withscores=True)
                counts, listed = pipe.execute()
                histograms.append(merge_histograms([counts]))
                rows += [(raw, member) for member, raw in listed]
        return histograms, [Row(who.decode(), -int(raw)) for raw, who in sorted(rows)[:most]]

    def games(self, shard: Shard, cursor: int) -> tuple[int, list[Game]]:
        """Some games of a shard and the next cursor, 0 at the end; a game may come twice."""
        with answered():
            answer: Any = self._link.redis.hscan(shard.games, cursor, count=BATCH)
            found = self._whole(shard, list(answer[1])) if answer[1] else []
        return int(answer[0]), [_game(*each) for each in found if each[1] is not None]

    def _whole(self, shard: Shard, players: list[bytes]) -> list[tuple[Any, ...]]:
        """Players, their logs and what lies beside, as of one moment.

        A log from before the last entry beside the score from after it would be no game.
        """
        pipe = self._link.redis.pipeline(transaction=True)
        pipe.hmget(shard.games, players)
        pipe.zmscore(shard.scores, players)  # type: ignore[arg-type]  # bytes are members too
        pipe.smismember(shard.unsettled, players)
        pipe.hmget(shard.evidence, players)
        pipe.smismember(shard.apart, players)
        return list(zip(players, *pipe.execute(), strict=True))

    # -- players and groups -----------------------------------------------------------------

    def people(self, names: Sequence[str]) -> list[Person]:
        """The players that these keys belong to, each with the first key there is of it."""
        ids = list(dict.fromkeys(filter(None, map(keys.player_of, names))))
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for player in ids:
                pipe.hgetall(keys.record(player))
                pipe.hgetall(keys.profile(player))
                pipe.zrange(keys.groups_of(player), 0, -1, withscores=True)
                pipe.hgetall(keys.devices(player))
                pipe.smembers(keys.reports(player))
                pipe.hgetall(keys.skill(player))
                pipe.zscore(keys.REPORTS, player)
            found = pipe.execute() if ids else []
        return [
            _person(player, *found[7 * i : 7 * i + 7])
            for i, player in enumerate(ids)
            if _first(player, found[7 * i : 7 * i + 6]) in names
        ]

    def circles(self, names: Sequence[str]) -> list[Circle]:
        """The groups that these keys belong to."""
        ids = list(dict.fromkeys(filter(None, map(keys.group_of, names))))
        with answered():
            found = []
            for group in ids:
                pipe = self._link.redis.pipeline(transaction=True)  # as of one moment
                pipe.hgetall(keys.group(group))
                pipe.zrange(keys.members(group), 0, -1, withscores=True)
                found.append(pipe.execute())
        return [
            Circle(group, _text(fields), _scored(members))
            for group, (fields, members) in zip(ids, found, strict=True)
            if fields and members
        ]


def _first(player: str, parts: Sequence[Any]) -> str:
    """The first key that is there; the scan comes by all of them, and one alone counts."""
    return next((key(player) for key, part in zip(_PARTS, parts, strict=True) if part), "")


_PARTS = (
    *(keys.record, keys.profile, keys.groups_of),
    *(keys.devices, keys.reports, keys.skill),
)


def _person(
    player: str,
    record: dict[bytes, bytes],
    profile: dict[bytes, bytes],
    groups: Any,
    devices: dict[bytes, bytes],
    reports: set[bytes],
    skill: dict[bytes, bytes],
    reported: float | None,
) -> Person:
    return Person(
        id=player,
        profile=_text(profile),
        record=_text(record),
        skill=_text(skill),
        recovery=_text(devices).get(RECOVERY),
        reports=sorted(mark.decode() for mark in reports),
        reported=int(reported or 0),
        groups=_scored(groups),
    )


def _game(
    player: bytes, log: bytes, score: float | None, unsettled: int, evidence: Any, apart: int
) -> Game:
    counted = None if score is None else -int(score)
    return Game(player.decode(), log, counted, bool(unsettled), evidence or b"", bool(apart))


def _text(raw: dict[bytes, bytes]) -> Hash:
    return {name.decode(): value.decode() for name, value in raw.items()}


def _scored(raw: Any) -> dict[str, float]:
    return {member.decode(): float(score) for member, score in raw}
