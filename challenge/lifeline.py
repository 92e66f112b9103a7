"""A child process ends with its parent, however the parent ends.

Linux tells a child of its parent's death (``prctl``). Elsewhere a child that runs
Python looks for itself, once a second; one that does not is found again by its lock.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

PR_SET_PDEATHSIG = 1
LOOK_SECONDS = 1.0

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def tied_to(parent: int) -> Callable[[], None]:
    """A ``preexec_fn`` for children of the process ``parent`` (its pid)."""
    return lambda: tie_to(parent)


def tie_to(parent: int) -> None:
    """Have this process get SIGTERM when ``parent`` (a pid) dies; Linux only.

    Runs between fork and exec: a parent that died before the call is noticed too.
    """
    if _libc is None:
        return
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def watch(parent: int) -> None:
    """Where the system does not tell: look for ``parent`` (a pid) and end when it is gone.

    Takes SIGALRM and the interval timer of this process; call it from the main thread.
    """
    if _libc is not None:
        return

    def look(_signal: int, _frame: FrameType | None) -> None:
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGTERM)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, LOOK_SECONDS, LOOK_SECONDS)
