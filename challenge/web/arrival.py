"""How much of a request has arrived; gunicorn's worker asks, before a thread reads it."""

from __future__ import annotations

import re

from gunicorn.http.errors import InvalidChunkSize, LimitRequestHeaders, LimitRequestLine

from challenge.web.security import MAX_BODY

LONGEST_HEAD = 65_536  # bytes; gunicorn's own bounds of line and field are tighter
LONGEST = LONGEST_HEAD + 4 * MAX_BODY
LONGEST_SIZE = 100  # bytes of the line before a chunk
_DIGITS = 15  # of a length; longer ones are too long anyway
_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)[ \t]*\r\n", re.IGNORECASE)
_CHUNKED = re.compile(rb"\r\ntransfer-encoding:[^\r\n]*chunked", re.IGNORECASE)
_EXPECT = re.compile(rb"\r\nexpect:[ \t]*100-continue[ \t]*\r\n", re.IGNORECASE)


class Arrival:
    """How much of one request is there, looked at anew with each piece that comes.

    Where the last look ended is kept: were it to begin at the front each time, whoever sends
    byte by byte would cost the loop more than all the others.
    """

    __slots__ = ("_at", "_body", "_held", "_longest_line", "_looked", "_wanted", "data")

    def __init__(self, longest_line: int, data: bytes = b"") -> None:
        self.data = bytearray(data)
        self._longest_line = longest_line
        self._looked = 0  # bytes in which the head does not end
        self._body = 0  # where the body begins, once the head is there
        self._wanted: int | None = 0  # bytes of the body; None of chunks
        self._at = self._held = 0  # where the next chunk begins; bytes in those before

    def state(self) -> str:
        """``whole``, ``partial`` or ``oversize`` (its body need not be waited for).

        Raises:
            LimitRequestLine, LimitRequestHeaders, InvalidChunkSize: it can become none that is
                answered.
        """
        if not self._body and not self._has_head():
            return "partial"
        if self._wanted is None:
            state = self._of_chunks()
            if state == "partial" and len(self.data) > LONGEST:
                raise LimitRequestHeaders("the chunks and trailers are too long")
            return state
        if self._wanted > MAX_BODY:
            return "oversize"
        return "whole" if len(self.data) - self._body >= self._wanted else "partial"

    def expects(self) -> bool:
        """Whether the sender waits to be asked for the body."""
        return bool(self._body and _EXPECT.search(self.data, 0, self._body - 2))

    def take(self, *, asked_on: bool) -> bytes:
        """All that has arrived, which is forgotten here.

        ``asked_on`` leaves out that the sender waits to be asked: gunicorn would do it again.
        """
        taken, self.data = bytes(self.data), bytearray()
        if not asked_on or not self._body:
            return taken
        head = self._body - 2
        return _EXPECT.sub(b"\r\n", taken[:head], count=1) + taken[head:]

    def _has_head(self) -> bool:
        data, longest = self.data, self._longest_line
        end = data.find(_END, max(0, self._looked - len(_END)))
        if len(data) > longest + 2 and data.find(b"\r\n", 0, longest + 2) < 0:
            raise LimitRequestLine(len(data), longest)
        if end < 0 and len(data) > LONGEST_HEAD:
            raise LimitRequestHeaders("the head is too long")
        self._looked = len(data)
        if end < 0:
            return False
        self._body = self._at = end + len(_END)
        self._wanted = None if _CHUNKED.search(data, 0, end + 2) else _length(data, end + 2)
        return True

    def _of_chunks(self) -> str:
        """The state of the body; malformed chunks are whole, gunicorn says what is wrong."""
        data = self.data
        while True:
            line = data.find(b"\r\n", self._at)
            if line < 0:
                if len(data) - self._at > LONGEST_SIZE:
                    raise InvalidChunkSize(b"")
                return "partial"
            try:
                size = int(data[self._at : line].partition(b";")[0], 16)
            except ValueError:
                return "whole"
            if size < 0:
                return "whole"
            if size == 0:
                return "whole" if data.find(_END, line) >= 0 else "partial"
            if self._held + min(size, len(data) - line - 2) > 2 * MAX_BODY:
                return "oversize"
            end = line + 2 + size + 2
            if end > len(data):
                return "partial"
            if data[end - 2 : end] != b"\r\n":
                return "whole"
            self._held, self._at = self._held + size, end


def _length(data: bytearray, head: int) -> int:
    """Bytes the head says of its body; of a number too long to be true more than is allowed."""
    found = _LENGTH.search(data, 0, head)
    digits = found[1].lstrip(b"0") if found else b""
    return int(digits or b"0") if len(digits) <= _DIGITS else MAX_BODY + 1
