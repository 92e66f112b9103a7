"""A player over HTTP who never gives up: a broken answer is asked for again."""

from __future__ import annotations

import base64
import http.client
import json
from typing import Any

from tests.runtime.processes import until

GAME = "/api/v1/challenges/today/yacht/game"


class Player:
    """Plays today's yacht sheet; ``acknowledged`` is the log as far as the server confirmed it."""

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
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Content-Type": "application/json", "Sec-Fetch-Site": "same-origin"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        try:
            connection.request(method, path, json.dumps(body), headers)
            answer = connection.getresponse()
            content = json.loads(answer.read())
        except (OSError, http.client.HTTPException):
            self.retries += 1
            return None
        finally:
            connection.close()
        if answer.status == 503:
            self.retries += 1
            return None
        assert answer.status in (200, 201), content
        return content

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
        self._check(self.send("GET", GAME, {}))

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


def _log(game: dict[str, Any]) -> bytes:
    text = game["log"]
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
