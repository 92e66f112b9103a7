"""The process beside the worker that solves sheets and works through boards.

It is started when there may be something to do and ends when it is done; nothing waits
for it. What it does stands in :mod:`challenge.service.preparing`.
"""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from challenge.cli.companion import PAUSE_AFTER_FAILURE, Companion
from challenge.config import Settings
from challenge.store.datadir import DataDir
from challenge.store.keys import BoardId

COMMAND = (sys.executable, "-m", "challenge", "prepare")

Stamps = tuple[tuple[int, int] | None, ...]


class Beside:
    """Keeps what the worker prepares up to date, one process at a time.

    There is something to do at the start, when a board is seen for the first time, and when
    a table has gone or is another file than when the process was last started: one that does
    not hold is solved anew. After tables were solved it therefore looks once more.
    """

    def __init__(
        self, settings: Settings, command: Sequence[str] = COMMAND, *, able: bool | None = None
    ) -> None:
        folder = DataDir(settings.data_dir).solver
        self._tables = [folder / f"{id}.table" for id in settings.rulesets]
        self._able = settings.solve and (_is_installed() if able is None else able)
        self._seen: set[BoardId] = set()
        self._stamps: Stamps | None = None
        self._due = True
        self._not_before = 0.0
        self._process = Companion("challenge prepare", command)

    @property
    def running(self) -> bool:
        """Whether the process runs, as far as the last look told."""
        return self._process.running

    def look(self, boards: Sequence[BoardId]) -> None:
        """Start the process where there is something to do; ``boards`` are those that live."""
        if not self._able:
            return
        self._due = self._due or not self._seen.issuperset(boards)
        self._seen = set(boards)
        if self._process.running:
            self._look_after()
        elif self._due or self._stamps != self._stamped():
            self._start()

    def stop(self) -> None:
        """End the process; what it has not finished is begun anew the next time."""
        self._process.stop()

    def _start(self) -> None:
        if time.monotonic() < self._not_before:
            return
        self._due = False
        self._stamps = self._stamped()
        self._process.start()

    def _look_after(self) -> None:
        if self._process.has_failed():
            self._due = True
            self._not_before = time.monotonic() + PAUSE_AFTER_FAILURE

    def _stamped(self) -> Stamps:
        return tuple(map(_stamp, self._tables))


def _stamp(path: Path) -> tuple[int, int] | None:
    """What changes when a file is written anew; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


def _is_installed() -> bool:
    return all(importlib.util.find_spec(package) for package in ("numpy", "numba"))
