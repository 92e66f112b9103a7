"""The process beside the worker that weighs finished games, see ``challenge weigh``."""

from __future__ import annotations

import importlib.util
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from challenge.cli.companion import PAUSE_AFTER_FAILURE, Companion
from challenge.config import Settings
from challenge.store.datadir import DataDir
from challenge.store.keys import BoardId

COMMAND = (sys.executable, "-m", "challenge", "weigh")
PAUSE = 15.0  # seconds between two looks, so that a busy board is weighed by the batch

Waiting = Callable[[Sequence[BoardId]], list[BoardId]]
"""Which of some boards have finished games that are not weighed yet."""


class Side(Protocol):
    """What the worker has done in another process."""

    def look(self, boards: Sequence[BoardId]) -> None:
        """Start it where there is something to do; ``boards`` are those that live."""
        ...

    def stop(self) -> None:
        """End it."""
        ...


class Sides:
    """Several of them as one."""

    def __init__(self, *sides: Side) -> None:
        self._sides = sides

    def look(self, boards: Sequence[BoardId]) -> None:
        """Each has a look."""
        for side in self._sides:
            side.look(boards)

    def stop(self) -> None:
        """Each ends."""
        for side in self._sides:
            side.stop()


class Weighing:
    """Has finished games weighed, one process at a time; nothing waits for it."""

    def __init__(
        self, settings: Settings, waiting: Waiting, command: Sequence[str] = COMMAND
    ) -> None:
        self._folder = DataDir(settings.data_dir).solver
        self._waiting = waiting
        self._able = settings.fairplay != "off" and importlib.util.find_spec("numpy") is not None
        self._not_before = 0.0
        self._process = Companion("challenge weigh", command)

    @property
    def running(self) -> bool:
        """Whether the process was started and has not been seen to end."""
        return self._process.running

    def look(self, boards: Sequence[BoardId]) -> None:
        """Start the process where games of solved sheets wait.

        Raises:
            StoreUnavailable: Redis does not answer; the next look goes on.
        """
        if not self._able:
            return
        if self._process.running:
            self._look_after()
        elif time.monotonic() >= self._not_before:
            self._not_before = time.monotonic() + PAUSE
            if self._waiting([board for board in boards if self._table(board).exists()]):
                self._start()

    def stop(self) -> None:
        """End the process; what it has not weighed waits on."""
        self._process.stop()

    def _table(self, board: BoardId) -> Path:
        return self._folder / f"{board.ruleset}.table"

    def _start(self) -> None:
        self._process.start()

    def _look_after(self) -> None:
        if self._process.has_failed():
            self._not_before = time.monotonic() + PAUSE_AFTER_FAILURE
