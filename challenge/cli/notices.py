"""What a process tells the service manager that started it (systemd's ``Type=notify``)."""

from __future__ import annotations

import os
import socket
from contextlib import suppress


def tell_manager(state: str) -> None:
    """Sends a line such as ``READY=1``; nothing happens without a manager that listens."""
    place = os.environ.get("NOTIFY_SOCKET", "")
    if not place:
        return
    if place.startswith("@"):  # an abstract socket of Linux
        place = "\0" + place[1:]
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.connect(place)
        notices.sendall(state.encode())
