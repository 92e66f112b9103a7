"""Days: which boards there are, in which state, under which seed; opening and closing them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache
from threading import Lock

from challenge.config import Settings
from challenge.daily import calendar
from challenge.errors import BadInput, BoardRefused, Gone, NotFound, NotOpenYet
from challenge.game import rulesets
from challenge.game.stream import VERSION, commitment_of, seed_of
from challenge.service.board import Board, stream_of
from challenge.service.views.boards import ChallengeView, CommitmentView
from challenge.store.boards import Note, Numbers
from challenge.store.keys import BoardId
from challenge.store.store import Store

__all__ = ["COMMITMENT_DAYS", "Board", "Days", "stream_of"]

REMEMBERED = 512  # boards whose note a process keeps; a day has two dozen
COMMITMENT_DAYS = 366


@lru_cache(maxsize=2)
def _commitments(
    secret: bytes, first: date, days: int, sheets: tuple[str, ...]
) -> tuple[CommitmentView, ...]:
    """Thousands of hashes for a year, and the same all day."""
    return tuple(
        CommitmentView(
            date=(first + timedelta(days=n)).isoformat(),
            ruleset=sheet,
            commitment=commitment_of(seed_of(secret, first + timedelta(days=n), sheet)),
        )
        for n in range(days)
        for sheet in sheets
    )


class Days:
    """The boards of every day."""

    def __init__(self, store: Store, settings: Settings, stream_secret: bytes) -> None:
        self._boards = store.boards
        self._settings = settings
        self._secret = stream_secret
        self._seed = lru_cache(maxsize=16384)(
            lambda day, ruleset: seed_of(stream_secret, day, ruleset)
        )
        self._remembered: OrderedDict[BoardId, Board] = OrderedDict()
        self._lock = Lock()

    @property
    def default_ruleset(self) -> str:
        """The sheet of the day that stands first."""
        return self._settings.default_ruleset

    # -- which day it is ---------------------------------------------------------------

    def today(self, now: datetime) -> date:
        """The service day that is open.

        A board that has opened never moves: where the calendar was changed under it and
        its own rollover has passed, the next day has begun.
        """
        day = self._settings.calendar.date_at(now)
        board = self._find(BoardId(day, self._settings.default_ruleset))
        rolled = board.opened and now >= board.note.instants.rolls_over_at
        return day + timedelta(days=1) if rolled else day

    def day(self, text: str, now: datetime) -> date:
        """A day by its name in a path: a date or ``today``.

        Raises:
            BadInput: neither of the two.
            NotFound: before the first day.
        """
        if text == "today":
            return self.today(now)
        day = calendar.parse_date(text)
        if day < calendar.FIRST_DAY:
            raise NotFound(f"The first day of Samedice is {calendar.FIRST_DAY}.")
        return day

    # -- one board ---------------------------------------------------------------------

    def board(self, day: date, ruleset: str, now: datetime) -> Board:
        """A board to read or play; closes it first where its time has passed.

        Raises:
            UnknownRuleset, NotFound: no such sheet, or not offered that day.
            NotOpenYet: the day lies ahead.
            BoardRefused: opened under another secret or an unknown sheet.
            StoreUnavailable: Redis does not answer.
        """
        board = self._checked(self._read(BoardId(day, ruleset)), now)
        return self._close(board) if board.state(now) == "closed" else board

    def peek(self, day: date, ruleset: str, now: datetime) -> Board:
        """A board as this process remembers it, nothing written; raises like :meth:`board`.

        All but the closing never changes; who needs that asks the mark of a shard. A closed
        board is read anew until it is compacted.
        """
        id = BoardId(day, ruleset)
        board = self._remembered.get(id)
        if board is None or (board.state(now) == "closed" and not board.note.compacted):
            board = self._read(id)
        return self._checked(board, now)

    def is_kept(self, board: Board, now: datetime) -> bool:
        """Whether a board has games, or may get some; not once its compaction is due."""
        days = self._settings.retention_days
        due = days and now >= board.note.instants.closes_at + timedelta(days=days)
        return not (board.note.compacted or due)

    def need_kept(self, board: Board, now: datetime) -> None:
        """Does nothing where a board has games, or may get some.

        Raises:
            Gone: its games are no longer kept.
        """
        if not self.is_kept(board, now):
            raise Gone(board.id.day, board.id.ruleset)

    def opened(self, board: Board) -> Board:
        """The board, opened now unless it was."""
        if board.opened:
            return board
        note = self._boards.open(board.id, board.note)
        return self._remember(self._resolve(board.id, note))

    def _close(self, board: Board) -> Board:
        if board.note.closed:
            return board
        board = self.opened(board)
        self._boards.close(board.id, board.note.shards, board.seed)
        return self._remember(replace(board, note=replace(board.note, closed=True)))

    def _checked(self, board: Board, now: datetime) -> Board:
        day, ruleset = board.id.day, board.id.ruleset
        if board.opened:
            return board
        if day > self._settings.calendar.date_at(now) and day > self.today(now):
            raise NotOpenYet(day, board.note.instants.opens_at)
        if ruleset not in self._settings.rulesets:
            raise NotFound(f"The sheet {ruleset} is not offered on {day}.")
        return board

    # -- notes, remembered: all but the closing never changes ---------------------------

    def _find(self, id: BoardId) -> Board:
        return self._remembered.get(id) or self._read(id)

    def _read(self, id: BoardId) -> Board:
        rulesets.find(id.ruleset)
        (note,) = self._boards.notes([id])
        return self._unopened(id) if note is None else self._remember(self._resolve(id, note))

    def _remember(self, board: Board) -> Board:
        with self._lock:
            self._remembered[board.id] = board
            self._remembered.move_to_end(board.id)
            if len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return board

    def _unopened(self, id: BoardId) -> Board:
        ruleset = rulesets.find(id.ruleset)
        seed = self._seed(id.day, id.ruleset)
        note = Note(
            stream_version=VERSION,
            fingerprint=ruleset.fingerprint,
            commitment=commitment_of(seed),
            shards=self._settings.board_shards,
            instants=self._settings.calendar.instants(id.day),
        )
        return Board(id, note, ruleset, seed, opened=False)

    def _resolve(self, id: BoardId, note: Note) -> Board:
        ruleset = rulesets.find_edition(note.fingerprint)
        if ruleset is None:
            raise BoardRefused(id.day, id.ruleset, "it was opened with a sheet this code lacks.")
        if note.stream_version != VERSION:
            raise BoardRefused(id.day, id.ruleset, "it was opened with another stream version.")
        seed = note.seed or self._seed(id.day, id.ruleset)
        if commitment_of(seed) != note.commitment:
            raise BoardRefused(id.day, id.ruleset, "it was opened under another stream secret.")
        return Board(id, note, ruleset, seed, opened=True)

    # -- answers -----------------------------------------------------------------------

    def challenge(self, day: date, ruleset: str, now: datetime) -> ChallengeView:
        """One board as an answer; raises like :meth:`board`."""
        board = self.board(day, ruleset, now)
        (numbers,) = self._numbers([board])
        return _challenge_view(board, numbers, now)

    def challenges(self, day: date, now: datetime) -> list[ChallengeView]:
        """Every board of a day, in sheet order: those offered and those opened before.

        Raises:
            NotOpenYet: the day lies ahead.
        """
        boards = [
            self._close(board) if board.state(now) == "closed" else board
            for board in self.look(day, now)
        ]
        numbers = self._numbers(boards)
        return [_challenge_view(b, n, now) for b, n in zip(boards, numbers, strict=True)]

    def _numbers(self, boards: Sequence[Board]) -> list[Numbers]:
        compacted = {board.id for board in boards if board.note.compacted}
        asked = ((board.id, board.note.shards) for board in boards)
        return self._boards.numbers(asked, compacted)

    def look(self, day: date, now: datetime) -> list[Board]:
        """The boards that :meth:`challenges` answers, nothing written; raises like it."""
        ids = [BoardId(day, ruleset.id) for ruleset in rulesets.RULESETS]
        return [board for board in self.glance(ids) if self._is_there(board, now)]

    def glance(self, ids: Sequence[BoardId]) -> list[Board]:
        """Boards as their notes have them, in one round trip; nothing is checked or written."""
        notes = self._boards.notes(ids)
        return [
            self._unopened(id) if note is None else self._resolve(id, note)
            for id, note in zip(ids, notes, strict=True)
        ]

    def _is_there(self, board: Board, now: datetime) -> bool:
        try:
            self._checked(board, now)
        except NotFound:
            return False
        return True

    def commitments(self, first: date, days: int, ruleset: str | None) -> list[CommitmentView]:
        """Commitments of ``days`` days from ``first`` on, of one sheet or of all offered.

        Raises:
            UnknownRuleset: no such sheet.
            BadInput: out of range.
            NotFound: before the first day.
        """
        if not 1 <= days <= COMMITMENT_DAYS:
            raise BadInput(f"`days` is a number from 1 to {COMMITMENT_DAYS}.")
        if first < calendar.FIRST_DAY:
            raise NotFound(f"The first day of Samedice is {calendar.FIRST_DAY}.")
        sheets = self._settings.rulesets if ruleset is None else [rulesets.find(ruleset).id]
        if (calendar.LAST_DAY - first).days < days:
            raise BadInput(f"{first} lies too far ahead.")
        return list(_commitments(self._secret, first, days, tuple(sheets)))

    # -- the worker's part --------------------------------------------------------------

    def open_today(self, now: datetime) -> list[BoardId]:
        """Opens every offered board of today that is not open yet; which ones it opened.

        One that is open is on the worker's list afterwards: on a cluster that list lies on a
        server of its own, and a failover there may have lost what was put on it last.
        """
        day = self.today(now)
        found = [self._find(BoardId(day, ruleset)) for ruleset in self._settings.rulesets]
        live = self._boards.live()
        opened = [board.id for board in found if board.opened and not board.note.closed]
        if lost := [id for id in opened if id not in live]:
            self._boards.enlist(lost)
        return [self.opened(board).id for board in found if not board.opened]

    def close_if_due(self, id: BoardId, now: datetime) -> Board:
        """A board of the worker's list, closed where its time has come."""
        board = self._read(id)
        return self._close(board) if board.state(now) == "closed" else board


def _challenge_view(board: Board, numbers: Numbers, now: datetime) -> ChallengeView:
    state = board.state(now)
    return ChallengeView(
        date=board.id.day.isoformat(),
        number=board.number,
        ruleset=board.id.ruleset,
        state=state,
        opens_at=board.note.instants.opens_at,
        rolls_over_at=board.note.instants.rolls_over_at,
        closes_at=board.note.instants.closes_at,
        commitment=board.note.commitment,
        seed=board.seed.hex() if state == "closed" else None,
        started=numbers.started,
        finished=numbers.finished,
    )
