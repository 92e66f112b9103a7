"""What operators look at: how full the boards are, what waits, whether a worker is at work.

When Redis fails: every method raises StoreUnavailable. All may be repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from challenge.store import keys
from challenge.store.client import answered
from challenge.store.keys import BoardId
from challenge.store.link import Link

PER_SHARD = 3  # commands


@dataclass(frozen=True, slots=True)
class Counts:
    """Players of a board who have begun and finished, and finishes not settled yet."""

    started: int
    finished: int
    unsettled: int


class Figures:
    """The figures of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def counts(self, boards: Iterable[tuple[BoardId, int]]) -> list[Counts]:
        """Of boards (with their number of shards), in one round trip a node."""
        widths = []
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board, shards in boards:
                widths.append(shards)
                for shard in board.shards(shards):
                    pipe.get(shard.started)
                    pipe.zcard(shard.scores)
                    pipe.scard(shard.unsettled)
            found = iter(pipe.execute() if widths else ())
        return [_counts(list(islice(found, PER_SHARD * width))) for width in widths]

    def erasing(self) -> int:
        """How many erasures are under way."""
        with answered():
            return int(self._link.redis.scard(keys.ERASING))

    def note_round(self, now: datetime) -> None:
        """A worker has finished a round."""
        with answered():
            self._link.redis.set(keys.WORKER, int(now.timestamp()))

    def last_round(self) -> datetime | None:
        """When a worker last finished a round, to the second; None: never."""
        with answered():
            found: Any = self._link.redis.get(keys.WORKER)
        return None if found is None else datetime.fromtimestamp(int(found), UTC)


def _counts(raw: list[Any]) -> Counts:
    started, finished, unsettled = (
        sum(int(value or 0) for value in raw[i::PER_SHARD]) for i in range(PER_SHARD)
    )
    return Counts(started, finished, unsettled)
