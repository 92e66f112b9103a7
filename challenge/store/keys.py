"""Every Redis key: its name, its type and its lifetime. No other module builds one.

The part in braces is the cluster hash tag: what one script touches shares it. A board
of one shard has the tag ``{2026-11-30:yacht}``; of several, each shard has its own,
``{2026-11-30:yacht:7}``, while the note stays under the board's.

| key | type | holds | lives |
|--|--|--|--|
| ``sd1:boards`` | set | ``DATE:RULESET`` of boards not closed and settled | for good |
| ``sd1:{B}:note`` | hash | what the board noted at its opening; later its marks | for good |
| ``sd1:{B}:insight`` | hash | ``best``, ``line``, ``bot:NAME``: see ``insights`` | for good |
| ``sd1:{S}:closed`` | string | one-way mark: ``1`` no score any more, ``2`` no game | for good |
| ``sd1:{S}:games`` | hash | player -> log | until compacted |
| ``sd1:{S}:started`` | string | number of daily games begun | for good |
| ``sd1:{S}:scores`` | zset | player by negative score: ties ascend by id | for good, see below |
| ``sd1:{S}:histogram`` | hash | score -> number of players | for good |
| ``sd1:{S}:unsettled`` | set | players whose record lacks their finish | until settled |
| ``sd1:{S}:evidence`` | hash | player -> what the choices of the game say | until compacted |
| ``sd1:{S}:apart`` | set | players whose game is listed apart, if set so | until compacted |
| ``sd1:{S}:erased`` | set | MARK of players erased since the close | 30 days after the last |
| ``sd1:{p:ID}:profile`` | hash | ``name``, ``hidden``, ``epoch`` of valid tokens | until erased |
| ``sd1:{p:ID}:record`` | hash | ``DATE:RULESET`` -> score, empty unless settled | until erased |
| ``sd1:{p:ID}:skill`` | hash | ``DATE:RULESET`` -> mean, luck, given away | until erased |
| ``sd1:erasing`` | set | players whose erasure is under way | until erased |
| ``sd1:worker`` | string | when a worker last finished a round, unix seconds | for good |
| ``sd1:{p:ID}:devices`` | hash | kind of code -> valid MARK; MARK -> its kind | until erased |
| ``sd1:{p:ID}:out`` | string | MARK of the last sign-out everywhere | ten minutes |
| ``sd1:{t:MARK}`` | string | ``ID~EPOCH~EXPIRY`` of a code, once taken ``~MARK`` | ten minutes |
| ``sd1:{r:MARK}`` | string | player of a recovery code | until renewed |
| ``sd1:reports`` | zset | reported player by number of reporters | until dealt with |
| ``sd1:{p:ID}:reports`` | set | MARK of who reported this player | until dealt with |
| ``sd1:limits:…`` | string | counts by the keyed hash of an address, named by web | a day at most |
| ``sd1:{p:ID}:groups`` | zset | group by when the place was taken, in seconds | until left |
| ``sd1:{g:ID}:group`` | hash | ``name``, ``owner``, ``nonce``, ``created`` | until empty |
| ``sd1:{g:ID}:members`` | zset | player by when, in seconds | until empty |
| ``sd1:{gone:MARK}`` | string | a player was erased; MARK is a keyed hash | for good |

B is a board, S one of its shards. Of a compacted board the best 1000 scores stay. A record
names every board on which its player began a game, so that export and erasure find them all.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

PREFIX = "sd1:"
BOARDS = f"{PREFIX}boards"
ERASING = f"{PREFIX}erasing"
WORKER = f"{PREFIX}worker"
REPORTS = f"{PREFIX}reports"
LIMITS = f"{PREFIX}limits"
ERASED_SECONDS = 30 * 24 * 3600  # an erasure that broke off is finished long before


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

    @property
    def insight(self) -> str:
        """Key of what its dice allow, and of the computer players' games."""
        return f"{PREFIX}{{{self}}}:insight"

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

    __slots__ = (
        "apart", "closed", "erased", "evidence", "games", "histogram", "scores", "started",
        "unsettled",
    )  # fmt: skip

    def __init__(self, tag: str) -> None:
        base = f"{PREFIX}{{{tag}}}:"
        self.closed = f"{base}closed"
        self.games = f"{base}games"
        self.started = f"{base}started"
        self.scores = f"{base}scores"
        self.histogram = f"{base}histogram"
        self.unsettled = f"{base}unsettled"
        self.evidence = f"{base}evidence"
        self.apart = f"{base}apart"
        self.erased = f"{base}erased"


def profile(player: str) -> str:
    """Key of a player's profile."""
    return f"{PREFIX}{{p:{player}}}:profile"


def record(player: str) -> str:
    """Key of a player's record: the boards played on, with the score of what counted."""
    return f"{PREFIX}{{p:{player}}}:record"


def skill(player: str) -> str:
    """Key of what the reviews of a player's games came to."""
    return f"{PREFIX}{{p:{player}}}:skill"


def devices(player: str) -> str:
    """Key of the marks of a player's valid codes."""
    return f"{PREFIX}{{p:{player}}}:devices"


def out(player: str) -> str:
    """Key of the last sign-out of a player, by its keyed hash."""
    return f"{PREFIX}{{p:{player}}}:out"


def transfer(mark: str) -> str:
    """Key of a transfer code, by its keyed hash."""
    return f"{PREFIX}{{t:{mark}}}"


def recovery(mark: str) -> str:
    """Key of a recovery code, by its keyed hash."""
    return f"{PREFIX}{{r:{mark}}}"


def reports(player: str) -> str:
    """Key of who reported a player, by keyed hashes."""
    return f"{PREFIX}{{p:{player}}}:reports"


def groups_of(player: str) -> str:
    """Key of a player's list of groups."""
    return f"{PREFIX}{{p:{player}}}:groups"


def group(group: str) -> str:
    """Key of a group: what it is called, whose it is, which invite holds."""
    return f"{PREFIX}{{g:{group}}}:group"


def members(group: str) -> str:
    """Key of the members of a group."""
    return f"{PREFIX}{{g:{group}}}:members"


def limit(name: str) -> str:
    """Key of a count behind a limit."""
    return f"{LIMITS}:{name}"


def gone(mark: str) -> str:
    """Key that says a player was erased, by the keyed hash of the id."""
    return f"{PREFIX}{{gone:{mark}}}"


# -- back from keys, for who reads them all ---------------------------------------------------

PLAYERS = f"{PREFIX}{{p:*"
GROUPS = f"{PREFIX}{{g:*}}:group"
GONE = f"{PREFIX}{{gone:*"


def player_of(key: str) -> str:
    """The player a key of :data:`PLAYERS` belongs to."""
    return key.removeprefix(f"{PREFIX}{{p:").partition("}")[0]


def group_of(key: str) -> str:
    """The group a key of :data:`GROUPS` belongs to."""
    return key.removeprefix(f"{PREFIX}{{g:").partition("}")[0]


def mark_of(key: str) -> str:
    """The MARK in a key of :data:`GONE`."""
    return key.removeprefix(f"{PREFIX}{{gone:").partition("}")[0]
