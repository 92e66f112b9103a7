"""A player over HTTP who never gives up: a broken answer is asked for again."""

from __future__ import annotations

import base64
import http.client
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.runtime.processes import PATIENCE, until

GAME = "/api/v1/challenges/today/yacht/game"


class Player:
    """Plays today's yacht sheet; ``acknowledged`` is the log as far as the server confirmed it."""

    seconds = 10.0  # an answer is waited for before it is asked for again

    def __init__(self, port: int) -> None:
        self.port = port
        self.retries = 0
        self._token = ""
        self._token = self.send("POST", "/api/v1/players", {})["token"]
        self.game = self.send("POST", GAME, {})
        self.acknowledged = b""

    def send(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        """The answer, asked for until there is one that is no connection error and no 503."""
        return until(lambda: self._try(method, path, body))

    def _try(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any] | None:
        connection = self._connection()
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            connection.request(method, path, json.dumps(body), headers)
            answer = connection.getresponse()
            content = json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            self.retries += 1
            connection.close()
            return None
        self._leave(connection)
        if answer.status == 503:
            self.retries += 1
            return None
        assert answer.status in (200, 201), content
        return content

    def _connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.seconds)

    def _leave(self, connection: http.client.HTTPConnection) -> None:
        connection.close()

    def play(self) -> None:
        """One more action, checked against everything confirmed before."""
        ply = self.game["ply"]
        if self.game["rolls_used"] == 0:
            self._take(self.send("POST", f"{GAME}/roll", {"ply": ply, "hold": []}))
        elif self.game["rolls_used"] == 1:
            self._take(self.send("POST", f"{GAME}/roll", {"ply": ply, "hold": [0, 2]}))
        else:
            box = next(box["box"] for box in self.game["boxes"] if box["legal"])
            self._take(self.send("POST", f"{GAME}/score", {"ply": ply, "box": box}))

    def look(self) -> None:
        """The game as the server has it now, checked in the same way."""
        game = self.send("GET", GAME, {})
        self._check(game)
        self.game = game

    @property
    def log(self) -> bytes:
        """The log as the server told it last."""
        return _log(self.game)

    def _take(self, game: dict[str, Any]) -> None:
        self._check(game)
        assert game["ply"] == self.game["ply"] + 1
        self.game = game
        self.acknowledged = _log(game)

    def _check(self, game: dict[str, Any]) -> None:
        assert _log(game).startswith(self.acknowledged)

    @property
    def finished(self) -> bool:
        """Whether every box is filled."""
        return bool(self.game["finished"])


class KeepingPlayer(Player):
    """Sends one request after the other over the same connection, as browsers do."""

    _kept: http.client.HTTPConnection | None = None

    def _connection(self) -> http.client.HTTPConnection:
        if self._kept is None:
            self._kept = super()._connection()
        return self._kept

    def _leave(self, connection: http.client.HTTPConnection) -> None:
        """It stays open; a closed one opens itself again at the next request."""


class Playing:
    """A player in a thread of its own, one game after the other; kills come at any moment."""

    def __init__(self, port: int, kind: type[Player] = Player) -> None:
        self.actions = 0
        self._port = port
        self._kind = kind
        self._stop = threading.Event()
        self._pool = ThreadPoolExecutor(1)
        self._games = self._pool.submit(self._play)

    def _play(self) -> list[Player]:
        players = [self._kind(self._port)]
        while not self._stop.is_set():
            if players[-1].finished:
                players.append(self._kind(self._port))
            players[-1].play()
            self.actions += 1
        return players

    def some_more(self, actions: int) -> None:
        """Wait until so many further actions are acknowledged."""
        goal = self.actions + actions
        until(lambda: self.actions >= goal or self._games.done())

    def end(self) -> list[Player]:
        """Stop playing; every player with what was acknowledged."""
        self._stop.set()
        players = self._games.result(PATIENCE)
        self._pool.shutdown()
        return players


def _log(game: dict[str, Any]) -> bytes:
    text = game["log"]
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
