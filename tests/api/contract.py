"""A client that holds every answer against the description of the API, and small helpers to play.

Each call through :class:`Api` checks status, content type, headers and body of the answer
against ``challenge/web/openapi.json``, so that every API test is a test of the description too.
"""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012
from werkzeug.test import TestResponse

TODAY = "2026-11-30"
TITLES = {
    "bad-request": "The request is not well formed",
    "not-signed": "A player is needed",
    "cross-site": "Sent from another site",
    "not-open-yet": "This day is not open yet",
    "not-owner": "For the owner of the group",
    "spoiler": "Finish first",
    "not-found": "There is nothing here",
    "unknown-ruleset": "There is no such sheet",
    "closing": "This day is over",
    "gone": "No longer kept",
    "ply-conflict": "The game has moved on",
    "full": "There is no place left",
    "not-finished": "The game is not finished",
    "too-large": "The body is too large",
    "wrong-type": "The body is not JSON",
    "illegal-action": "The rules forbid this now",
    "too-many-requests": "Too many requests",
    "not-solved": "This sheet is not solved here",
    "store-unavailable": "The store does not answer",
}

ROOT = "urn:samedice:openapi"
DESCRIPTION: dict[str, Any] = json.loads(
    (files("challenge.web") / "openapi.json").read_text(encoding="utf-8")
)
_registry = Registry().with_resource(ROOT, Resource(DESCRIPTION, DRAFT202012))


def pointer(*parts: str) -> str:
    """The address of a part of the description."""
    escaped = (part.replace("~", "~0").replace("/", "~1") for part in parts)
    return f"{ROOT}#/" + "/".join(escaped)


@cache
def validator(address: str) -> Draft202012Validator:
    """What checks a value against the schema at an address of the description."""
    return Draft202012Validator(
        {"$ref": address}, registry=_registry, format_checker=Draft202012Validator.FORMAT_CHECKER
    )


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    # Fixed paths first: `/challenges/{date}` must not swallow a more exact one.
    paths = sorted(DESCRIPTION["paths"], key=lambda path: path.count("{"))
    return [(re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), path) for path in paths]


def path_of(url: str) -> str | None:
    """The path of the description that a URL belongs to."""
    return next((path for pattern, path in _patterns() if pattern.fullmatch(url)), None)


def check(method: str, url: str, response: TestResponse) -> None:
    """Assert that an answer is one the description allows for this call."""
    path = path_of(url.split("?", maxsplit=1)[0])
    lookup = "get" if method == "HEAD" else method.lower()
    if path is None or lookup not in DESCRIPTION["paths"][path]:
        return  # not an operation: 404, 405 and OPTIONS are asserted where they are tested
    place: tuple[str, ...] = ("paths", path, lookup, "responses", str(response.status_code))
    found = DESCRIPTION["paths"][path][lookup]["responses"].get(str(response.status_code))
    assert found, f"{method} {path} may not answer {response.status_code}: {response.text}"
    if "$ref" in found:
        place = tuple(found["$ref"].removeprefix("#/").split("/"))
        found = DESCRIPTION[place[0]][place[1]][place[2]]
    _check_headers(found.get("headers", {}), response)
    if method != "HEAD":
        _check_body(found.get("content"), place, response)


def _check_headers(headers: dict[str, Any], response: TestResponse) -> None:
    for name, reference in headers.items():
        key = reference["$ref"].rsplit("/", 1)[1]
        header = DESCRIPTION["components"]["headers"][key]
        value: Any = response.headers.get(name)
        if value is None:
            assert not header.get("required"), f"{name} is missing in {response.headers}"
            continue
        if header["schema"].get("type") == "integer":
            value = int(value)
        validator(pointer("components", "headers", key, "schema")).validate(value)


def _check_body(content: Any, place: tuple[str, ...], response: TestResponse) -> None:
    if content is None:
        assert response.data == b""
        return
    assert response.mimetype in content
    value = response.text if response.mimetype == "text/plain" else json.loads(response.data)
    validator(pointer(*place, "content", response.mimetype, "schema")).validate(value)


class Api:
    """Calls the app as one caller: anonymous, or a player by token."""

    def __init__(self, client: FlaskClient, token: str | None = None, player: str = "") -> None:
        self.client = client
        self.token = token
        self.player = player

    def call(self, method: str, url: str, **more: Any) -> TestResponse:
        """One request; its answer has been held against the description."""
        headers = dict(more.pop("headers", {}))
        if self.token is not None:
            headers.setdefault("Authorization", f"Bearer {self.token}")
        response = self.client.open(url, method=method, headers=headers, **more)
        check(method, url, response)
        return response

    def get(self, url: str, **more: Any) -> TestResponse:
        """GET."""
        return self.call("GET", url, **more)

    def post(self, url: str, json: Any = None, **more: Any) -> TestResponse:
        """POST; ``json`` None sends no body."""
        return self.call("POST", url, **({} if json is None else {"json": json}), **more)

    def patch(self, url: str, json: Any, **more: Any) -> TestResponse:
        """PATCH."""
        return self.call("PATCH", url, json=json, **more)

    def put(self, url: str, json: Any, **more: Any) -> TestResponse:
        """PUT."""
        return self.call("PUT", url, json=json, **more)

    def delete(self, url: str, **more: Any) -> TestResponse:
        """DELETE."""
        return self.call("DELETE", url, **more)

    def signed(self, name: str | None = None) -> Api:
        """A new player on the same client."""
        response = self.post("/api/v1/players", {"name": name} if name else {})
        assert response.status_code == 201, response.text
        return Api(self.client, response.json["token"], response.json["player"]["id"])


def at(text: str) -> datetime:
    """An instant in UTC, from ``2026-12-01 03:00``."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def board(date: str = "today", ruleset: str = "yacht", tail: str = "") -> str:
    """Path of a board, or of what lies below it."""
    return f"/api/v1/challenges/{date}/{ruleset}" + (f"/{tail}" if tail else "")


def game(date: str = "today", ruleset: str = "yacht", tail: str = "") -> str:
    """Path of the caller's game on a board."""
    return board(date, ruleset, "game" + (f"/{tail}" if tail else ""))


def legal(view: dict[str, Any]) -> list[str]:
    """The boxes an entry is legal in."""
    return [box["box"] for box in view["boxes"] if box["legal"]]


def play(
    api: Api, date: str = "today", ruleset: str = "yacht", *, pick: int = 0, turns: int = 99
) -> dict[str, Any]:
    """Play a game from where it stands: one roll a turn, then legal box number ``pick``.

    Stops after ``turns`` turns or at the end and returns the game as it then is.
    """
    view = api.post(game(date, ruleset)).json
    for _ in range(turns):
        if view["finished"]:
            break
        if view["dice"] is None:
            view = api.post(game(date, ruleset, "roll"), {"ply": view["ply"], "hold": []}).json
        choices = legal(view)
        body = {"ply": view["ply"], "box": choices[pick % len(choices)]}
        view = api.post(game(date, ruleset, "score"), body).json
    return view


def problem(response: TestResponse, slug: str, status: int, **extra: Any) -> dict[str, Any]:
    """Assert that an answer is this problem document, and return it.

    ``extra`` are its further members, all of them; ``...`` takes any value.
    """
    assert response.status_code == status, response.text
    assert response.content_type == "application/problem+json"
    document: dict[str, Any] = json.loads(response.data)
    assert document["type"] == f"/problems/{slug}"
    assert document["status"] == status
    assert document["title"] == TITLES[slug]
    assert document["detail"]
    assert set(document) == {"type", "title", "status", "detail", *extra}
    for name, value in extra.items():
        assert value is ... or document[name] == value, name
    return document
