"""HTTP/1.1 over kept connections, as lean as it goes: the sender shares the processors."""

from __future__ import annotations

import asyncio
import re
from typing import NamedTuple

LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
PATIENCE = 10.0  # seconds, as the page's own script has it

Address = tuple[str, int]


class Answer(NamedTuple):
    """What came back; ``body`` as it was sent, so perhaps compressed."""

    status: int
    head: bytes
    body: bytes


class Dropped(Exception):
    """The connection ended before the answer; ``silent`` where no byte of it had come."""

    def __init__(self, *, silent: bool) -> None:
        super().__init__("dropped")
        self.silent = silent


class Line(asyncio.Protocol):
    """One connection; one request at a time."""

    def __init__(self) -> None:
        self.open = False
        self._transport: asyncio.Transport | None = None
        self._got = bytearray()
        self._size = 0  # bytes of the whole answer, once its head has come
        self._waiting: asyncio.Future[Answer] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Opened."""
        assert isinstance(transport, asyncio.Transport)
        self._transport, self.open = transport, True

    def connection_lost(self, exc: Exception | None) -> None:
        """Closed by either side."""
        self.open = False
        if self._waiting and not self._waiting.done():
            self._waiting.set_exception(Dropped(silent=not self._got))

    def data_received(self, data: bytes) -> None:
        """A part of the answer."""
        self._got += data
        if not self._size and (end := self._got.find(b"\r\n\r\n")) >= 0:
            found = LENGTH.search(self._got, 0, end)
            self._size = end + 4 + (int(found[1]) if found else 0)
        if self._size and len(self._got) >= self._size:
            self._answered()

    def _answered(self) -> None:
        whole = bytes(self._got)
        self._got.clear()
        self._size = 0
        head, _, body = whole.partition(b"\r\n\r\n")
        if b"\r\nConnection: close" in head:
            self.close()
        if self._waiting and not self._waiting.done():
            self._waiting.set_result(Answer(int(head[9:12]), head, body))

    async def ask(self, request: bytes) -> Answer:
        """One request and its answer.

        Raises:
            Dropped: the connection ended first.
            TimeoutError: nothing came for as long as :data:`PATIENCE`.
        """
        assert self._transport is not None
        self._waiting = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        async with asyncio.timeout(PATIENCE):
            return await self._waiting

    def close(self) -> None:
        """Hang up."""
        self.open = False
        if self._transport is not None:
            self._transport.abort()


class Browser:
    """One player's connection, opened again where the server has closed it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._line = Line()
        self.opened = 0

    async def ask(self, request: bytes) -> Answer:
        """One request; on a kept connection that turns out closed it is sent once more, as
        browsers do.

        Raises:
            OSError: no connection can be had.
            Dropped, TimeoutError: as :meth:`Line.ask`.
        """
        kept = self._line.open
        try:
            return await self._try(request)
        except Dropped as drop:
            if not (kept and drop.silent):
                raise
            return await self._try(request)
        except TimeoutError:
            self._line.close()
            raise

    async def _try(self, request: bytes) -> Answer:
        if not self._line.open:
            loop = asyncio.get_running_loop()
            async with asyncio.timeout(PATIENCE):
                _, self._line = await loop.create_connection(Line, *self._address)
            self.opened += 1
        return await self._line.ask(request)

    def close(self) -> None:
        """Hang up."""
        self._line.close()
