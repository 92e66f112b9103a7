"""Export and import of a large board: memory does not grow with it; and how fast they are."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import date

import pytest

from tests.bench.fill import fill
from tests.conftest import SECRET

DAY = date(2026, 11, 30)
MEASURED = (
    "import resource, sys; from challenge.cli import main;"
    "code = main(sys.argv[1:], standalone_mode=False);"
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
)


def run(url: str, *args: str) -> tuple[int, float]:
    """Peak memory of a command in kB, and the seconds it took."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *args],
        env={**os.environ, "CHALLENGE_REDIS_URL": url, "CHALLENGE_STREAM_SECRET": SECRET},
        capture_output=True,
        text=True,
        check=True,
    )
    return int(done.stderr.split()[-1]), time.monotonic() - begin


@pytest.mark.bench
def test_memory_stays_as_the_board_grows(make_services, valkey, valkey_url, tmp_path, capsys):
    found = {}
    for games in (2_000, 40_000):
        valkey.flushall()
        services = make_services()  # the one before remembers its board
        board = services.days.opened(services.days.board(DAY, "yacht", services.clock()))
        fill(valkey, services, board, games, lambda _done, _all: None)
        file = str(tmp_path / f"{games}.jsonl")
        out = run(valkey_url, "export", file)
        valkey.flushall()
        back = run(valkey_url, "import", file)
        assert sum(services.store.boards.histogram(board.id, 1).values()) == games
        found[games] = out, back
        with capsys.disabled():
            print(
                f"\n{games:,} games: export {out[0] / 1024:.0f} MB, {games / out[1]:,.0f} games/s;"
                f" import {back[0] / 1024:.0f} MB, {games / back[1]:,.0f} games/s"
            )
    (few_out, few_back), (many_out, many_back) = found.values()
    assert many_out[0] < 1.2 * few_out[0]
    assert many_back[0] < 1.2 * few_back[0]
