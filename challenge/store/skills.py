"""What the reviews of a player's games came to, so that no average works them out again.

All of it follows from the games: writing it twice writes the same, losing it costs time only.
When Redis fails: every method raises StoreUnavailable and may be called again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from challenge.solver.skill import Skill
from challenge.store import keys
from challenge.store.client import answered
from challenge.store.keys import BoardId
from challenge.store.link import Link


class Skills:
    """The skill hashes of all players of one Redis."""

    def __init__(self, link: Link) -> None:
        self._link = link

    def read(self, player: str, boards: Sequence[BoardId]) -> list[Skill | None]:
        """What is known of a player's games on these boards, in one round trip."""
        if not boards:
            return []
        with answered():
            raw: Any = self._link.redis.hmget(keys.skill(player), [str(board) for board in boards])
        return [None if text is None else skill_of(text.decode()) for text in raw]

    def keep(self, player: str, found: Mapping[BoardId, Skill]) -> None:
        """Notes what reviews came to; for a player who is gone see :meth:`forget`."""
        if found:
            fields: dict[Any, Any] = {str(board): _text(skill) for board, skill in found.items()}
            with answered():
                self._link.redis.hset(keys.skill(player), mapping=fields)

    def forget(self, player: str) -> None:
        """Deletes all of a player's."""
        with answered():
            self._link.redis.delete(keys.skill(player))


def _text(skill: Skill) -> str:
    return " ".join(map(repr, map(float, skill)))


def skill_of(text: str) -> Skill:
    """What is kept of a review.

    Raises:
        ValueError: it is none.
    """
    mean, luck, given_away = map(float, text.split())
    if not all(map(isfinite, (mean, luck, given_away))):
        raise ValueError(text)
    return Skill(mean, luck, given_away)
