"""What counting and writing down a request costs a move, in CPU time.

``pytest -m bench -s tests/bench/test_watch.py``. Three applications over one store make the
moves of the same games, whoever's turn it is by lot, so that all meet the same moods of the
machine; and the parts are measured alone, where all caches are warm.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, Response, request
from werkzeug.test import EnvironBuilder

from challenge import logs
from challenge.store import tally
from challenge.web import create_app, watch
from challenge.web.watch import requests
from challenge.web.watch.door import EXTENSION

pytestmark = pytest.mark.bench

GAMES = 60
GAME = "/api/v1/challenges/today/yacht/game"
MANY = {"CHALLENGE_IDENTITIES_PER_DAY": "1000000", "CHALLENGE_MOVES_PER_MINUTE": "1000000"}


class Caller:
    """Calls one application; its events are heard by it alone."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.costs: list[float] = []
        self._listeners = list(tally._listeners)

    def post(self, path: str, body: Any, token: str = "") -> Any:
        """The JSON of an answer; what it cost is kept, in µs."""
        signed = {"Authorization": f"Bearer {token}"} if token else {}
        headers = {"Content-Type": "application/json", **signed}
        built = EnvironBuilder(method="POST", path=path, data=json.dumps(body), headers=headers)
        environ = built.get_environ()
        tally._listeners[:] = self._listeners
        before = time.thread_time()
        answer = self.app.wsgi_app(environ, lambda status, headers, exc_info=None: print)
        content = b"".join(answer)
        self.costs.append((time.thread_time() - before) * 1e6)
        return json.loads(content)


def bare(services: Any, monkeypatch: pytest.MonkeyPatch) -> Flask:
    """The application with nobody who watches."""
    tally._listeners.clear()
    with monkeypatch.context() as patched:
        patched.setattr(watch, "init_app", lambda app: None)
        return create_app(services)


def test_what_watching_adds_to_a_move(make_services, monkeypatch, capfd) -> None:
    callers = {"nobody watches": Caller(bare(make_services(**MANY), monkeypatch))}
    for name, mode in (("figures", "off"), ("figures and log", "on")):
        services = make_services(**MANY, CHALLENGE_REQUEST_LOG=mode)
        callers[name] = Caller(create_app(services))
    lots = random.Random(1)
    for seed in range(GAMES):
        _play(lambda: lots.choice(list(callers.values())), random.Random(seed))
    capfd.readouterr()
    with capfd.disabled():
        for name, caller in callers.items():
            costs = sorted(caller.costs)
            cut = costs[len(costs) // 20 : -len(costs) // 20]
            print(f"{name}: {statistics.mean(cut):.0f} µs a move ({len(costs)} moves)")


def _play(turn: Callable[[], Caller], rnd: random.Random) -> None:
    token = turn().post("/api/v1/players", {})["token"]
    view = turn().post(GAME, {}, token)
    while not view["finished"]:
        ply = view["ply"]
        if view["rolls_left"] and (view["dice"] is None or rnd.random() < 0.8):
            hold = [] if view["dice"] is None else rnd.sample(range(5), rnd.randrange(5))
            view = turn().post(f"{GAME}/roll", {"ply": ply, "hold": hold}, token)
        else:
            box = rnd.choice([box["box"] for box in view["boxes"] if box["legal"]])
            view = turn().post(f"{GAME}/score", {"ply": ply, "box": box}, token)


def test_what_the_parts_cost_alone(app: Flask, capfd) -> None:
    meters = app.extensions[EXTENSION]
    answer = Response(b"x" * 1000, content_type="application/json")
    with app.test_request_context(f"{GAME}/roll", method="POST"):
        requests._begin()
        asked, seen = request._get_current_object(), requests._seen(request.environ)
        parts: dict[str, Callable[[], Any]] = {
            "begin": requests._begin,
            "count, time, name": lambda: requests._end(meters, False, answer),
            "a move": lambda: tally.count("moves", "roll", "daily"),
            "a line": lambda: requests._line(asked, answer, seen, "/x", "POST", 0.004, {}),
            "write it": lambda: logs.write(b"x" * 299 + b"\n"),
        }
        found = {name: _best(part) for name, part in parts.items()}
    capfd.readouterr()
    with capfd.disabled():
        print(", ".join(f"{name} {cost:.1f} µs" for name, cost in found.items()))
    assert sum(found.values()) < 60


def _best(part: Callable[[], Any], times: int = 4000) -> float:
    """CPU µs of one call, the best of five rows."""
    rows = []
    for _ in range(5):
        before = time.thread_time()
        for _ in range(times):
            part()
        rows.append((time.thread_time() - before) / times * 1e6)
    return min(rows)
