"""Midnight with a moved clock: a real server over the rollover, the grace and the close.

The clock of the server's processes is libfaketime's and runs on from what a file says; the
store runs by its own. Both clock changes of 2027, in a zone that has them and in UTC.
"""

from __future__ import annotations

import http.client
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import redis

from challenge.daily import calendar
from tests.runtime.processes import Serve, until

pytestmark = [
    pytest.mark.faketime,
    pytest.mark.skipif(not shutil.which("faketime"), reason="libfaketime is not installed"),
]

VERIFY = Path(__file__).parents[2] / "deploy" / "verify.py"
MINUTE = timedelta(minutes=1)
GRACE = timedelta(minutes=180)


# libfaketime 0.9 leaves the monotonic clock alone only at the price of breaking time.sleep(),
# which sleeps until a monotonic instant; waiting in select() is the same thing.
SLEEP = "import select, time\ntime.sleep = lambda s: select.select([], [], [], s) and None\n"


class Moved:
    """A ``challenge serve`` whose clock goes where it is set, and on from there."""

    def __init__(self, folder: Path, redis_url: str, zone: str, moment: datetime) -> None:
        self._file = folder / "now"
        self.set(moment)
        (folder / "sitecustomize.py").write_text(SLEEP)
        preload = subprocess.run(
            ["faketime", "-f", "+0", "env"], capture_output=True, text=True, check=True
        ).stdout
        self.environ = {
            "LD_PRELOAD": next(
                line.partition("=")[2]
                for line in preload.splitlines()
                if line.startswith("LD_PRELOAD=")
            ),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "TZ": "UTC",
            "PYTHONPATH": str(folder),
        }
        self.serve = Serve(
            folder / "data",
            CHALLENGE_REDIS_URL=redis_url,
            CHALLENGE_STREAM_SECRET="midnight" * 4,
            CHALLENGE_SECRET_KEYS="midnight" * 4,
            CHALLENGE_RULESETS="yacht-12",
            CHALLENGE_TIMEZONE=zone,
            **self.environ,
        )

    def set(self, moment: datetime) -> None:
        """Another time, for all processes at once."""
        beside = self._file.with_suffix(".new")
        beside.write_text(f"@{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S}\n")
        beside.rename(self._file)

    def ask(self, method: str, path: str, body: Any = None, token: str = "") -> tuple[int, Any]:
        """One call of the API: status and JSON."""
        connection = http.client.HTTPConnection("127.0.0.1", self.serve.port)
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        raw = None if body is None else json.dumps(body)
        connection.request(method, f"/api/v1{path}", raw, headers)
        answer = connection.getresponse()
        content = json.loads(answer.read())
        connection.close()
        return answer.status, content


@pytest.fixture(
    params=[
        (zone, day) for zone in ("UTC", "Europe/Berlin") for day in ("2027-03-28", "2027-10-31")
    ],
    ids="-".join,
)
def night(
    request: pytest.FixtureRequest, tmp_path: Path, valkey: redis.Redis, valkey_url: str
) -> Iterator[tuple[Moved, calendar.Calendar, str]]:
    zone, day = request.param
    days = calendar.Calendar(ZoneInfo(zone), GRACE)
    rollover = days.instants(calendar.parse_date(day)).rolls_over_at
    moved = Moved(tmp_path, valkey_url, zone, rollover - MINUTE)
    with moved.serve as serve:
        serve.wait_until_ready()
        yield moved, days, day


def play(moved: Moved, board: str, token: str, game: dict[str, Any], until_box: int) -> Any:
    """First legal boxes, one roll a turn, until this many are filled."""
    while sum(box["score"] is not None for box in game["boxes"]) < until_box:
        if game["dice"] is None:
            body, path = {"ply": game["ply"], "hold": []}, "roll"
        else:
            box = next(box["box"] for box in game["boxes"] if box["legal"])
            body, path = {"ply": game["ply"], "box": box}, "score"
        status, game = moved.ask("POST", f"{board}/game/{path}", body, token)
        assert status == 200, game
    return game


def test_a_night_from_one_minute_before_to_after_the_close(
    night: tuple[Moved, calendar.Calendar, str],
) -> None:
    moved, days, day = night
    date = calendar.parse_date(day)
    at = days.instants(date)
    board = f"/challenges/{day}/yacht-12"
    early, late, stranger = (moved.ask("POST", "/players", {})[1]["token"] for _ in range(3))

    games = {}
    for token in (early, late):
        status, game = moved.ask("POST", f"{board}/game", token=token)
        assert status == 201
        games[token] = play(moved, board, token, game, 11)

    moved.set(at.rolls_over_at + MINUTE)
    tomorrow = (date + timedelta(days=1)).isoformat()
    assert moved.ask("GET", "/challenges/today")[1]["date"] == tomorrow
    assert moved.ask("GET", board)[1]["state"] == "closing"
    ended = play(moved, board, early, games[early], 12)
    assert (ended["mode"], ended["standing"]["players"]) == ("daily", 1)
    status, problem = moved.ask("POST", f"{board}/game", token=stranger)
    assert (status, problem["type"]) == (409, "/problems/closing")
    assert moved.ask("POST", f"/challenges/{tomorrow}/yacht-12/game", token=stranger)[0] == 201

    moved.set(at.closes_at - MINUTE)
    assert moved.ask("GET", board)[1]["seed"] is None
    moved.set(at.closes_at)
    ended_late = play(moved, board, late, games[late], 12)
    assert (ended_late["mode"], ended_late["standing"]) == ("archive", None)
    closed = moved.ask("GET", board)[1]
    assert (closed["state"], closed["started"], closed["finished"]) == ("closed", 2, 1)
    assert closed["commitment"] == commitment(moved, day)

    moved.set(at.closes_at - timedelta(hours=1))
    assert moved.ask("GET", board)[1] == closed

    verified(closed, ended)


def commitment(moved: Moved, day: str) -> str:
    listed = moved.ask("GET", f"/commitments?from={day}&ruleset=yacht-12")[1]
    found: str = listed["commitments"][0]["commitment"]
    return found


def verified(closed: dict[str, Any], game: dict[str, Any]) -> None:
    """Both verifiers agree that seed, commitment and log belong together."""
    told = ["--commitment", closed["commitment"], "--log", game["log"]]
    ours = [sys.executable, "-m", "challenge", "verify", closed["date"], closed["ruleset"]]
    run = subprocess.run(
        [*ours, "--seed", closed["seed"], *told, "--json"], capture_output=True, check=True
    )
    assert str(game["total"]) in run.stdout.decode()
    subprocess.run(
        [sys.executable, str(VERIFY), closed["date"], closed["ruleset"], closed["seed"], *told],
        capture_output=True,
        check=True,
    )
    wrong = f"{int(closed['seed'][0], 16) ^ 1:x}{closed['seed'][1:]}"
    for command in ([*ours, "--seed", wrong], [sys.executable, str(VERIFY), *ours[4:], wrong]):
        assert subprocess.run([*command, *told], capture_output=True, check=False).returncode != 0


def test_the_worker_opens_the_new_day_and_closes_the_old_one_on_time(
    tmp_path: Path, valkey: redis.Redis, valkey_url: str
) -> None:
    before = datetime(2027, 3, 27, 22, 59, tzinfo=UTC)  # 23:59 in Berlin
    with Moved(tmp_path, valkey_url, "Europe/Berlin", before).serve as serve:
        serve.wait_until_ready()
        until(lambda: valkey.smembers("sd1:boards") == {b"2027-03-27:yacht-12"})
        moved_file = tmp_path / "now"
        moved_file.write_text("@2027-03-27 23:01:00\n")
        until(lambda: b"2027-03-28:yacht-12" in valkey.smembers("sd1:boards"))
        moved_file.write_text("@2027-03-28 02:00:00\n")
        until(lambda: valkey.smembers("sd1:boards") == {b"2027-03-28:yacht-12"})
        assert valkey.hget("sd1:{2027-03-27:yacht-12}:note", "closed") == b"1"
