"""The directory in which the web processes of one gunicorn keep their counters.

The master makes it before it loads the application and removes it at its end. It lies in
memory where there is a place for that, and is held by a lock as long as any process of the
family lives, so that what a killed master left behind is known for that and removed by the
next one. The counters of a worker that has ended are added to one file and its own are
removed: else each restart would leave files behind that every look reads.
"""

from __future__ import annotations

import atexit
import fcntl
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
PREFIX = "samedice-figures-"
TRIES = 50  # to move the counts of an ended worker, while others look at them
PAUSE = 0.01  # seconds between two of them; a look takes less
ENDED = "ended"  # stands for the process in the names of the files that add up
_MEMORY = Path("/dev/shm")  # noqa: S108 (a directory of our own is made there)

log = logging.getLogger("challenge.watch")

_owners: dict[str, int] = {}


def begin() -> None:
    """Makes the directory, for this process and those it starts; call before the application.

    Without a place to write each process counts for itself, and a warning says so. Called
    again, as when a configuration is read anew, it changes nothing.
    """
    if _owners.get(VARIABLE) == os.getpid():
        return
    place = _MEMORY if os.access(_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
    os.environ.pop(VARIABLE, None)  # of an older master that started this one
    try:
        _remove_abandoned(place)
        made, alive = _make(place)
    except OSError as error:
        log.warning("no directory for common figures: %s", error.strerror)
        return
    os.environ[VARIABLE] = str(made)
    _owners[VARIABLE] = os.getpid()
    atexit.register(_end, made, os.getpid(), alive)


def folder() -> str | None:
    """The directory; None where each process counts for itself."""
    return os.environ.get(VARIABLE)


def bury(pid: int) -> None:
    """In the master: a worker has ended; its counts stay, its files go.

    Where somebody looks all the while its files stay, which does no harm.
    """
    found = folder()
    for _ in range(TRIES if found else 0):
        if found and _buried(Path(found), pid):
            return
        time.sleep(PAUSE)


def _buried(folder: Path, pid: int) -> bool:
    """Whether nothing is left to do."""
    try:
        with _held(folder / "looking", fcntl.LOCK_EX | fcntl.LOCK_NB):
            _add_up(folder, pid)
    except BlockingIOError:
        return False
    except (OSError, ValueError) as error:
        log.warning("the figures of an ended process stay apart: %s", type(error).__name__)
    return True


@contextmanager
def undisturbed(folder: str) -> Iterator[None]:
    """While it lasts no counts move from file to file."""
    with _held(Path(folder) / "looking", fcntl.LOCK_SH):
        yield


def _add_up(folder: Path, pid: int) -> None:
    from prometheus_client.mmap_dict import MmapedDict  # noqa: PLC0415 (see ``figures``)

    mapped: Any = MmapedDict
    for file in folder.glob(f"*_{pid}.db"):
        kind = file.name.removesuffix(f"_{pid}.db")
        total = mapped(str(folder / f"{kind}_{ENDED}.db"))
        for key, value, _, _ in mapped.read_all_values_from_file(str(file)):
            total.write_value(key, total.read_value(key)[0] + value, 0.0)
        total.close()
        file.unlink()


def _make(place: Path) -> tuple[Path, int]:
    """A new directory and its lock; held before it is seen, else it would look abandoned."""
    fresh = Path(tempfile.mkdtemp(prefix=".samedice-", dir=place))
    alive = _lock(fresh / "alive", fcntl.LOCK_EX)
    return fresh.rename(place / f"{PREFIX}{fresh.name.removeprefix('.samedice-')}"), alive


def _remove_abandoned(place: Path) -> None:
    for found in place.glob(f"{PREFIX}*"):
        with suppress(OSError):  # in use, or just removed by another one
            if found.lstat().st_uid != os.getuid():
                continue
            lock = os.open(found / "alive", os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(found, ignore_errors=True)
            finally:
                os.close(lock)


def _end(made: Path, owner: int, alive: int) -> None:
    if os.getpid() != owner:  # a worker that ends, with the master's list of what to do then
        return
    shutil.rmtree(made, ignore_errors=True)
    os.close(alive)


def _lock(file: Path, how: int) -> int:
    """A lock as long as the descriptor or one inherited from it is open.

    Raises:
        OSError: it is held, or the place cannot be written.
    """
    fd = os.open(file, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, how)
    except OSError:
        os.close(fd)
        raise
    return fd


@contextmanager
def _held(file: Path, how: int) -> Iterator[None]:
    fd = _lock(file, how)
    try:
        yield
    finally:
        os.close(fd)
