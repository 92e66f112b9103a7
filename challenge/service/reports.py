"""Reports of names, and what an operator does about them."""

from __future__ import annotations

from dataclasses import dataclass

from challenge.daily import names
from challenge.errors import NotFound
from challenge.store.store import Store

SHOWN = 200  # reported players a list has at most


@dataclass(frozen=True, slots=True)
class Reported:
    """A player as an operator sees one.

    ``name`` is the given one with its tag, shown or not; ``reports`` are those since the
    player was last dealt with.
    """

    player: str
    name: str
    hidden: bool
    reports: int


class Reports:
    """Who was reported, and the operator's ways with a name."""

    def __init__(self, store: Store) -> None:
        self._reports = store.reports
        self._players = store.players

    def report(self, reporter: str, reported: str) -> None:
        """Counts a report of a name; a second one by the same player is none.

        Raises:
            NotFound: the reported player has no name, or is oneself.
        """
        if self._players.names([reported]) == [None] or reporter == reported:
            raise NotFound("There is no name to report.")
        self._reports.add(reported, reporter)
        if self._players.is_gone(reported):  # erased meanwhile: its reports go with it
            self._players.mark_gone(reported)
            self._reports.forget(reported)

    def open(self) -> list[Reported]:
        """Those reported and not yet dealt with, most reports first."""
        return [self._reported(player, count) for player, count in self._reports.open(SHOWN)]

    def look(self, player: str) -> Reported:
        """A player as an operator sees one.

        Raises:
            NotFound: nobody has this id, or nothing is kept of one who has.
        """
        if not self._players.exists(player):
            raise NotFound("Nothing is kept of such a player.")
        return self._reported(player, self._reports.count(player))

    def hide(self, player: str, *, hidden: bool = True) -> Reported:
        """Shows a player without the name, whatever it is changed to, or with it again.

        That deals with the reports. Raises like :meth:`look`.
        """
        self.look(player)
        self._players.hide(player, hidden=hidden)
        return self.dismiss(player)

    def rename(self, player: str, name: str) -> Reported:
        """Gives a player a name in place of the reported one, and shows it.

        Raises:
            BadInput: the name is none by RFC 8266 or too long.
            NotFound: as :meth:`look`.
        """
        self.look(player)
        self._players.rename(player, names.clean(name, player))
        return self.hide(player, hidden=False)

    def dismiss(self, player: str) -> Reported:
        """Takes a player off the list of reports. Raises like :meth:`look`."""
        self._reports.forget(player)
        if self._players.is_gone(player):
            self._players.mark_gone(player)
        return self.look(player)

    def forget(self, player: str) -> None:
        """Deletes the reports of a player who is erased. Repeating it is harmless."""
        self._reports.forget(player)

    def _reported(self, player: str, count: int) -> Reported:
        name, hidden = self._players.given(player)
        return Reported(player, names.display(player, name), hidden, count)
