"""Players over HTTP who go on when a failover has taken moves of theirs back."""

from __future__ import annotations

import http.client
import json
import threading
from collections import Counter
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tests.runtime.processes import PATIENCE, until

AWAY = 503


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back: the status, the JSON, and whether a finish is not safe yet."""

    status: int
    content: dict[str, Any]
    degraded: bool


@dataclass(frozen=True, slots=True)
class Finish:
    """A game that was acknowledged as finished and safe."""

    token: str
    player: str
    sheet: str
    log: str
    total: int


class Survivor:
    """One player; ``statuses`` counts every answer, a broken connection as 0."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._token = ""
        self.statuses: Counter[int] = Counter()
        self.degraded = 0
        self.taken_back = 0
        made = self.send("POST", "/api/v1/players", {}).content
        self._token, self.id = made["token"], made["player"]["id"]

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer | None:
        """One attempt; None where the connection broke."""
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            connection.request(method, path, json.dumps(body or {}), headers)
            answer = connection.getresponse()
            content = json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            self.statuses[0] += 1
            return None
        finally:
            connection.close()
        self.statuses[answer.status] += 1
        assert answer.status < 500 or answer.status == AWAY, content
        assert answer.status != AWAY or answer.headers["Retry-After"], content
        return Answer(answer.status, content, "Samedice-Durability" in answer.headers)

    def send(self, method: str, path: str, body: dict[str, Any] | None = None) -> Answer:
        """The answer, asked for until there is one that the store had a part in."""

        def found() -> Answer | None:
            answer = self.ask(method, path, body)
            return answer if answer is not None and answer.status != AWAY else None

        return until(found)

    # -- a game --------------------------------------------------------------------------

    def begin(self, sheet: str) -> dict[str, Any]:
        """The game of today's sheet as it stands, begun if need be."""
        answer = self.send("POST", _game(sheet))
        assert answer.status in (200, 201), answer
        return answer.content

    def step(self, sheet: str, game: dict[str, Any]) -> tuple[dict[str, Any], bool]:
        """The game after one more action, and whether that is safe if it was the last.

        Where moves were taken back the game comes as it stands; where its beginning was,
        it begins again.
        """
        path, body = _move(sheet, game)
        answer = self.send("POST", path, body)
        if answer.status == 200:
            self.degraded += answer.degraded
            return answer.content, not answer.degraded
        self.taken_back += 1
        if answer.status == 409:
            return answer.content["game"], False
        assert answer.status == 404, answer
        return self.begin(sheet), False

    def finish(self, sheet: str) -> Finish:
        """A whole game; the last entry is sent again until it is safe."""
        game, safe = self.begin(sheet), False
        while not (game["finished"] and safe):
            before = game
            game, safe = self.step(sheet, game)
            if game["finished"] and not safe:
                game = before  # the same entry once more
        return Finish(self._token, self.id, sheet, game["log"], game["total"])


class Crowd:
    """Players of some sheets, each in a thread, one game after the other."""

    def __init__(self, port: int, sheets: list[str]) -> None:
        self.finished = 0
        self._stop = threading.Event()
        self._port = port
        self._pool = ThreadPoolExecutor(len(sheets))
        self._lock = threading.Lock()
        self._games: list[Future[list[tuple[Survivor, Finish]]]] = [
            self._pool.submit(self._play, sheet) for sheet in sheets
        ]

    def _play(self, sheet: str) -> list[tuple[Survivor, Finish]]:
        played = []
        while not self._stop.is_set():
            player = Survivor(self._port)
            played.append((player, player.finish(sheet)))
            with self._lock:
                self.finished += 1
        return played

    def some_more(self, games: int) -> None:
        """Wait until so many further games are finished."""
        goal = self.finished + games
        until(lambda: self.finished >= goal or any(game.done() for game in self._games))

    def end(self) -> list[tuple[Survivor, Finish]]:
        """Every game, once each player has finished the one under way."""
        self._stop.set()
        played = [pair for game in self._games for pair in game.result(PATIENCE)]
        self._pool.shutdown()
        return played


class Watcher:
    """A player with a game on each of some sheets, begun before; moves on until told to end."""

    def __init__(self, port: int, sheets: list[str]) -> None:
        self.player = Survivor(port)
        self._games = {sheet: self.player.begin(sheet) for sheet in sheets}
        self.player.statuses.clear()
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(1)
        self._done = self._pool.submit(self._watch)

    def _watch(self) -> None:
        while not self._stop.is_set():
            for sheet in list(self._games):
                self._look(sheet)

    def _look(self, sheet: str) -> None:
        game = self._games[sheet]
        if game["finished"]:
            path, body = f"{_game(sheet)}", None
            self.player.ask("GET", path, body)
            return
        path, body = _move(sheet, game)
        answer = self.player.ask("POST", path, body)
        if answer is not None and answer.status == 200:
            self._games[sheet] = answer.content

    @property
    def answered(self) -> int:
        """Requests that were answered as if nothing had happened."""
        return self.player.statuses[200]

    @property
    def asked(self) -> int:
        """Requests sent and answered in any way, or broken."""
        return sum(self.player.statuses.values())

    def end(self) -> Counter[int]:
        """How often each status came."""
        self._stop.set()
        self._done.result(PATIENCE)
        self._pool.shutdown()
        return self.player.statuses


def _game(sheet: str) -> str:
    return f"/api/v1/challenges/today/{sheet}/game"


def _move(sheet: str, game: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    if game["rolls_used"] == 0:
        return f"{_game(sheet)}/roll", {"ply": game["ply"], "hold": []}
    box = next(box["box"] for box in game["boxes"] if box["legal"])
    return f"{_game(sheet)}/score", {"ply": game["ply"], "box": box}
