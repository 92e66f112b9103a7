"""A command run in a process of its own beside the worker, one at a time; nothing waits for it."""

from __future__ import annotations

import logging
import os
import subprocess
from collections.abc import Sequence

from challenge.cli.prepare import PARENT

PAUSE_AFTER_FAILURE = 600.0  # seconds
STOP_SECONDS = 5.0

log = logging.getLogger("challenge.worker")


class Companion:
    """The process of one command, called ``name`` where its failure is logged.

    It knows its parent, and so ends with it.
    """

    def __init__(self, name: str, command: Sequence[str]) -> None:
        self._name = name
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def running(self) -> bool:
        """Whether the process was started and has not been seen to end."""
        return self._process is not None

    def start(self) -> None:
        """Starts the process; none may be running."""
        self._process = subprocess.Popen(  # noqa: S603 (our own command, no shell)
            self._command,
            stdin=subprocess.DEVNULL,
            env={**os.environ, PARENT: str(os.getpid())},
        )

    def has_failed(self) -> bool:
        """Looks whether the process has ended, and whether with a failure, which is logged."""
        code = None if self._process is None else self._process.poll()
        if code is None:
            return False
        self._process = None
        if code:
            log.warning("`%s` ended with %s; it is tried again later.", self._name, code)
        return code != 0

    def stop(self) -> None:
        """Ends the process; what it has not finished is begun anew the next time."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
