"""The socket ``challenge serve`` listens on: its own, or one that systemd holds for it."""

from __future__ import annotations

import errno
import os
import socket
import time
from typing import Any

from challenge.cli.children import GaveUp
from challenge.errors import SettingError

BACKLOG = 1024
POLL_SECONDS = 0.05
FIRST_HANDED = 3  # systemd hands descriptors from here on
INTERNET = (socket.AF_INET, socket.AF_INET6)


def listen(host: str, port: int, seconds: float = 0) -> socket.socket:
    """A socket that listens; a taken port is waited for up to ``seconds``.

    One handed over by systemd (``LISTEN_FDS``) is taken as it is, whatever ``host`` and
    ``port`` say. It outlives this process: while ``serve`` restarts, connections wait in it.

    Raises:
        SettingError: the host is no address of this machine, or what is handed over is not
            one listening TCP socket.
        GaveUp: the port cannot be had.
    """
    return handed() or _opened(host, port, seconds)


def handed() -> socket.socket | None:
    """The socket systemd hands to this very process; None where there is none."""
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        return None
    if os.environ.get("LISTEN_FDS") != "1":
        raise SettingError(f"LISTEN_FDS={os.environ.get('LISTEN_FDS')!r}: one socket is needed.")
    try:
        found = socket.socket(fileno=FIRST_HANDED)
        listens = found.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN)
    except OSError as error:
        raise SettingError(f"LISTEN_FDS: what is handed over is no socket: {error}.") from None
    if found.family not in INTERNET or not listens:
        raise SettingError("LISTEN_FDS: the socket must be a listening TCP socket (ListenStream=).")
    os.set_inheritable(FIRST_HANDED, False)  # who needs it is handed it by name
    return found


def _opened(host: str, port: int, seconds: float) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (socket.gaierror, UnicodeError):
        raise SettingError(f"--host {host!r} is no address of this machine.") from None
    until = time.monotonic() + seconds
    while True:
        try:
            return _bound(family, address)
        except OSError as error:
            if error.errno == errno.EADDRINUSE and time.monotonic() < until:
                time.sleep(POLL_SECONDS)
                continue
            why = f"{error.strerror}. --port takes another."
            raise GaveUp(f"Cannot listen on {host} port {port}: {why}") from None


def _bound(family: int, address: Any) -> socket.socket:
    listener = socket.socket(family)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
