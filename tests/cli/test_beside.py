"""The process beside the worker: when it is started, and that nothing waits for it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from challenge.cli.beside import Beside
from challenge.store.keys import BoardId
from tests.conftest import make_settings
from tests.runtime.processes import until

ONE, TWO = (BoardId(date(2026, 11, 30), sheet) for sheet in ("yacht", "yatzy"))


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    (tmp_path / "solver").mkdir()
    return tmp_path


@pytest.fixture
def beside(data_dir: Path) -> Callable[..., Beside]:
    """Makes one whose process writes a line into the file ``ran`` and does as told."""

    def make(then: str = "", **environ: str) -> Beside:
        settings = make_settings("redis://127.0.0.1:1", CHALLENGE_DATA_DIR=str(data_dir), **environ)
        code = f"print('ran', file=open({str(data_dir / 'ran')!r}, 'a'))\n{then}"
        return Beside(settings, (sys.executable, "-c", code), able=True)

    return make


def runs(data_dir: Path) -> int:
    ran = data_dir / "ran"
    return len(ran.read_text().splitlines()) if ran.exists() else 0


def settle(made: Beside, boards: list[BoardId]) -> None:
    """Looks until no process runs any more."""
    until(lambda: made.look(boards) or not made.running)


def test_it_runs_once_at_the_start_and_again_for_a_board_not_seen_before(
    beside: Callable[..., Beside], data_dir: Path
) -> None:
    made = beside()
    settle(made, [ONE])
    for _ in range(3):
        made.look([ONE])
    assert (runs(data_dir), made.running) == (1, False)
    settle(made, [ONE, TWO])
    assert runs(data_dir) == 2
    made.look([TWO])
    assert not made.running


def test_it_runs_again_when_a_table_goes_or_is_another_file(
    beside: Callable[..., Beside], data_dir: Path
) -> None:
    table = data_dir / "solver" / "yacht.table"
    table.write_text("good")
    made = beside()
    settle(made, [])
    table.write_text("spoiled")
    settle(made, [])
    assert runs(data_dir) == 2
    table.unlink()
    settle(made, [])
    assert runs(data_dir) == 3
    made.look([])
    assert not made.running


def test_one_process_runs_at_a_time_and_is_ended_with_the_worker(
    beside: Callable[..., Beside], data_dir: Path
) -> None:
    made = beside("import time; time.sleep(600)")
    until(lambda: made.look([ONE]) or runs(data_dir))
    made.look([ONE, TWO])
    assert (runs(data_dir), made.running) == (1, True)
    made.stop()
    assert not made.running


def test_after_a_failure_it_waits_before_it_tries_again(
    beside: Callable[..., Beside], data_dir: Path
) -> None:
    made = beside("raise SystemExit(3)")
    settle(made, [ONE])
    for _ in range(3):
        made.look([TWO])
    assert (runs(data_dir), made.running) == (1, False)


def test_switched_off_it_never_runs(beside: Callable[..., Beside], data_dir: Path) -> None:
    made = beside(CHALLENGE_SOLVE="off")
    made.look([ONE])
    assert (runs(data_dir), made.running) == (0, False)
    made.stop()
