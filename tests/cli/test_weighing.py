"""The process that weighs games: when it is started, and that nothing waits for it."""

from __future__ import annotations

import sys
from datetime import date

import pytest

from challenge.cli import weighing
from challenge.cli.weighing import Sides, Weighing
from challenge.errors import StoreUnavailable
from challenge.store.keys import BoardId
from tests.conftest import make_settings
from tests.runtime.processes import until

SOLVED, UNSOLVED = (BoardId(date(2026, 11, 30), sheet) for sheet in ("yacht", "yatzy"))


@pytest.fixture
def make(tmp_path):
    """Makes one whose process writes a line into the file ``ran`` and does as told."""
    (tmp_path / "solver").mkdir()
    (tmp_path / "solver" / "yacht.table").write_text("here")

    def made(waiting=list, then="", **environ):
        settings = make_settings("redis://127.0.0.1:1", CHALLENGE_DATA_DIR=str(tmp_path), **environ)
        code = f"print('ran', file=open({str(tmp_path / 'ran')!r}, 'a'))\n{then}"
        return Weighing(settings, waiting, (sys.executable, "-c", code))

    return made


def runs(folder):
    ran = folder / "ran"
    return len(ran.read_text().splitlines()) if ran.exists() else 0


def settle(side, boards):
    """Looks until no process runs any more."""
    until(lambda: side.look(boards) or not side.running)


def test_it_runs_where_games_of_a_solved_sheet_wait(make, tmp_path):
    side = make()
    settle(side, [SOLVED])
    assert runs(tmp_path) == 1


def test_boards_without_a_table_are_not_asked_about(make, tmp_path):
    asked = []
    side = make(lambda boards: asked.append(list(boards)) or [])
    settle(side, [UNSOLVED, SOLVED])
    assert asked == [[SOLVED]]
    assert (runs(tmp_path), side.running) == (0, False)


def test_it_looks_again_only_after_a_pause(make, tmp_path, monkeypatch):
    side = make()
    settle(side, [SOLVED])
    settle(side, [SOLVED])
    assert runs(tmp_path) == 1
    monkeypatch.setattr(weighing, "PAUSE", 0.0)
    side = make()
    settle(side, [SOLVED])
    settle(side, [SOLVED])
    assert runs(tmp_path) == 3


def test_after_a_failure_it_waits_long(make, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(weighing, "PAUSE", 0.0)
    side = make(then="raise SystemExit(3)")
    settle(side, [SOLVED])
    settle(side, [SOLVED])
    assert runs(tmp_path) == 1
    assert "ended with 3" in caplog.text


def test_switched_off_it_never_runs(make, tmp_path):
    side = make(CHALLENGE_FAIRPLAY="off")
    settle(side, [SOLVED])
    assert runs(tmp_path) == 0


def test_a_store_that_does_not_answer_is_left_to_the_worker(make):
    def waiting(_boards):
        raise StoreUnavailable("away")

    with pytest.raises(StoreUnavailable):
        make(waiting).look([SOLVED])


def test_one_process_runs_at_a_time_and_ends_with_the_worker(make, tmp_path):
    side = make(then="import time\ntime.sleep(600)")
    sides = Sides(side)
    until(lambda: sides.look([SOLVED]) or runs(tmp_path) == 1)
    sides.look([SOLVED])
    assert side.running
    sides.stop()
    assert not side.running
    assert runs(tmp_path) == 1
