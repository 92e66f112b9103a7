"""Erasure: everything of a player goes, from open and closed boards alike.

In this order, so that it can break off anywhere and be repeated: the player is noted as
being erased and is nobody from then on; games, scores and histogram counts leave their
boards; then what else is held; last the record, which says where the games are, and the note.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence

from challenge.errors import StoreUnavailable
from challenge.store.keys import BoardId
from challenge.store.store import Store

BATCH = 500  # boards whose notes are read at once

log = logging.getLogger("challenge.erasure")

Forget = Callable[[str], object]
"""Takes a player out of one part of what is held; repeating it is harmless."""


class Erasure:
    """Erases players; ``more`` are the parts beside boards and the player's own record."""

    def __init__(self, store: Store, more: Sequence[Forget] = ()) -> None:
        self._store = store
        self._more = more

    def request(self, player: str) -> bool:
        """Erases a player who asks for it; whether all of it is done.

        Once it is noted it will be done, be it by the worker: whoever asked is nobody from
        then on, and could not even ask again.

        Raises:
            StoreUnavailable: Redis does not answer; nothing may have been noted.
        """
        self._store.players.mark_gone(player)
        try:
            self._sweep(player)
        except StoreUnavailable:
            log.warning("an erasure broke off; the worker finishes it")
            return False
        return True

    def erase(self, player: str) -> None:
        """Erases a player; a keyed hash of the id stays, so that its tokens are nobody's.

        Raises:
            StoreUnavailable: Redis does not answer; the worker finishes what was begun.
        """
        self._store.players.mark_gone(player)
        self._sweep(player)

    def resume(self) -> None:
        """The worker's part: finishes erasures that broke off.

        Raises:
            StoreUnavailable: Redis does not answer; the next round goes on.
        """
        for player in self._store.players.erasing():
            self.erase(player)
            log.info("finished an erasure")

    def _sweep(self, player: str) -> None:
        begun = self._store.players.begun(player)
        scores = self._store.players.record(player)
        for start in range(0, len(begun), BATCH):
            self._leave_boards(player, begun[start : start + BATCH], scores)
        for forget in self._more:
            forget(player)
        self._store.players.forget(player)

    def _leave_boards(
        self, player: str, boards: Sequence[BoardId], scores: Mapping[BoardId, int]
    ) -> None:
        for board, note in zip(boards, self._store.boards.notes(boards), strict=True):
            if note is not None:
                mark = self._store.players.erased_mark(player, board)
                self._store.games.erase(
                    board, note.shards, player, score=scores.get(board), mark=mark
                )
