"""Importing: the lines of an export, each checked and put there whole or not at all.

A game is replayed on the dice of its board; scores, histograms, ranks and records come out of
the games. What is here already stays: a game that goes on further, a name, a group; another
game of the same player on the same board is refused. Who was erased here, or by the export,
stays erased. So an import may break off anywhere and be repeated.
"""

from __future__ import annotations

import base64
import binascii
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from challenge.errors import BadInput, SamediceError
from challenge.game import log as notation
from challenge.service.erasure import Erasure
from challenge.service.moving import lines
from challenge.service.moving.boards import BoardImport, check_skill
from challenge.service.moving.lines import (
    AtLine,
    BoardLine,
    EndLine,
    GameLine,
    GoneLine,
    GroupLine,
    Header,
    PlayerLine,
)
from challenge.store import keys
from challenge.store.exporting import Circle, Game, Person
from challenge.store.keys import BoardId
from challenge.store.store import Store

BATCH = 200  # games put there at once

Numbered = tuple[int, bytes]
"""A line and its number, from 1."""

_WHY = {
    "other": "another game of this player is on this board here; it stays",
    "gone": "this board keeps no games any more here",
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A line that was not taken."""

    number: int
    why: str


@dataclass(slots=True)
class Report:
    """What became of the lines: counts by kind; ``whole`` once the last line was met.

    ``lost`` are those that the last line counts and that were not met, as if cut out.
    """

    taken: Counter[str] = field(default_factory=Counter)
    there: Counter[str] = field(default_factory=Counter)
    erased: int = 0
    refused: int = 0
    lost: int = 0
    whole: bool = False


class Importer:
    """One import. :attr:`report` fills up while :meth:`read` goes through the lines."""

    def __init__(self, store: Store, boards: BoardImport, erasure: Erasure) -> None:
        self._store = store
        self._target = store.importing
        self._boards = boards
        self._erasure = erasure
        self._waiting: list[tuple[int, GameLine]] = []
        self._some_gone = False
        self._met: Counter[str] = Counter()
        self.report = Report()

    def read(self, numbered: Iterable[Numbered]) -> Iterator[Refused]:
        """Takes the lines behind the header; yields those that are refused, and why.

        Raises:
            StoreUnavailable: Redis does not answer; reading all of it again is harmless.
        """
        for number, text in numbered:
            try:
                line = self._line(text)
                if self._waiting and not self._goes_along(line):
                    yield from self._put_games()
                self._take(number, line)
            except SamediceError as error:
                if not isinstance(error, BadInput):
                    raise
                yield self._refuse(number, str(error))
            if len(self._waiting) >= BATCH:
                yield from self._put_games()
        yield from self._put_games()
        self._erase_gone()

    def _line(self, text: bytes) -> lines.Any:
        try:
            line = lines.decode(text)
        except BadInput:
            self._met["unread"] += 1
            raise
        self._met[lines.kind_of(line)] += 1
        return line

    def _goes_along(self, line: object) -> bool:
        return isinstance(line, GameLine) and line.board == self._waiting[0][1].board

    def _take(self, number: int, line: lines.Any) -> None:
        match line:
            case GameLine():
                self._boards.check_game(line)
                self._waiting.append((number, line))
            case BoardLine():
                self._count("board", self._boards.take(line))
                if line.kept is not None:
                    self._erase_again([player for player, _ in line.kept.best])
            case PlayerLine():
                self._person(line)
            case GroupLine():
                self._group(line)
            case GoneLine():
                self._gone(line)
            case EndLine():
                missing = Counter[str](line.lines) - self._met  # more than counted do no harm
                self.report.lost = max(0, missing.total() - self._met["unread"])
                self.report.whole = True
            case Header() | AtLine():
                pass

    def _count(self, kind: str, new: bool) -> None:
        (self.report.taken if new else self.report.there)[kind] += 1

    def _refuse(self, number: int, why: str) -> Refused:
        self.report.refused += 1
        return Refused(number, why)

    # -- games ------------------------------------------------------------------------------

    def _put_games(self) -> Iterator[Refused]:
        waiting, self._waiting = self._waiting, []
        gone = self._are_gone([line.player for _, line in waiting])
        kept = [each for each, is_gone in zip(waiting, gone, strict=True) if not is_gone]
        self.report.erased += len(waiting) - len(kept)
        by_shard: dict[int, list[tuple[int, GameLine]]] = {}
        for number, line in kept:
            by_shard.setdefault(self._boards.place_of(line), []).append((number, line))
        for place, some in by_shard.items():
            id = BoardId.parse(some[0][1].board)
            shard = self._boards.shards_of(id)[place]
            words = self._target.games(id, shard, [_game(line) for _, line in some])
            for (number, _), word in zip(some, words, strict=True):
                if word in _WHY:
                    yield self._refuse(number, _WHY[word])
                else:
                    self._count("game", word in ("new", "further"))
        self._erase_again([line.player for _, line in kept])

    def _erase_again(self, players: list[str]) -> None:
        """Who was erased between the look and the writing goes with what was written."""
        for player in self._gone_among(players):
            self._erasure.erase(player)

    def _are_gone(self, players: list[str]) -> list[bool]:
        marks = [self._store.players.gone_mark(player) for player in players]
        return self._target.known_gone(marks) if marks else []

    # -- the others -------------------------------------------------------------------------

    def _person(self, line: PlayerLine) -> None:
        if any(self._are_gone([line.player])):
            self.report.erased += 1
            return
        kept = self._boards.kept_of(line)
        check_skill(line)
        profile = {} if line.name is None else {"name": line.name}
        profile |= {"hidden": "1"} if line.hidden else {}
        profile |= {"epoch": str(line.epoch)} if line.epoch else {}
        record = {board: str(score) for board, score in kept.items()}
        self._target.person(
            Person(
                line.player, profile, record, line.skill, line.recovery, line.reports,
                line.reported, line.groups,
            )
        )  # fmt: skip
        self._erase_again([line.player])
        self._count("player", True)

    def _group(self, line: GroupLine) -> None:
        gone = self._are_gone(list(line.members))
        members = {
            member: when
            for (member, when), is_gone in zip(line.members.items(), gone, strict=True)
            if not is_gone
        }
        self.report.erased += len(line.members) - len(members)
        if not members:
            return
        owner = line.owner if line.owner in members else min(members, key=members.__getitem__)
        fields = {"name": line.name, "owner": owner, "nonce": line.nonce}
        fields |= {"created": str(line.created)}
        self._count("group", self._target.circle(Circle(line.group, fields, members)))
        self._erase_again(list(members))

    def _gone(self, line: GoneLine) -> None:
        (new,) = self._target.gone([line.mark])
        self._some_gone = True
        if new or not line.late:
            self._count("gone", new)

    def _erase_gone(self) -> None:
        """Whoever was erased while the export was written may have come with it, and whoever
        was erased before may have been here from an older one, or from an import that broke
        off: they go, out of groups as well that no list of theirs names.
        """
        if not self._some_gone:
            return
        for names in self._keys_of(keys.GROUPS):
            for circle in self._store.exporting.circles(names):
                for member in self._gone_among(list(circle.members)):
                    self._store.groups.leave(circle.id, member, member)
        for names in self._keys_of(keys.PLAYERS):
            for player in self._gone_among(sorted(set(map(keys.player_of, names)))):
                self._erasure.erase(player)

    def _keys_of(self, pattern: str) -> Iterator[list[str]]:
        cursor, more = "", True
        while more:
            cursor, names = self._store.exporting.scan(pattern, cursor)
            yield names
            more = bool(cursor)

    def _gone_among(self, players: list[str]) -> list[str]:
        gone = self._are_gone(players)
        return [player for player, is_gone in zip(players, gone, strict=True) if is_gone]


def _game(line: GameLine) -> Game:
    try:
        evidence = base64.b64decode(line.evidence, validate=True)
    except (ValueError, binascii.Error):
        evidence = b""
    return Game(
        player=line.player,
        log=notation.from_text(line.log),
        score=line.score,
        unsettled=line.unsettled,
        evidence=evidence,
        apart=line.apart,
    )
