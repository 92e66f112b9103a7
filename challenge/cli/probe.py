"""Is the web server ready? One request that waits in the listening socket's queue."""

from __future__ import annotations

import json
import socket
from dataclasses import dataclass

REQUEST = (
    b"GET /readyz HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n"
    b"Connection: close\r\n\r\n"
)
CONNECT_SECONDS = 0.2
ANY_HOST = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (read, not bound)


@dataclass(frozen=True, slots=True)
class Answer:
    """What ``/readyz`` said: HTTP status (0: the connection broke) and its problem's detail."""

    status: int
    detail: str


class Probe:
    """One request to ``/readyz``; select on ``fileno()``, then ``read()``.

    The connection stands as soon as the socket listens, and the answer comes when a
    worker has taken it: nothing has to be asked twice while the web server starts.

    Raises:
        OSError: the address takes no connection.
    """

    def __init__(self, address: tuple[str, int]) -> None:
        host, port = address
        place = (ANY_HOST.get(host, host), port)
        self._socket = socket.create_connection(place, timeout=CONNECT_SECONDS)
        self._socket.sendall(REQUEST)
        self._socket.setblocking(False)
        self._received = b""

    def fileno(self) -> int:
        """The descriptor to select on."""
        return self._socket.fileno()

    def read(self) -> Answer | None:
        """The answer once it is complete; None before."""
        try:
            part = self._socket.recv(65536)
        except BlockingIOError:
            return None
        except OSError:
            part = b""
        self._received += part
        return None if part else _parse(self._received)

    def close(self) -> None:
        """Forget the request."""
        self._socket.close()


def _parse(received: bytes) -> Answer:
    head, _, body = received.partition(b"\r\n\r\n")
    words = head.split(b"\r\n")[0].split()
    status = int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
    try:
        detail = json.loads(body)["detail"]
    except (ValueError, KeyError, TypeError):
        detail = ""
    return Answer(status, str(detail))
