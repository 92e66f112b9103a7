"""What a review costs a web process: time and memory, numpy and the table included.

``pytest -m bench -s tests/bench/test_review.py``; a process of its own, Linux only.
"""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from challenge.game import rulesets
from challenge.service.services import Services
from challenge.service.solved import Solved
from tests.service.players import play_out

pytestmark = pytest.mark.bench

DAY = date(2026, 11, 30)
TIMES = 50

CHILD = """
import json, sys, time
from challenge import bootstrap
from challenge.web import create_app
from tests.conftest import Clock, make_settings
from tests.web.boards import browser_of
url, folder, path, player, times = sys.argv[1:]
app = create_app(bootstrap.build(make_settings(url, CHALLENGE_DATA_DIR=folder), Clock()))
browser = browser_of(app, player)
browser.get("/")  # templates and pool
def memory():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS")) / 1024
def ask():
    start = time.process_time()
    answer = browser.get(path)
    assert answer.status_code == 200, answer.text
    return (time.process_time() - start) * 1000
before = memory()
first = ask()
later = sorted(ask() for _ in range(int(times)))
growth = memory() - before
print(json.dumps({"first": first, "median": later[len(later) // 2], "growth": growth}))
"""


@pytest.mark.parametrize("sheet", ["yacht", "yatzy"])
@pytest.mark.parametrize("page", [False, True], ids=["api", "page"])
def test_a_review_takes_little_time_and_memory(
    make_services, valkey_url, tmp_path: Path, sheet: str, page: bool
) -> None:
    Solved(tmp_path / "solver").solve(rulesets.find(sheet), lambda _done, _states: None)
    services: Services = make_services(CHALLENGE_DATA_DIR=str(tmp_path))
    player = services.players.new_id()
    play_out(services, player, DAY, sheet)
    board = f"{DAY}/{sheet}"
    path = f"/{board}/review" if page else f"/api/v1/challenges/{board}/game/review"
    command = [sys.executable, "-c", CHILD, valkey_url, str(tmp_path), path, player, str(TIMES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    cost = json.loads(done.stdout)
    print(
        f"{path}: {cost['first']:.0f} ms the first time in a process, "
        f"{cost['median']:.1f} ms from then on, {cost['growth']:.1f} MB more"
    )
    assert cost["median"] <= 150
    assert cost["growth"] <= 40
