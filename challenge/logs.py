"""What a process says on stderr: lines of JSON for machines, or plain lines for people.

No line holds what belongs to a player. Errors are told by their class and the places in
the code they came through, never by their text, which may quote what somebody sent; other
libraries are told by their templates alone, without what they would fill in.
"""

from __future__ import annotations

import json
import logging
import os
import stat
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from functools import lru_cache
from types import TracebackType
from typing import Any

OURS = ("challenge", "gunicorn", "py.warnings")
"""Loggers whose messages are known to hold nothing of a player."""

_ERRORS_AT_MOST = 8  # of a chain


def wants_lines(mode: str) -> bool:
    """Whether CHALLENGE_REQUEST_LOG means lines of JSON: ``auto`` does unless a person watches."""
    if mode == "auto":
        return sys.stderr is not None and not sys.stderr.isatty()
    return mode == "on"


def begin(mode: str, level: int = logging.WARNING) -> None:
    """Sets up logging in this process; ``level`` is that of our own loggers.

    With lines of JSON, warnings and errors nobody caught become such lines too.
    """
    lines = wants_lines(mode)
    _pipe.open()
    handler = Stderr()
    handler.setFormatter(formatter(mode))
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
    logging.getLogger("challenge").setLevel(level)
    logging.captureWarnings(lines)
    if lines:
        sys.excepthook = _uncaught
        threading.excepthook = lambda told: _uncaught(
            told.exc_type, told.exc_value, told.exc_traceback
        )


def formatter(mode: str) -> logging.Formatter:
    """What makes a line of a record in this mode of CHALLENGE_REQUEST_LOG."""
    return JsonLine() if wants_lines(mode) else PlainLine()


class _Pipe:
    """Stderr opened once more where it is a pipe, so that a write to a full one returns.

    Else every thread would wait for a reader that is stuck. The flag cannot be set on stderr
    itself, which is shared with whoever started this process.
    """

    def __init__(self) -> None:
        self._stream: object = None
        self._fd = -1

    def open(self) -> None:
        """Look at the stderr of this process; nothing changes where it is no pipe."""
        try:
            place = sys.stderr.fileno()
            if stat.S_ISFIFO(os.fstat(place).st_mode):
                how = os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC
                self._fd = os.open(f"/proc/self/fd/{place}", how)
                self._stream = sys.stderr
        except (AttributeError, OSError, ValueError):
            return

    def fd(self) -> int:
        """Where to write: the descriptor of its own, unless stderr is another one by now."""
        return self._fd if self._stream is sys.stderr and self._fd >= 0 else sys.stderr.fileno()


_pipe = _Pipe()


def write(line: bytes) -> None:
    """One line, its end included, in one piece; a stderr that is gone takes nobody down.

    Nor does one that nobody reads: what does not fit any more is lost.
    """
    try:
        place = _pipe.fd()
        while line:
            line = line[os.write(place, line) :]
    except ValueError:  # a stream of the process itself, or a closed one
        _write_text(line)
    except (AttributeError, OSError):
        return


def stamp(seconds: float) -> str:
    """Unix seconds as RFC 3339 in UTC, to the millisecond."""
    whole = int(seconds)
    return f"{_second(whole)}.{int((seconds - whole) * 1000):03d}Z"


class Stderr(logging.Handler):
    """Writes records to whatever stderr is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        """One record, one line."""
        try:
            write(f"{self.format(record)}\n".encode(errors="replace"))
        except Exception:
            self.handleError(record)


class JsonLine(logging.Formatter):
    """``time``, ``level``, ``logger``, ``message``; of an error its ``error`` and ``trace``."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without its end."""
        line: dict[str, Any] = {
            "time": stamp(record.created),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": message(record),
        }
        error = _error(record)
        if error is not None:
            line |= {"error": type(error).__name__, "trace": list(trace(error))}
        return json.dumps(line, ensure_ascii=False, separators=(",", ":"))  # as lines of requests


class PlainLine(logging.Formatter):
    """``LOGGER: MESSAGE``; below it, of an error, the way it came."""

    def format(self, record: logging.LogRecord) -> str:
        """The lines, without the last end."""
        error = _error(record)
        below = [] if error is None else trace(error)
        return "\n  ".join([f"{record.name}: {message(record)}", *below])


def message(record: logging.LogRecord) -> str:
    """What a record says; of a foreign logger the template, of an error its class."""
    if isinstance(record.msg, BaseException):
        return type(record.msg).__name__
    known = record.name.split(".")[0] in OURS or record.name in OURS
    return record.getMessage() if known else str(record.msg)


def trace(error: BaseException) -> Iterator[str]:
    """Class and places of an error and of those it came from, without a word they say."""
    told: BaseException | None = error
    for _ in range(_ERRORS_AT_MOST):
        if told is None:
            return
        yield type(told).__name__
        for frame in traceback.extract_tb(told.__traceback__):
            yield f"{frame.filename}:{frame.lineno} {frame.name}"
        told = told.__cause__ or (None if told.__suppress_context__ else told.__context__)


def _error(record: logging.LogRecord) -> BaseException | None:
    return record.exc_info[1] if record.exc_info else None


def _uncaught(
    kind: type[BaseException], error: BaseException | None, place: TracebackType | None
) -> None:
    if error is None or issubclass(kind, KeyboardInterrupt | SystemExit):
        return
    told = (kind, error, place)
    logging.getLogger("challenge").critical("ended by an unexpected error", exc_info=told)


def _write_text(line: bytes) -> None:
    try:
        sys.stderr.write(line.decode())
    except ValueError:
        return


@lru_cache(maxsize=1)
def _second(whole: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole))
