"""A worker with the solver beside it: tables and boards come by themselves, pages never wait."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
import redis

from challenge import bootstrap, config
from challenge.game import rulesets
from challenge.service.services import Services
from challenge.web import create_app
from tests.runtime.processes import PATIENCE, until
from tests.service.players import begin

SHEET = rulesets.find("generala")


@pytest.fixture
def environ(valkey_url: str, tmp_path: Path) -> dict[str, str]:
    """Settings of a service whose worker solves its one sheet."""
    return {
        "CHALLENGE_REDIS_URL": valkey_url,
        "CHALLENGE_DATA_DIR": str(tmp_path),
        "CHALLENGE_RULESETS": SHEET.id,
        "CHALLENGE_SOLVE": "on",
        "CHALLENGE_STREAM_SECRET": "s" * 40,
        "CHALLENGE_SECRET_KEYS": "k" * 40,
    }


@pytest.fixture
def worker(valkey: redis.Redis, environ: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    """A running worker."""
    process = subprocess.Popen(
        [sys.executable, "-m", "challenge", "worker"], env={**os.environ, **environ}
    )
    yield process
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENCE) == 0


@pytest.fixture
def services(environ: dict[str, str], worker: object) -> Services:
    """What a web process beside it has."""
    return bootstrap.build(config.load(environ))


def spoil(path: Path, change: Callable[[bytearray], None]) -> None:
    """Puts a changed file in the place of one that others have mapped."""
    content = bytearray(path.read_bytes())
    change(content)
    aside = path.with_suffix(".aside")
    aside.write_bytes(content)
    aside.replace(path)


def test_tables_are_solved_and_mended_and_boards_worked_through_while_pages_work(
    services: Services, environ: dict[str, str]
) -> None:
    path = Path(environ["CHALLENGE_DATA_DIR"]) / "solver" / f"{SHEET.id}.table"
    player = services.players.new_id()
    client = create_app(services).test_client()
    past = date(2026, 3, 1)
    begin(services, player, past, SHEET.id)
    page = client.get(f"/rules/{SHEET.id}/odds")
    assert page.status_code == 200
    until(lambda: services.solved.fault(SHEET) is None)
    until(lambda: client.get(f"/{past}/{SHEET.id}/hindsight").text.count("replay"))
    good = path.read_bytes()
    spoil(path, lambda content: content.__setitem__(-1, content[-1] ^ 1))
    fresh = bootstrap.build(config.load(environ))
    until(lambda: fresh.insight.has_table(SHEET))
    assert path.read_bytes() == good
    assert create_app(fresh).test_client().get(f"/rules/{SHEET.id}/odds").status_code == 200


def test_a_web_process_looks_values_up_without_the_compiler() -> None:
    code = (
        "import sys\n"
        "from challenge import bootstrap, config\n"
        "from challenge.game import rulesets\n"
        "from challenge.web import create_app\n"
        "services = bootstrap.build(config.load())\n"
        "app = create_app(services)\n"
        f"services.insight.has_table(rulesets.find({SHEET.id!r}))\n"
        "import challenge.solver.turn, challenge.solver.review, challenge.solver.bots\n"
        "assert 'numpy' in sys.modules\n"
        "assert 'numba' not in sys.modules\n"
    )
    secrets = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
    environ = {**os.environ, **secrets, "CHALLENGE_REDIS_URL": "redis://127.0.0.1:1"}
    subprocess.run([sys.executable, "-c", code], env=environ, check=True)
