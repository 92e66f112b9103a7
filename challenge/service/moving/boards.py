"""Boards of an export: checked against their seals, and games against their dice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from datetime import UTC, datetime

from challenge.daily.calendar import FIRST_DAY, Instants
from challenge.errors import BadInput, BadLog
from challenge.game import game as rules
from challenge.game import log as notation
from challenge.game import rulesets
from challenge.game.stream import VERSION, commitment_of, seed_of
from challenge.service.board import Board
from challenge.service.moving.lines import BoardLine, GameLine, Kept, NoteFields, PlayerLine
from challenge.store.boards import Note, Row, merge_histograms
from challenge.store.insights import known_of
from challenge.store.keys import BoardId, Shard
from challenge.store.skills import skill_of
from challenge.store.store import Store

REMEMBERED = 128  # boards, with what the next lines ask of them


class BoardImport:
    """Takes boards, and says what the lines of games and players must hold."""

    def __init__(self, store: Store, secret: bytes) -> None:
        self._store = store
        self._target = store.importing
        self._secret = secret
        self._boards: OrderedDict[str, Board] = OrderedDict()
        self._histograms: OrderedDict[str, dict[int, int]] = OrderedDict()

    # -- boards -----------------------------------------------------------------------------

    def take(self, line: BoardLine) -> bool:
        """A board; whether it was not here yet.

        Raises:
            BadInput: it holds together nowhere, or is another one here.
        """
        id = _board_id(line.board)
        note = self._checked(id, line)
        self._boards.pop(line.board, None)
        (here,) = self._store.boards.notes([id])
        if here is not None:
            _need_same(here, note)
        if line.kept is not None:
            return self._take_kept(id, note, here, line.kept, line.started)
        if here is not None and here.compacted:
            return False
        shards = here.shards if here is not None else note.shards
        if note.closed:  # else each game counts as it comes
            self._target.started(id, shards, line.started)
        self._target.board(id, _with_shards(note, shards), live=line.live)
        self._target.insight(id, line.insight)
        return here is None

    def _take_kept(
        self, id: BoardId, note: Note, here: Note | None, kept: Kept, started: list[int]
    ) -> bool:
        if here is not None and here.compacted:
            return False
        if here is not None:
            raise BadInput(
                "this board is compacted in the export and not here; compact it here first "
                "(challenge compact)."
            )
        _check_kept(kept, note)
        best = [Row(player, score) for player, score in kept.best]
        self._target.started(id, note.shards, started)
        self._target.compacted(id, note, kept.histogram, best)
        return True

    def _checked(self, id: BoardId, line: BoardLine) -> Note:
        fields = line.note
        sheet = rulesets.find_edition(fields.fingerprint)
        if sheet is None or sheet.id != id.ruleset:
            raise BadInput("this Samedice lacks the edition of the sheet the board was played on.")
        if fields.stream_version != VERSION:
            raise BadInput(f"its dice have stream version {fields.stream_version}, not {VERSION}.")
        if len(line.started) != fields.shards:
            raise BadInput("it does not say for each shard how many games were begun.")
        if line.closed != (line.seed is not None):
            raise BadInput("a board has its seed if and only if it is closed.")
        if line.kept is not None and not line.closed:
            raise BadInput("only closed boards are compacted.")
        seed = bytes.fromhex(line.seed) if line.seed else seed_of(self._secret, id.day, id.ruleset)
        if commitment_of(seed) != fields.commitment:
            raise BadInput("the seed is not the one its commitment promised.")
        _check_insight(line.insight)
        return _note(line, fields, bytes.fromhex(line.seed) if line.seed else None)

    # -- games and records ------------------------------------------------------------------

    def check_game(self, line: GameLine) -> None:
        """Nothing where the log is a game of its board and gives the score.

        Raises:
            BadInput: it is not, or does not; or the board is not here.
        """
        board = self._board(line.board)
        try:
            game = rules.replay(board.ruleset, board.stream, notation.from_text(line.log))
        except BadLog as error:
            raise BadInput(str(error)) from None
        if line.score is not None and (not game.finished or game.total != line.score):
            gives = game.total if game.finished else "no finished game"
            raise BadInput(f"the score is {line.score}, the log gives {gives}.")

    def kept_of(self, line: PlayerLine) -> dict[str, int]:
        """The own scores on boards that are compacted here, each of which is counted there.

        A board may have been compacted after the export had its games: then those count.

        Raises:
            BadInput: a score is not counted, or a board is not here.
        """
        boards = {name: self._board(name) for name in line.kept}
        kept = {n: score for n, score in line.kept.items() if boards[n].note.compacted}
        for name, score in kept.items():
            if score not in self._histogram(name, boards[name]):
                raise BadInput(f"the board {name} counts no score of {score}.")
        return kept

    def place_of(self, line: GameLine) -> int:
        """The shard of a game, by its number here."""
        board = self._board(line.board)
        shard = board.id.shard_of(line.player, board.note.shards)
        return self.shards_of(board.id).index(shard)

    def shards_of(self, id: BoardId) -> tuple[Shard, ...]:
        """The shards of a board as it is here."""
        return id.shards(self._board(str(id)).note.shards)

    def _histogram(self, name: str, board: Board) -> dict[int, int]:
        if name not in self._histograms:
            found = self._store.boards.histogram(board.id, board.note.shards)
            self._histograms[name] = found
            if len(self._histograms) > REMEMBERED:
                self._histograms.popitem(last=False)
        return self._histograms[name]

    def _board(self, name: str) -> Board:
        found = self._boards.get(name)
        return self._read(name) if found is None else found

    def _read(self, name: str) -> Board:
        id = _board_id(name)
        (note,) = self._store.boards.notes([id])
        sheet = None if note is None else rulesets.find_edition(note.fingerprint)
        if note is None or sheet is None:
            raise BadInput(f"the board {name} is not here; its line is missing or was refused.")
        seed = note.seed or seed_of(self._secret, id.day, id.ruleset)
        board = self._boards[name] = Board(id, note, sheet, seed, opened=True)
        if len(self._boards) > REMEMBERED:
            self._boards.popitem(last=False)
        return board


def _board_id(name: str) -> BoardId:
    try:
        id = BoardId.parse(name)
    except ValueError:
        raise BadInput(f"{name[:40]!r} is no board.") from None
    if id.day < FIRST_DAY:
        raise BadInput(f"the first day of Samedice is {FIRST_DAY}.")
    return id


def _note(line: BoardLine, fields: NoteFields, seed: bytes | None) -> Note:
    instants = Instants(
        *(
            datetime.fromtimestamp(at, UTC)
            for at in (fields.opens_at, fields.rolls_over_at, fields.closes_at)
        )
    )
    if not instants.opens_at < instants.rolls_over_at <= instants.closes_at:
        raise BadInput("it does not open, roll over and close in this order.")
    return Note(
        stream_version=fields.stream_version,
        fingerprint=fields.fingerprint,
        commitment=fields.commitment,
        shards=fields.shards,
        instants=instants,
        seed=seed,
        closed=line.closed,
        compacted=line.kept is not None,
        swept=line.kept is not None,
    )


def _need_same(here: Note, note: Note) -> None:
    for name in ("fingerprint", "commitment", "instants"):
        if getattr(here, name) != getattr(note, name):
            raise BadInput(f"this board was opened here with another {name.rstrip('s')}.")


def _with_shards(note: Note, shards: int) -> Note:
    return Note(
        note.stream_version, note.fingerprint, note.commitment, shards, note.instants,
        seed=note.seed, closed=note.closed,
    )  # fmt: skip


def _check_insight(fields: Mapping[str, str]) -> None:
    try:
        known_of(fields)
    except ValueError:
        raise BadInput("what is worked out about its dice is none.") from None


def check_skill(line: PlayerLine) -> None:
    """Nothing where what reviews came to can be read again.

    Raises:
        BadInput: it cannot.
    """
    for name, text in line.skill.items():
        _board_id(name)
        try:
            skill_of(text)
        except ValueError:
            raise BadInput(f"what reviews came to on {name} is no skill.") from None


def _check_kept(kept: Kept, note: Note) -> None:
    if len(kept.histogram) != note.shards:
        raise BadInput("it does not have a histogram for each shard.")
    whole = merge_histograms(
        [{str(s).encode(): str(n).encode() for s, n in each.items()} for each in kept.histogram]
    )
    listed: dict[int, int] = {}
    for _, score in kept.best:
        listed[score] = listed.get(score, 0) + 1
    if any(count > whole.get(score, 0) for score, count in listed.items()):
        raise BadInput("its list has scores that its histogram does not count.")
    if any(min(each.values(), default=1) < 1 for each in kept.histogram):
        raise BadInput("its histogram counts nobody at a score.")
