"""What a player sends, one request after another: a generator that is sent the answers.

By page, as a browser with JavaScript does: the home page, files for who comes for the first
time, each move as the form that the script posts, compressed answers, the leaderboard for half
of them. By API: a new player, a game, moves as JSON with a bearer token. Either way one game,
to its end.
"""

from __future__ import annotations

import gzip
import random
import re
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from tests.bench.hands import held, roll_again
from tests.bench.players.wire import Answer

MOVES = ("roll", "entry", "last")
NEWCOMERS = 0.1  # of the visits: their browser has none of the files yet
LOOKS = 0.5  # of the players look at the leaderboard afterwards

_MAKER = re.compile(rb'name="player" value="([^"]+)"')
_BOARD = re.compile(rb'id="game"[^>]*action="([^"?]+)|action="([^"?]+)"[^>]*id="game"')
_ASSETS = re.compile(rb'(?:href|src)="(/assets/[^"]+)"')
_COOKIE = re.compile(rb"\r\nSet-Cookie: (samedice_player=[^;]+)", re.IGNORECASE)
_PLY = re.compile(rb'name="ply" value="(\d+)"')
_ROLL = re.compile(rb'<button id="roll"[^>]*value="roll"')
_DICE = re.compile(rb'data-say="[^":]*: ([1-6](?:, [1-6])+)')
_BOX = re.compile(rb'class="line preview" data-box="(\w+)"')
_POINTS = re.compile(rb'class="value preview">(\d+)')


class Request(NamedTuple):
    """One request: what it is, its bytes, and whether the player thinks before it."""

    kind: str
    raw: bytes
    thinks: bool = False


Visit = Generator[Request, Answer, bool]
"""Sent the answers; returns whether the game was finished."""


class Unexpected(Exception):
    """An answer no player should get."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where it is played: ``Host`` and the path of the board."""

    host: str
    board: str


@dataclass(slots=True)
class State:
    """A game as its player sees it; ``points`` is what each open box would score."""

    ply: int
    dice: list[int] | None
    may_roll: bool
    points: dict[str, int]
    finished: bool


def _decide(state: State, rnd: random.Random) -> list[int] | str:
    """The positions to hold, or the box to enter."""
    if state.dice is None:
        return []
    if state.may_roll and (not state.points or roll_again(rnd)):
        return held(state.dice)
    return max(state.points, key=lambda box: (state.points[box], rnd.random()))


def _kind(choice: list[int] | str, state: State) -> str:
    if not isinstance(choice, str):
        return "roll"
    return "last" if len(state.points) == 1 else "entry"


# -- by page ---------------------------------------------------------------------------


def by_page(place: Place, rnd: random.Random) -> Visit:
    """As a browser."""
    home = yield Request("page", _read(place, "/"))
    page = _text(home)
    if rnd.random() < NEWCOMERS:
        for path in sorted(set(_ASSETS.findall(page))):
            yield Request("file", _read(place, path.decode()))
    form = {"ply": "0", "do": "roll", "player": _one(_MAKER, page)}
    answer = yield Request("roll", _post(place, place.board, form), thinks=True)
    cookie = _one(_COOKIE, answer.head)
    while not (state := _shown(_text(answer))).finished:
        choice = _decide(state, rnd)
        fields = [("ply", str(state.ply))]
        if isinstance(choice, str):
            fields.append(("box", choice))
        else:
            fields += [("do", "roll"), *(("hold", str(at)) for at in choice)]
        raw = _post(place, place.board, fields, cookie)
        answer = yield Request(_kind(choice, state), raw, thinks=True)
    if rnd.random() < LOOKS:
        path = f"{place.board}/leaderboard"
        yield Request("board", _read(place, path, cookie), thinks=True)
    return True


def _shown(page: bytes) -> State:
    ply = _PLY.search(page)
    dice = _DICE.search(page)
    boxes = (box.decode() for box in _BOX.findall(page))
    return State(
        ply=int(ply[1]) if ply else 0,
        dice=[int(each) for each in dice[1].split(b", ")] if dice else None,
        may_roll=_ROLL.search(page) is not None,
        points=dict(zip(boxes, map(int, _POINTS.findall(page)), strict=True)),
        finished=ply is None,
    )


def _text(answer: Answer) -> bytes:
    if answer.status != 200:
        raise Unexpected(f"status {answer.status}")
    packed = b"\r\nContent-Encoding: gzip" in answer.head
    return gzip.decompress(answer.body) if packed else answer.body


def _one(pattern: re.Pattern[bytes], text: bytes) -> str:
    found = pattern.search(text)
    if found is None:
        raise Unexpected(f"no {pattern.pattern!r}")
    return found[1].decode()


def _read(place: Place, path: str, cookie: str = "") -> bytes:
    return _head(place, "GET", path, cookie) + b"\r\n"


def _post(
    place: Place, path: str, form: dict[str, str] | list[tuple[str, str]], cookie: str = ""
) -> bytes:
    pairs = form.items() if isinstance(form, dict) else form
    body = "&".join(f"{name}={value}" for name, value in pairs).encode()
    return (
        _head(place, "POST", path, cookie)
        + b"Samedice-Swap: 1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
        + b"Content-Length: %d\r\n\r\n" % len(body)
        + body
    )


def _head(place: Place, method: str, path: str, cookie: str) -> bytes:
    """The lines that browsers send with everything."""
    lines = [
        f"{method} {path} HTTP/1.1",
        f"Host: {place.host}",
        "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        "Accept: text/html",
        "Accept-Language: en-US,en;q=0.5",
        "Accept-Encoding: gzip, deflate, br",
        "Sec-Fetch-Site: same-origin",
        "Sec-Fetch-Mode: cors",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return "\r\n".join(lines).encode() + b"\r\n"


# -- by API ----------------------------------------------------------------------------


class _Box(msgspec.Struct):
    box: str
    legal: bool
    preview: int | None


class _View(msgspec.Struct):
    ply: int
    rolls_left: int
    dice: list[int] | None
    boxes: list[_Box]
    finished: bool


class _Made(msgspec.Struct):
    token: str


_view = msgspec.json.Decoder(_View)
_made = msgspec.json.Decoder(_Made)


def by_api(place: Place, rnd: random.Random) -> Visit:
    """As a program."""
    game = f"/api/v1/challenges{place.board}/game"
    answer = yield Request("player", _call(place, "/api/v1/players", b"{}"))
    token = _made.decode(_json(answer)).token
    answer = yield Request("begin", _call(place, game, b"", token), thinks=True)
    while not (state := _seen(answer)).finished:
        choice = _decide(state, rnd)
        what = {"box": choice} if isinstance(choice, str) else {"hold": choice}
        path = f"{game}/score" if isinstance(choice, str) else f"{game}/roll"
        body = msgspec.json.encode({"ply": state.ply, **what})
        request = Request(_kind(choice, state), _call(place, path, body, token), thinks=True)
        answer = yield request
    if rnd.random() < LOOKS:
        path = f"/api/v1/challenges{place.board}/leaderboard?limit=50"
        yield Request("board", _call(place, path, None, token), thinks=True)
    return True


def _seen(answer: Answer) -> State:
    view = _view.decode(_json(answer))
    return State(
        ply=view.ply,
        dice=view.dice,
        may_roll=view.rolls_left > 0,
        points={each.box: each.preview or 0 for each in view.boxes if each.legal},
        finished=view.finished,
    )


def _json(answer: Answer) -> bytes:
    if answer.status not in (200, 201):
        raise Unexpected(f"status {answer.status}")
    return answer.body


def _call(place: Place, path: str, body: bytes | None, token: str = "") -> bytes:
    lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1", f"Host: {place.host}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


KINDS: dict[str, Callable[[Place, random.Random], Visit]] = {"page": by_page, "api": by_api}
