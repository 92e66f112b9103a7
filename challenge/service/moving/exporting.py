"""Exporting: everything that makes up the service, piece by piece, in constant memory.

Erased players come first, so that an import knows them; then board by board, oldest first,
each with its games; then groups and players; at last the erased once more, with those who
came to be meanwhile. Left out is
what ends by itself (transfer codes, limits), and what follows from the rest.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import dropwhile

from challenge.daily.calendar import FIRST_DAY
from challenge.errors import SamediceError
from challenge.game import log as notation
from challenge.game import rulesets
from challenge.service.erasure import Erasure
from challenge.service.moving import lines
from challenge.service.moving.lines import (
    AtLine,
    BoardLine,
    EndLine,
    GameLine,
    GoneLine,
    GroupLine,
    Kept,
    Line,
    PlayerLine,
)
from challenge.store import keys
from challenge.store.boards import Note
from challenge.store.compaction import KEPT
from challenge.store.exporting import Circle, Game, Person
from challenge.store.keys import BoardId
from challenge.store.notes import fields_of
from challenge.store.store import Store

GONE, PEOPLE, LATE = "gone", "people", "late"
END = "end"  # cursor of a section that is through
DAYS = 20  # whose notes are read at once


class ChangedMeanwhile(SamediceError):
    """What was being read changed under our hands; its section has to be read again."""

    def __init__(self, why: str) -> None:
        super().__init__(f"{why} while the export was written. Run the command again.")


@dataclass(frozen=True, slots=True)
class Piece:
    """Some lines of a section, and the mark from which to go on after them.

    ``done`` is how much of the whole is behind, 0 … 1, roughly.
    """

    lines: list[Line]
    at: AtLine
    done: float


class Exporter:
    """One export: from the beginning, or from a mark on."""

    def __init__(self, store: Store, erasure: Erasure, now: datetime) -> None:
        self._store = store
        self._source = store.exporting
        self._erasure = erasure
        self._last = now.date() + timedelta(days=1)  # today, in any zone

    def holds(self, at: AtLine) -> bool:
        """Whether the cursor of a mark still does: none outlives the servers that gave it."""
        return at.servers == self._source.servers()

    def pieces(self, at: AtLine | None = None) -> Iterator[Piece]:
        """All pieces, or those from ``at`` on.

        Raises:
            ChangedMeanwhile: a board was compacted, or a server has another take its place.
            StoreUnavailable: Redis does not answer.
        """
        self._erasure.resume()
        servers = self._source.servers()
        section, cursor = (at.section, at.cursor) if at else (GONE, "")
        for name in dropwhile(lambda name: name != section, self._sections(section)):
            for piece in self._section(name, cursor):
                if self._source.servers() != servers:
                    raise ChangedMeanwhile("The servers changed")
                mark = AtLine(name, piece.at.cursor, servers)
                yield Piece(piece.lines, mark, self._share(name))
            cursor = ""

    def _sections(self, at: str) -> Iterator[str]:
        if at == GONE:
            yield GONE
        day = FIRST_DAY if at == GONE else self._last + timedelta(days=1)
        if at not in (GONE, PEOPLE, LATE):
            day = BoardId.parse(at).day
        while day <= self._last:
            ids = _boards_of(day, self._last)
            for id, note in zip(ids, self._store.boards.notes(ids), strict=True):
                if note is not None or str(id) == at:
                    yield str(id)
            day += timedelta(days=DAYS)
        yield PEOPLE
        yield LATE

    def _section(self, name: str, cursor: str) -> Iterator[Piece]:
        if cursor == END:
            return iter(())
        if name in (GONE, LATE):
            return self._erased(cursor, late=name == LATE)
        return self._people(cursor) if name == PEOPLE else self._board(BoardId.parse(name), cursor)

    def _share(self, name: str) -> float:
        if name in (GONE, PEOPLE, LATE):
            return {GONE: 0.0, PEOPLE: 0.8, LATE: 1.0}[name]
        days = (BoardId.parse(name).day - FIRST_DAY).days
        return 0.8 * days / max(1, (self._last - FIRST_DAY).days)

    # -- who is gone ------------------------------------------------------------------------

    def _erased(self, cursor: str, *, late: bool) -> Iterator[Piece]:
        more = True
        while more:
            cursor, names = self._source.scan(keys.GONE, cursor)
            more = bool(cursor)
            found = [GoneLine(keys.mark_of(name), late=late) for name in names]
            yield _piece(found, cursor or END)

    # -- boards -----------------------------------------------------------------------------

    def _board(self, id: BoardId, cursor: str) -> Iterator[Piece]:
        (note,) = self._store.boards.notes([id])
        if note is None:
            return
        if cursor and note.compacted:  # since the export broke off among its games
            raise ChangedMeanwhile(f"The board {id} was compacted")
        if not cursor:
            yield _piece([self._board_line(id, note)], END if note.compacted else "0:0")
        if note.compacted:
            return
        shard, _, at = (cursor or "0:0").partition(":")
        yield from self._games(id, note, int(shard), int(at))
        (after,) = self._store.boards.notes([id])
        if after is None or after.compacted:
            raise ChangedMeanwhile(f"The board {id} was compacted")

    def _games(self, id: BoardId, note: Note, first: int, at: int) -> Iterator[Piece]:
        for number, shard in list(enumerate(id.shards(note.shards)))[first:]:
            more = True
            while more:
                at, games = self._source.games(shard, at)
                more = at != 0
                follows = f"{number}:{at}" if more else f"{number + 1}:0"
                yield _piece([_game_line(id, game) for game in games], follows)

    def _board_line(self, id: BoardId, note: Note) -> BoardLine:
        raw = [str(value) for value in fields_of(note)]
        fields = dict(zip(raw[::2], raw[1::2], strict=True))
        return BoardLine(
            board=str(id),
            note=lines.note_fields(fields),
            started=self._source.started(id, note.shards),
            seed=note.seed.hex() if note.seed else None,
            closed=note.closed,
            live=id in self._store.boards.live(),
            insight=self._source.insight(id),
            kept=self._kept(id, note) if note.compacted else None,
        )

    def _kept(self, id: BoardId, note: Note) -> Kept:
        histograms, rows = self._source.kept(id, note.shards, KEPT)
        return Kept(histograms, [(row.player, row.score) for row in rows])

    # -- players and groups -----------------------------------------------------------------

    def _people(self, cursor: str) -> Iterator[Piece]:
        pattern, _, at = (cursor or f"{keys.GROUPS} ").partition(" ")
        for each in dropwhile(lambda each: each != pattern, (keys.GROUPS, keys.PLAYERS)):
            more = True
            while more:
                at, names = self._source.scan(each, at)
                more = bool(at)
                follows = f"{each} {at}" if more else f"{keys.PLAYERS} "
                if each == keys.PLAYERS and not more:
                    yield _piece(self._lines_of(each, names), END)
                else:
                    yield _piece(self._lines_of(each, names), follows)

    def _lines_of(self, pattern: str, names: list[str]) -> list[Line]:
        if pattern == keys.GROUPS:
            return [_group_line(circle) for circle in self._source.circles(names)]
        people = self._source.people(names)
        compacted = self._compacted(people)
        made = [_player_line(person, compacted) for person in people]
        return [line for line in made if line != PlayerLine(line.player)]

    def _compacted(self, people: list[Person]) -> set[str]:
        """Those of their boards that have no games from which the scores come out again."""
        names = sorted({name for person in people for name in person.record})
        notes = self._store.boards.notes([BoardId.parse(name) for name in names])
        return {name for name, note in zip(names, notes, strict=True) if note and note.compacted}


def _boards_of(first: date, last: date) -> list[BoardId]:
    days = [first + timedelta(days=n) for n in range(DAYS)]
    return [BoardId(day, sheet.id) for day in days if day <= last for sheet in rulesets.RULESETS]


def _piece(made: Sequence[Line], cursor: str) -> Piece:
    return Piece(list(made), AtLine("", cursor, ""), 0.0)


def _game_line(id: BoardId, game: Game) -> GameLine:
    return GameLine(
        board=str(id),
        player=game.player,
        log=notation.to_text(game.log),
        score=game.score,
        unsettled=game.unsettled,
        evidence=base64.b64encode(game.evidence).decode(),
        apart=game.apart,
    )


def _player_line(person: Person, compacted: set[str]) -> PlayerLine:
    profile = person.profile
    kept = {b: int(s) for b, s in person.record.items() if s and b in compacted}
    return PlayerLine(
        player=person.id,
        name=profile.get("name"),
        hidden="hidden" in profile,
        epoch=int(profile.get("epoch", 0)),
        kept=kept,
        skill=person.skill,
        recovery=person.recovery,
        reports=list(person.reports),
        reported=person.reported,
        groups=person.groups,
    )


def _group_line(circle: Circle) -> GroupLine:
    fields = circle.fields
    return GroupLine(
        group=circle.id,
        name=fields["name"],
        owner=fields["owner"],
        nonce=fields["nonce"],
        created=int(fields.get("created", 0)),
        members=circle.members,
    )


def end_of(counts: Counter[str]) -> EndLine:
    """The last line, with how many there are of each kind."""
    kinds = ("board", "game", "player", "group", "gone")
    return EndLine({kind: counts[kind] for kind in kinds})  # type: ignore[misc]  # literals
