"""The file of an export: written so that one that breaks off is gone on with, not begun anew.

After each piece stands a line that says how far it is; what comes behind the last of these
is cut off before the export goes on.
"""

from __future__ import annotations

import fcntl
import mmap
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from challenge.errors import BadInput
from challenge.service.moving import lines
from challenge.service.moving.exporting import ChangedMeanwhile, Exporter, Piece, end_of
from challenge.service.moving.lines import AtLine, EndLine

MARK = b'{"line":"at"'
KINDS = ("board", "game", "player", "group", "gone")


class ExportFile:
    """One file being written; ``secret`` is the stream secret of the service."""

    def __init__(self, path: Path, secret: bytes) -> None:
        self._path = path
        self._secret = secret

    def write(self, exporter: Exporter) -> Iterator[float]:
        """Writes what is missing; yields how much is done, 0 … 1, after each piece.

        Raises:
            BadInput: the file is something else, a whole export already, or cannot be written.
            StoreUnavailable: Redis does not answer; calling it again goes on.
        """
        try:
            yield from self._write(exporter)
        except OSError as error:
            raise BadInput(
                f"Cannot write {self._path}: {error.strerror}. The same command goes on with it."
            ) from None

    def _write(self, exporter: Exporter) -> Iterator[float]:
        with self._opened() as file:
            at = self._resumed(file)
            while True:
                try:
                    yield from self._go_on(file, exporter, at)
                except ChangedMeanwhile:
                    at = self._again(file)
                    continue
                break
            _put(file, [end_of(_counted(self._path))])

    def _opened(self) -> IO[bytes]:
        """For this user alone: names and invites stand in it."""
        try:
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise BadInput(f"Cannot write {self._path}: {error.strerror}.") from None
        file = os.fdopen(descriptor, "r+b")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.close()
            raise BadInput(f"Another export is being written to {self._path}.") from None
        return file

    def _resumed(self, file: IO[bytes]) -> AtLine | None:
        """Where to go on; the file then ends there, after its header at least."""
        first = file.readline(lines.MOST_BYTES)
        if not first.endswith(b"\n") and lines.encode(lines.header(self._secret)).startswith(first):
            file.seek(0)
            file.truncate()
            _put(file, [lines.header(self._secret)])
            return None
        lines.check_header(first, self._secret)
        if _is_whole(file):
            raise BadInput(f"{self._path} is a whole export already; name another file.")
        end, at = _last_mark(file)
        file.seek(end or len(first))
        file.truncate()
        return at

    def _go_on(self, file: IO[bytes], exporter: Exporter, at: AtLine | None) -> Iterator[float]:
        section, start = (at.section, at.start) if at else ("", file.tell())
        if at and not (at.cursor and exporter.holds(at)):  # the section is begun anew
            at = AtLine(section, "", at.servers, start)
            file.seek(start)
            file.truncate()
        for piece in exporter.pieces(at):
            if piece.at.section != section:
                section, start = piece.at.section, file.tell()
            _put(file, _marked(piece, start))
            yield piece.done

    def _again(self, file: IO[bytes]) -> AtLine | None:
        """The section being written is cut off; it is read anew."""
        file.seek(0)
        first = file.readline(lines.MOST_BYTES)
        _, at = _last_mark(file)
        file.seek(at.start if at else len(first))
        file.truncate()
        return AtLine(at.section, "", at.servers, at.start) if at else None


def _marked(piece: Piece, start: int) -> list[lines.Line]:
    at = piece.at
    return [*piece.lines, AtLine(at.section, at.cursor, at.servers, start)]


def _put(file: IO[bytes], made: list[lines.Line] | list[EndLine] | list[lines.Header]) -> None:
    file.write(b"".join(map(lines.encode, made)))
    file.flush()


def _last_mark(file: IO[bytes]) -> tuple[int, AtLine | None]:
    """Where the last whole line that says how far it is ends, and what it says."""
    file.flush()
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = content.rfind(b"\n" + MARK)
        while found >= 0:
            end = content.find(b"\n", found + 1)
            if end >= 0:
                at = lines.decode(content[found + 1 : end])
                return end + 1, at if isinstance(at, AtLine) else None
            found = content.rfind(b"\n" + MARK, 0, found)
    return 0, None


def _is_whole(file: IO[bytes]) -> bool:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 4096))
    tail = file.read()
    return tail.endswith(b"\n") and tail.splitlines()[-1].startswith(b'{"line":"end"')


def _counted(path: Path) -> Counter[str]:
    """Lines by kind."""
    begins = {kind: f'{{"line":"{kind}"'.encode() for kind in KINDS}
    counts: Counter[str] = Counter()
    with path.open("rb") as file:
        for line in file:
            counts.update(kind for kind, begin in begins.items() if line.startswith(begin))
    return counts
