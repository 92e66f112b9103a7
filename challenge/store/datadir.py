"""The data directory of the embedded store: its paths, locks, secrets and note."""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import secrets
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from challenge.errors import DataDirError

SOCKET_BYTES = 100  # macOS takes 103 bytes, Linux 107
SECRET_BYTES = 48
PRIVATE = 0o700
FOLDER = "appendonlydir"  # what the server makes in its directory
ROOM = 1 << 20  # bytes that must be writable before a store that ran out of room starts again


@dataclass(frozen=True, slots=True)
class ServerNote:
    """Which server wrote the data: kind (``valkey`` or ``redis``) and version."""

    kind: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        return f"{self.kind} {'.'.join(map(str, self.version))}"

    def may_read(self, written: ServerNote) -> bool:
        """Whether this server reads what ``written`` wrote: the same kind, not older."""
        return self.kind == written.kind and self.version >= written.version


class DataDir:
    """One data directory; naming it touches nothing, ``prepare()`` makes it.

    >>> DataDir("/srv/samedice").store
    PosixPath('/srv/samedice/store')
    """

    def __init__(self, path: Path | str) -> None:
        self.path = Path(path).absolute()

    @property
    def store(self) -> Path:
        """Where the server keeps its append-only file."""
        return self.path / "store"

    @property
    def solver(self) -> Path:
        """Where the tables of exact play are kept."""
        return self.path / "solver"

    @property
    def server_lock(self) -> Path:
        """Locked by the running store itself, for exactly as long as it lives."""
        return self.path / "server.lock"

    @property
    def serve_lock(self) -> Path:
        """Locked by the ``serve`` that owns the directory; tells who that is."""
        return self.path / "serve.lock"

    @property
    def log(self) -> Path:
        """What the store said since its last start."""
        return self.path / "server.log"

    @property
    def socket(self) -> Path:
        """The store's Unix socket: in the directory, or elsewhere where that is too long."""
        inside = self.path / "redis.sock"
        return inside if _fits(inside) else self._short_socket()

    @property
    def socket_url(self) -> str:
        """The embedded store as a URL for redis-py."""
        return f"unix://{quote(str(self.socket))}"

    def _short_socket(self) -> Path:
        name = "sd-" + hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        places = [Path(temp) / name / "redis.sock" for temp in (tempfile.gettempdir(), "/tmp")]  # noqa: S108 (checked to be ours alone)
        return next((place for place in places if _fits(place)), places[-1])

    def prepare(self) -> None:
        """Make what is missing of the directory.

        Raises:
            DataDirError: it cannot be made or written, or another user holds its socket's place.
        """
        try:
            self.path.mkdir(mode=PRIVATE, parents=True, exist_ok=True)
            self.store.mkdir(mode=PRIVATE, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.path):
                pass
        except OSError as error:
            raise self._error("cannot be used", error) from None
        if self.socket.parent != self.path:
            _own_private(self.socket.parent)

    def lacks_room(self) -> str:
        """Why :data:`ROOM` bytes cannot be written here; empty where they can."""
        try:
            with tempfile.TemporaryFile(dir=self.path) as file:
                file.write(bytes(ROOM))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            return error.strerror or str(error)
        return ""

    def tidy(self) -> None:
        """After the store has ended: remove what ``prepare()`` made outside the directory."""
        if self.socket.parent != self.path:
            with suppress(OSError):
                self.socket.parent.rmdir()

    def stream_secret(self) -> bytes:
        """The secret all dice derive from; made at the first call.

        Raises:
            DataDirError: the file cannot be made or read, is empty, or has been lost.
        """
        return self._secret(
            "stream.secret",
            lost="a new one would deal other dice than were promised",
            setting="CHALLENGE_STREAM_SECRET",
        )

    def signing_keys(self) -> tuple[bytes, ...]:
        """The keys that sign player values, one a line, newest last; made at the first call.

        Raises:
            DataDirError: the file cannot be made or read, is empty, or has been lost.
        """
        keys = self._secret(
            "signing.keys",
            lost="with new ones every player would be signed out",
            setting="CHALLENGE_SECRET_KEYS",
        )
        return tuple(keys.split())

    def _secret(self, name: str, *, lost: str, setting: str) -> bytes:
        self.prepare()
        path = self.path / name
        try:
            # Secrets are made before a store first starts.
            if not path.exists() and (self.store / FOLDER).exists():
                raise DataDirError(
                    f"The data directory {self.path} has a store, but no {name} any more: {lost}. "
                    f"Put it back from a backup, or set {setting}."
                )
            _make_once(path, secrets.token_urlsafe(SECRET_BYTES).encode() + b"\n")
            secret = path.read_bytes().strip()
        except OSError as error:
            raise self._error(f"has an unusable {name}", error) from None
        if not secret:
            raise DataDirError(f"The data directory {self.path} has an empty {name}.")
        return secret

    def server_note(self) -> ServerNote | None:
        """Which server last wrote the data; None in a fresh directory.

        Raises:
            DataDirError: the note cannot be read.
        """
        try:
            note = json.loads(self._note.read_bytes())
            return ServerNote(str(note["kind"]), tuple(map(int, note["version"].split("."))))
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise self._error("has an unreadable server.json", error) from None

    def note_server(self, note: ServerNote) -> None:
        """Write down which server writes the data from now on."""
        version = ".".join(map(str, note.version))
        text = json.dumps({"kind": note.kind, "version": version}) + "\n"
        try:
            _replace(self._note, text.encode())
        except OSError as error:
            raise self._error("cannot be written", error) from None

    @property
    def _note(self) -> Path:
        return self.path / "server.json"

    def _error(self, what: str, error: Exception) -> DataDirError:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return DataDirError(
            f"The data directory {self.path} {what}: {why}. CHALLENGE_DATA_DIR names another."
        )


def try_lock(path: Path) -> int | None:
    """A descriptor that holds the exclusive lock on ``path``, or None when it is held.

    A directory is locked itself; a file that is missing is made.

    The lock belongs to the open file: it lasts until the last process that inherited
    the descriptor has closed it.

    Raises:
        DataDirError: the file cannot be opened or locked.
    """
    try:
        mode = os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT
        fd = os.open(path, mode | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise DataDirError(f"Cannot open {path}: {error.strerror}.") from None
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(fd)
        if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
            return None
        raise DataDirError(f"Cannot lock {path}: {error.strerror}.") from None
    return fd


def _fits(path: Path) -> bool:
    return len(os.fsencode(path)) < SOCKET_BYTES


def _own_private(path: Path) -> None:
    """Make a directory of this user alone below the temporary directory, or check it is one."""
    try:
        path.mkdir(mode=PRIVATE, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise DataDirError(f"Cannot make {path} for the socket: {error.strerror}.") from None
    private = stat.S_ISDIR(found.st_mode) and not found.st_mode & 0o077
    if not private or found.st_uid != os.getuid():
        raise DataDirError(f"{path} is needed for the socket but is not a private directory.")


def _make_once(path: Path, content: bytes) -> None:
    """Create ``path`` whole or leave the one that is there; two makers agree on one."""
    if path.exists():
        return
    fresh = _written_beside(path, content)
    try:
        os.link(fresh, path)
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def _replace(path: Path, content: bytes) -> None:
    _written_beside(path, content).replace(path)


def _written_beside(path: Path, content: bytes) -> Path:
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    with os.fdopen(fd, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(fd)
    return Path(name)
