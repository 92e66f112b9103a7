"""Putting back what an export has: whole lines, each of which may be put there again.

When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import gt
from typing import Any

from challenge.store import keys
from challenge.store.boards import Row
from challenge.store.client import Script, answered
from challenge.store.compaction import NO_GAMES
from challenge.store.devices import RECOVERY
from challenge.store.exporting import Circle, Game, Person
from challenge.store.keys import BoardId, Shard
from challenge.store.link import Link
from challenge.store.notes import Note, fields_of, marks_of


class Importing:
    """Writers of one Redis, however many servers it has."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._games = Script(link, "import_games")
        self._open = Script(link, "open_board")

    # -- boards -----------------------------------------------------------------------------

    def board(self, board: BoardId, note: Note, *, live: bool) -> None:
        """Opens a board unless it is open; closes it where the note says so.

        ``live`` puts it on the worker's list.
        """
        redis = self._link.redis
        with answered():
            if live:
                redis.sadd(keys.BOARDS, str(board))
            self._open([board.note], fields_of(note))
            if note.closed:
                pipe = redis.pipeline(transaction=False)
                for shard in board.shards(note.shards):
                    pipe.set(shard.closed, "1", nx=True)
                pipe.execute()
            marks: dict[Any, Any] = marks_of(note)
            if marks:
                redis.hset(board.note, mapping=marks)

    def compacted(
        self, board: BoardId, note: Note, histograms: Sequence[Mapping[int, int]], best: list[Row]
    ) -> None:
        """A board without games, that nobody has opened here; its note comes last.

        The scores of its list go into the players' records first: an erasure finds a player
        on a board by the record alone, and of some on the list there may be no line.
        """
        redis, shards = self._link.redis, board.shards(note.shards)
        with answered():
            pipe = redis.pipeline(transaction=False)
            for row in best:
                pipe.hset(keys.record(row.player), str(board), row.score)
            pipe.execute()
            pipe = redis.pipeline(transaction=False)
            for shard, histogram in zip(shards, histograms, strict=True):
                pipe.set(shard.closed, NO_GAMES)
                pipe.delete(shard.histogram, shard.scores)
                if histogram:
                    pipe.hset(shard.histogram, mapping=_plain(histogram))
            for row in best:
                place = board.shard_of(row.player, note.shards)
                pipe.zadd(place.scores, {row.player: -row.score})
            pipe.execute()
            fields = fields_of(note)
            noted = dict(zip(fields[::2], fields[1::2], strict=True)) | marks_of(note)
            redis.hset(board.note, mapping=_plain(noted))

    def started(self, board: BoardId, shards: int, counts: Sequence[int]) -> None:
        """How many daily games were begun on each shard, where fewer are known.

        Those of players erased here since the close are not among them any more. Where they
        lie on other shards here, all that are missing are counted on the first one.
        """
        parts = board.shards(shards)
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for shard in parts:
                pipe.get(shard.started)
                pipe.scard(shard.erased)
            found = [int(raw or 0) for raw in pipe.execute()]
            known = [begun + erased for begun, erased in zip(found[::2], found[1::2], strict=True)]
            missing = sum(counts) - sum(known)
            if len(counts) != shards or any(map(gt, known, counts)):
                counts = [known[0] + missing, *known[1:]]
            for shard, count, have, erased in zip(parts, counts, known, found[1::2], strict=True):
                if missing > 0 and have < count:
                    self._link.redis.set(shard.started, count - erased)

    def insight(self, board: BoardId, fields: Mapping[str, str]) -> None:
        """What is worked out about the dice of a board; it is the same everywhere."""
        if fields:
            with answered():
                self._link.redis.hset(board.insight, mapping=_plain(fields))

    def games(self, board: BoardId, shard: Shard, games: Sequence[Game]) -> list[str]:
        """Games of one shard, with their boards in the players' records; one word each.

        The words are those of the script. The record has the score of what is not settled as
        well: where the board is closed here, the worker may have left it before its games came.
        """
        name = str(board)
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for game in games:
                pipe.hsetnx(keys.record(game.player), name, "")
            pipe.execute()
            words = [word.decode() for word in self._games(_keys(shard), _arguments(games))]
            pipe = self._link.redis.pipeline(transaction=False)
            for game, word in zip(games, words, strict=True):
                if game.score is not None and word in SETTLED:
                    pipe.hset(keys.record(game.player), name, game.score)
            pipe.execute()
        return words

    # -- players and groups -----------------------------------------------------------------

    def gone(self, marks: Sequence[str]) -> list[bool]:
        """Marks that players were erased; which of them were not known."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for mark in marks:
                pipe.set(keys.gone(mark), "1", nx=True)
            return [bool(answer) for answer in pipe.execute()]

    def known_gone(self, marks: Sequence[str]) -> list[bool]:
        """Which of these marks are known here."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for mark in marks:
                pipe.exists(keys.gone(mark))
            return [bool(answer) for answer in pipe.execute()]

    def person(self, person: Person) -> None:
        """A player; what is known here stays, and tokens signed out anywhere stay so."""
        id, epoch = person.id, int(person.profile.get("epoch", 0))
        redis = self._link.redis
        with answered():
            known: Any = redis.hget(keys.profile(id), "epoch") if epoch else 0
            pipe = redis.pipeline(transaction=True)  # keys of one player: all or nothing
            for field in ("name", "hidden"):
                if field in person.profile:
                    pipe.hsetnx(keys.profile(id), field, person.profile[field])
            if epoch > int(known or 0):
                pipe.hset(keys.profile(id), "epoch", epoch)
            for key, fields in ((keys.record(id), person.record), (keys.skill(id), person.skill)):
                for field, value in fields.items():
                    pipe.hsetnx(key, field, value)
            if person.groups:
                pipe.zadd(keys.groups_of(id), person.groups, gt=True)
            if person.reports:
                pipe.sadd(keys.reports(id), *person.reports)
            if person.recovery:
                pipe.hsetnx(keys.devices(id), RECOVERY, person.recovery)
                pipe.hset(keys.devices(id), person.recovery, RECOVERY)
            pipe.execute()
            if person.recovery:
                redis.set(keys.recovery(person.recovery), id, nx=True)
            if person.reported:
                redis.zadd(keys.REPORTS, {id: person.reported}, gt=True)

    def circle(self, circle: Circle) -> bool:
        """A group unless it is here already; whether it was not.

        The members have it in their lists first, as when they join: the line of one who left
        while the export was written does not name it, and one may be missing.
        """
        with answered():
            redis = self._link.redis
            if redis.exists(keys.group(circle.id)):
                return False
            pipe = redis.pipeline(transaction=False)
            for member, when in circle.members.items():
                pipe.zadd(keys.groups_of(member), {circle.id: int(when)}, nx=True)
            pipe.execute()
            pipe = redis.pipeline(transaction=True)
            pipe.hset(keys.group(circle.id), mapping=_plain(circle.fields))
            pipe.zadd(keys.members(circle.id), circle.members)
            pipe.execute()
        return True


SETTLED = ("new", "further", "same")


def _keys(shard: Shard) -> list[str]:
    return [
        *(shard.games, shard.closed, shard.scores, shard.histogram, shard.unsettled),
        *(shard.started, shard.evidence, shard.apart),
    ]


def _arguments(games: Sequence[Game]) -> list[str | bytes | int]:
    found: list[str | bytes | int] = []
    for game in games:
        score = "" if game.score is None else game.score
        found += [game.player, game.log, score, int(game.unsettled), game.evidence, int(game.apart)]
    return found


def _plain(fields: Mapping[Any, Any]) -> dict[Any, Any]:
    return dict(fields)
