"""A board among friends: everyone in one of the visitor's groups, before the rest of the world."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from challenge.web.current import now, services
from challenge.web.pages import ranks
from challenge.web.pages.ranks import Row


@dataclass(frozen=True, slots=True)
class Friends:
    """The visitor's circle on a board: ``rows`` have finished it, of ``players`` in all.

    ``own`` is the visitor's row where it does not follow on the others. A visitor without
    friends has ``players`` 0.
    """

    players: int
    rows: list[Row]
    own: Row | None = None


def of(player: str | None, day: date, ruleset: str, most: int) -> Friends:
    """The friends of a visitor on a board, the ``most`` best of them."""
    friends = services().groups.friends(player) if player else []
    if player is None or not friends:
        return Friends(0, [])
    entries = services().circles.friends_board(player, day, ruleset, now(), limit=most)
    scores = [entry.score for entry in entries]
    rows = [ranks.row_of(entry, scores.count(entry.score) > 1) for entry in entries]
    own = rows.pop() if len(rows) > most else None
    return Friends(1 + len(friends), rows, own)
