"""The clock of the service jumps back an hour, just after a board was closed."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis

from tests.runtime.processes import until
from tests.runtime.test_midnight import Moved, play

pytestmark = [
    pytest.mark.faketime,
    pytest.mark.skipif(not shutil.which("faketime"), reason="libfaketime is not installed"),
]

AFTER = datetime(2027, 3, 1, 3, 30, tzinfo=UTC)  # half an hour after the board before closed
BEFORE = "/challenges/2027-02-28/yacht-12"
TODAY = "/challenges/2027-03-01/yacht-12"


def test_a_clock_that_jumps_back_an_hour_reopens_nothing_and_locks_nobody_out(
    tmp_path: Path, valkey: redis.Redis, valkey_url: str
) -> None:
    moved = Moved(tmp_path, valkey_url, "UTC", AFTER - timedelta(hours=4))
    with moved.serve as serve:
        serve.wait_until_ready()
        early = moved.ask("POST", "/players", {})[1]["token"]
        moved.ask("POST", f"{BEFORE}/game", token=early)
        moved.set(AFTER)
        until(lambda: valkey.hget("sd1:{2027-02-28:yacht-12}:note", "closed"))
        closed = moved.ask("GET", BEFORE)[1]
        assert (closed["state"], bool(closed["seed"])) == ("closed", True)
        late = moved.ask("POST", "/players", {})[1]["token"]
        for _ in range(5):
            assert moved.ask("POST", "/transfer", {"code": "0000-0000"})[0] == 404
        _, game = moved.ask("POST", f"{TODAY}/game", token=late)
        game = play(moved, TODAY, late, game, 3)

        moved.set(AFTER - timedelta(hours=1))  # by it the board before would be closing only
        assert moved.ask("GET", BEFORE)[1] == closed
        assert moved.ask("GET", f"{BEFORE}/game", token=early)[1]["mode"] == "archive"
        assert moved.ask("GET", "/me", token=late)[0] == 200
        ended = play(moved, TODAY, late, game, 12)
        assert (ended["mode"], ended["standing"]["players"]) == ("daily", 1)
        assert moved.ask("POST", "/players", {})[0] == 201
        assert moved.ask("POST", "/transfer", {"code": "0000-0000"})[0] == 404
        assert moved.ask("GET", "/challenges/today")[1]["date"] == "2027-03-01"
