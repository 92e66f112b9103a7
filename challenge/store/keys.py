"""Every Redis key: its name, its type and its lifetime. No other module builds one.

The part in braces is the cluster hash tag: what one script touches shares it. A board
of one shard has the tag ``{2026-11-30:yacht}``; of several, each shard has its own,
``{2026-11-30:yacht:7}``, while the note stays under the board's.

| key | type | holds | lives |
|--|--|--|--|
| ``sd1:boards`` | set | ``DATE:RULESET`` of boards not closed and settled | for good |
| ``sd1:{B}:note`` | hash | what the board noted at its opening; later ``seed`` | for good |
| ``sd1:{S}:closed`` | string | one-way mark: no score goes on this shard any more | for good |
| ``sd1:{S}:games`` | hash | player -> log | for good |
| ``sd1:{S}:started`` | string | number of daily games begun | for good |
| ``sd1:{S}:scores`` | zset | player by negative score: ties ascend by id | for good |
| ``sd1:{S}:histogram`` | hash | score -> number of players | for good |
| ``sd1:{S}:unsettled`` | set | players whose record lacks their finish | until settled |
| ``sd1:{p:ID}:profile`` | hash | ``name``, ``epoch`` of the valid tokens | until erased |
| ``sd1:{p:ID}:record`` | hash | ``DATE:RULESET`` -> score, empty unless settled | until erased |
| ``sd1:{gone:MARK}`` | string | a player was erased; MARK is a keyed hash of the id | for good |

B is a board, S one of its shards. A record names every board on which its player began a
game, so that export and erasure find them all.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

PREFIX = "sd1:"
BOARDS = f"{PREFIX}boards"


@dataclass(frozen=True, slots=True)
class BoardId:
    """A date and a sheet: one board."""

    day: date
    ruleset: str

    def __str__(self) -> str:
        return f"{self.day.isoformat()}:{self.ruleset}"

    @classmethod
    def parse(cls, text: str) -> BoardId:
        """The inverse of ``str``."""
        day, _, ruleset = text.partition(":")
        return cls(date.fromisoformat(day), ruleset)

    @property
    def note(self) -> str:
        """Key of the opening note."""
        return f"{PREFIX}{{{self}}}:note"

    def shard_of(self, player: str, shards: int) -> Shard:
        """The shard that holds a player's game."""
        found = self.shards(shards)
        return found[0] if shards == 1 else found[zlib.crc32(player.encode()) % shards]

    @lru_cache(maxsize=1024)  # noqa: B019 - the ids are few, and building keys costs
    def shards(self, shards: int) -> tuple[Shard, ...]:
        """All shards of the board."""
        if shards == 1:
            return (Shard(str(self)),)
        return tuple(Shard(f"{self}:{i}") for i in range(shards))


class Shard:
    """The keys of one shard of a board."""

    __slots__ = ("closed", "games", "histogram", "scores", "started", "unsettled")

    def __init__(self, tag: str) -> None:
        base = f"{PREFIX}{{{tag}}}:"
        self.closed = f"{base}closed"
        self.games = f"{base}games"
        self.started = f"{base}started"
        self.scores = f"{base}scores"
        self.histogram = f"{base}histogram"
        self.unsettled = f"{base}unsettled"


def profile(player: str) -> str:
    """Key of a player's profile."""
    return f"{PREFIX}{{p:{player}}}:profile"


def record(player: str) -> str:
    """Key of a player's record: the boards played on, with the score of what counted."""
    return f"{PREFIX}{{p:{player}}}:record"


def gone(mark: str) -> str:
    """Key that says a player was erased, by the keyed hash of the id."""
    return f"{PREFIX}{{gone:{mark}}}"
