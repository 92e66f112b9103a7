"""Real processes, each with services of its own over one Valkey, that call at the same moment."""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from typing import Any

from flask.testing import FlaskClient

from challenge import bootstrap
from challenge.web import create_app
from tests.conftest import Clock, make_settings

FRESH = "fresh"
_spawn = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Call:
    """One request; ``body`` None sends none."""

    token: str
    url: str
    body: Any = None
    method: str = "POST"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it."""

    status: int
    json: Any


class Racers:
    """``count`` processes waiting at the line; a context manager that ends them."""

    def __init__(self, url: str, count: int) -> None:
        self._line = line = _spawn.Barrier(count)
        self._pipes: list[Connection] = []
        self._processes = []
        for _ in range(count):
            here, there = _spawn.Pipe()
            process = _spawn.Process(target=_run, args=(url, there, line), daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def __enter__(self) -> Racers:
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.send(None)
        for process in self._processes:
            process.join(10)

    def refresh(self) -> None:
        """Build new services everywhere: they remember boards that a test has flushed."""
        for pipe in self._pipes:
            pipe.send(FRESH)

    def race(self, calls: Sequence[Call]) -> list[Answer]:
        """Send one call by each process, all at once."""
        assert len(calls) == len(self._pipes)
        for pipe, call in zip(self._pipes, calls, strict=True):
            pipe.send(call)
        return [pipe.recv() for pipe in self._pipes]


def _run(url: str, pipe: Connection, line: Barrier) -> None:
    client = _client(url)
    while (call := pipe.recv()) is not None:
        if call == FRESH:
            client = _client(url)
            continue
        line.wait()
        response = client.open(
            call.url,
            method=call.method,
            headers={"Authorization": f"Bearer {call.token}"},
            **({} if call.body is None else {"json": call.body}),
        )
        pipe.send(Answer(response.status_code, response.json))


def _client(url: str) -> FlaskClient:
    return create_app(bootstrap.build(make_settings(url), Clock())).test_client()
