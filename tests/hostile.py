"""Requests no honest client sends, for the application and, as bytes, for a real server."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

from flask import Flask

from tests.hostile_texts import (
    BODIES,
    FORM_PLACES,
    FORMS,
    HEADERS,
    JSON_PLACES,
    METHODS,
    MULTIPART,
    ODD_METHODS,
    PATHS,
    PLACES,
    QUERIES,
    WITH_QUERY,
)  # fmt: skip

JSON = ("Content-Type", "application/json")
FORM = ("Content-Type", "application/x-www-form-urlencoded")


@dataclass(frozen=True)
class Hostile:
    """One request; ``target`` and ``headers`` hold one character a byte (Latin-1)."""

    method: str = "GET"
    target: str = "/"
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    host: str | None = field(default="localhost", kw_only=True)

    @property
    def raw(self) -> bytes:
        """As it goes over a socket, asking for no further request."""
        lines = [f"{self.method} {self.target} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in self._all()]
        return "\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + self.body

    def _all(self) -> Iterator[tuple[str, str]]:
        if self.host is not None:
            yield "Host", self.host
        yield from self.headers
        names = {name.lower() for name, _ in self.headers}
        if self.body and not names & {"content-length", "transfer-encoding"}:
            yield "Content-Length", str(len(self.body))

    def environ(self) -> dict[str, Any]:
        """As a server hands it to an application."""
        path, _, query = self.target.partition("?")
        found: dict[str, Any] = {
            "REQUEST_METHOD": self.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path.encode("latin-1")).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "203.0.113.7",
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(self.body),
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        for name, value in self._all():
            key = name.upper().replace("-", "_")
            key = key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"
            found[key] = f"{found[key]},{value}" if key in found else value
        return found


def status_of(app: Flask, environ: dict[str, Any]) -> int:
    """What an application answers; its whole body has been read."""
    said: list[str] = []

    def start(status: str, headers: Any, *_: Any) -> Any:
        for name, value in headers:
            assert "\n" not in name + value
            (name + value).encode("latin-1")
        said[:] = [status]

    answer: Any = app.wsgi_app(environ, start)
    try:
        b"".join(answer)
    finally:
        if hasattr(answer, "close"):
            answer.close()
    return int(said[0].split()[0])


def requests() -> Iterator[Hostile]:
    """Many hundreds of them, always the same."""
    yield from (Hostile(method, place) for method in METHODS for place in PLACES)
    yield from (Hostile(method) for method in ODD_METHODS)
    yield from (Hostile(target=path) for path in PATHS)
    yield from (Hostile("POST", path, (FORM,), b"a=b") for path in PATHS)
    yield from (Hostile(target=place + query) for place in WITH_QUERY for query in QUERIES)
    for name, value in HEADERS:
        host = None if name == "Host" else "localhost"
        for place in ("/", "/api/v1/me"):
            yield Hostile("GET", place, ((name, value),), host=host)
        yield Hostile("POST", "/api/v1/players", ((name, value), JSON), b"{}", host=host)
    yield from (Hostile("GET", "/", ((name, value),) * 2) for name, value in HEADERS[12:80:3])
    yield from (Hostile("POST", place, (JSON,), body) for place in JSON_PLACES for body in BODIES)
    yield from (Hostile("POST", place, (FORM,), body) for place in FORM_PLACES for body in FORMS)
    for kind, body in MULTIPART:
        yield from (
            Hostile("POST", place, (("Content-Type", kind),), body) for place in FORM_PLACES
        )
    yield from (Hostile("GET", place, (JSON,), b"{}") for place in PLACES)


def signed(found: Iterable[Hostile], token: str) -> Iterator[Hostile]:
    """The same, sent by a player."""
    for request in found:
        yield Hostile(
            request.method,
            request.target,
            (*request.headers, ("Authorization", f"Bearer {token}")),
            request.body,
            host=request.host,
        )
