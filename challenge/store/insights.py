"""What the dice of a board allow: the best game on them, and the computer players' games.

All of it follows from the seed of the board and never changes: writing it twice writes the
same. When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from challenge.game import log
from challenge.store.client import answered
from challenge.store.keys import BoardId
from challenge.store.link import Link

BEST, LINE, BOT = "best", "line", "bot:"


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a board: the highest total and the log of one such game (None until
    worked out), and the log of each computer player by its strength.
    """

    best: int | None = None
    line: bytes | None = None
    bots: Mapping[str, bytes] = field(default_factory=dict)


class Insights:
    """The insight hashes of all boards of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def read(self, boards: Sequence[BoardId]) -> list[Known]:
        """What is known of boards, in one round trip."""
        with answered():
            pipe = self._link.redis.pipeline(transaction=False)
            for board in boards:
                pipe.hgetall(board.insight)
            return [known_of(_text(raw)) for raw in pipe.execute()]

    def write(self, board: BoardId, known: Known) -> None:
        """Keep what has been worked out; what was known before and is not in it stays."""
        fields: dict[Any, Any] = {
            f"{BOT}{name}": log.to_text(made) for name, made in known.bots.items()
        }
        if known.best is not None and known.line is not None:
            fields |= {BEST: str(known.best), LINE: log.to_text(known.line)}
        if fields:
            with answered():
                self._link.redis.hset(board.insight, mapping=fields)


def _text(raw: Mapping[bytes, bytes]) -> dict[str, str]:
    return {key.decode(): value.decode() for key, value in raw.items()}


def known_of(found: Mapping[str, str]) -> Known:
    """What the fields of the hash say.

    Raises:
        ValueError, BadInput: they say nothing of the kind.
    """
    best, line = found.get(BEST), found.get(LINE)
    bots = {
        key.removeprefix(BOT): log.from_text(made)
        for key, made in found.items()
        if key.startswith(BOT)
    }
    return Known(
        None if best is None else int(best), None if line is None else log.from_text(line), bots
    )
