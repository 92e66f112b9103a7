"""The embedded store: a Valkey server of our own on a Unix socket.

One data directory never has two servers: the server inherits the locked descriptor of
``server.lock``, so the lock lasts exactly as long as the server, whatever becomes of the
process that started it. Where the lock is held, that server is adopted.

A server that cannot write ends rather than acknowledge what it may lose. Where its disk is
full it is not started again before there is room.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import subprocess
import time
from pathlib import Path
from typing import IO

from challenge import lifeline
from challenge.errors import DataDirError
from challenge.store.datadir import DataDir, try_lock
from challenge.store.server import Server, StoreFailed, find_server

ANSWER_SECONDS = 1.0
SILENCE_SECONDS = 30.0  # a server that says nothing for so long does not start any more
POLL_SECONDS = 0.01
ROOM_SECONDS = 1.0  # between two looks for room on a full disk

log = logging.getLogger("challenge.store")


class EmbeddedStore:
    """Starts, watches and stops the server of one data directory.

    ``launch()`` and then ``ready()`` until it is true, or ``start()`` which does both;
    ``alive()`` tells whether it still runs, and ``launch()`` may be called again after.
    """

    def __init__(self, data_dir: DataDir) -> None:
        self.data_dir = data_dir
        self._server: Server | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._adopted: socket.socket | None = None
        self._heard = 0.0
        self._proven = False  # it has answered once
        self._full_until = 0.0  # the next look for room; 0 while there is some

    @property
    def pid(self) -> int | None:
        """The server's process; None while none of our own runs."""
        return self._process.pid if self._process else None

    def start(self) -> None:
        """Start or adopt the server and wait until it answers.

        Raises:
            DataDirError: the directory cannot be used, or another server wrote it.
            StoreFailed: there is no server program, or it ends or stays silent.
        """
        self.launch()
        while not self.ready():
            time.sleep(POLL_SECONDS)

    def launch(self) -> None:
        """Begin to start the server; returns at once. Raises as ``start()`` does."""
        self._forget()
        self._heard = time.monotonic()
        if self._proven and self._is_full():
            return
        self.data_dir.prepare()
        self._spawn()

    def ready(self) -> bool:
        """Whether the server answers by now. Raises as ``start()`` does.

        Not while the disk is full that it has worked on before; that is waited for.
        """
        if self._full_until:
            if time.monotonic() >= self._full_until:
                self.launch()
            return False
        if self._process is None and self._adopted is None:
            self._spawn()
        if self._process is not None and self._process.poll() is not None:
            if self._proven and self._is_full():
                return False
            raise StoreFailed(self._last_word())
        if self._answers():
            return True
        if time.monotonic() - self._heard > SILENCE_SECONDS:
            raise StoreFailed(f"no answer on {self.data_dir.socket}")
        return False

    def alive(self) -> bool:
        """Whether the server still runs and can still be reached."""
        if self._process is not None:
            return self._process.poll() is None and self.data_dir.socket.exists()
        return self._adopted is not None and _open(self._adopted)

    def stop(self, seconds: float = 10.0) -> None:
        """Have the server write what is left and end; kill it after ``seconds``."""
        if self._adopted is not None:
            _say(self._adopted, b"SHUTDOWN NOSAVE\r\n")
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            _wait_or_kill(self._process, seconds)
        self._forget()
        self.data_dir.tidy()

    def _is_full(self) -> bool:
        """Whether the disk has no room; says so once, and once that it has some again."""
        why = self.data_dir.lacks_room()
        if why and not self._full_until:
            log.warning("the embedded store waits for room in %s: %s", self.data_dir.path, why)
        if not why and self._full_until:
            log.warning("the embedded store has room again")
        self._full_until = time.monotonic() + ROOM_SECONDS if why else 0.0
        return bool(why)

    def _forget(self) -> None:
        if self._adopted is not None:
            self._adopted.close()
        if self._process is not None and self._process.poll() is None:
            _wait_or_kill(self._process, 0)
        self._process = self._adopted = None

    def _spawn(self) -> None:
        """Start a server unless one holds the lock already."""
        lock = try_lock(self.data_dir.server_lock)
        if lock is None:
            return
        try:
            server = find_server(self.data_dir)
            self._process = self._run(server, lock)
            self._server = server
        finally:
            os.close(lock)

    def _run(self, server: Server, lock: int) -> subprocess.Popen[bytes]:
        command = [str(server.binary), *self._options()]
        with self._log() as log:
            return subprocess.Popen(  # noqa: S603 (our own program, no shell)
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.data_dir.store,
                pass_fds=(lock,),
                umask=0o077,  # the data is nobody else's
                start_new_session=True,  # Ctrl-C is for `serve`, which stops us last
                preexec_fn=lifeline.tied_to(os.getpid()),  # noqa: PLW1509 (no threads here)
            )

    def _log(self) -> IO[bytes]:
        try:
            return self.data_dir.log.open("wb")
        except OSError as error:
            raise DataDirError(f"Cannot write {self.data_dir.log}: {error.strerror}.") from None

    def _options(self) -> list[str]:
        options = {
            "port": "0",
            "unixsocket": str(self.data_dir.socket),
            "unixsocketperm": "700",
            "dir": str(self.data_dir.store),
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
            "maxmemory-policy": "noeviction",
            "loglevel": "warning",
            "logfile": "",
            "daemonize": "no",
        }
        return [word for name, value in options.items() for word in (f"--{name}", value)]

    def _answers(self) -> bool:
        try:
            connection = _connect(self.data_dir.socket)
            reply = _ask(connection, b"PING\r\n")
        except OSError:
            return False
        if reply.startswith(b"-LOADING"):
            self._heard = time.monotonic()
        if not reply.startswith(b"+PONG"):
            connection.close()
            return False
        self._settle(connection)
        return True

    def _settle(self, connection: socket.socket) -> None:
        """The server answers: note it if it is ours, keep the line open if it is adopted."""
        self._proven = True
        if self._process is None or self._server is None:
            self._adopted = connection
            return
        connection.close()
        if self.data_dir.server_note() != self._server.note:
            self.data_dir.note_server(self._server.note)

    def _last_word(self) -> str:
        lines = self.data_dir.log.read_text("utf-8", "replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1] if said else "the server ended without a word"


def _connect(path: Path) -> socket.socket:
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(ANSWER_SECONDS)
    try:
        connection.connect(str(path))
    except OSError:
        connection.close()
        raise
    return connection


def _ask(connection: socket.socket, command: bytes) -> bytes:
    try:
        connection.sendall(command)
        return connection.recv(256)
    except OSError:
        connection.close()
        raise


def _say(connection: socket.socket, command: bytes) -> None:
    """Send and wait for the end of the connection."""
    try:
        connection.settimeout(10)
        connection.sendall(command)
        while connection.recv(256):
            pass
    except OSError:
        return


def _open(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def _wait_or_kill(process: subprocess.Popen[bytes], seconds: float) -> None:
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
