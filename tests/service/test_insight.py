"""Tables of a process: read once, looked for again while missing, closed to the unfinished."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from challenge.errors import NotSolved, Spoiler
from challenge.game import rulesets
from challenge.service.services import Services
from tests.conftest import Clock
from tests.service.players import begin, play_out, play_short_of_one
from tests.web.boards import DAY

SHEET = rulesets.find("yatzy-order")


@pytest.fixture
def services(make_services: Callable[..., Services], tmp_path: Path) -> Services:
    """Services with a data directory of their own."""
    return make_services(CHALLENGE_DATA_DIR=str(tmp_path))


def _missing(services: Services, sheet: str) -> str:
    with pytest.raises(NotSolved) as refused:
        services.insight.table_of(rulesets.find(sheet))
    return refused.value.missing


def test_a_table_is_looked_for_until_it_is_there_and_then_read_once(
    services: Services, tmp_path: Path
) -> None:
    insight, path = services.insight, tmp_path / "solver" / f"{SHEET.id}.table"
    insight.warm(SHEET)  # nothing is there to be read
    assert _missing(services, SHEET.id) == "table"
    services.solved.solve(SHEET, lambda _done, _states: None)
    whole = path.read_bytes()
    for damaged in (b"", whole[:-8], whole[:200] + b"\0" + whole[201:], b"x" * len(whole)):
        path.write_bytes(damaged)
        insight.warm(SHEET)
        assert _missing(services, SHEET.id) == "table"
        assert not insight.has_table(SHEET)
    path.write_bytes(whole)
    assert insight.table_of(SHEET).mean == pytest.approx(services.solved.load(SHEET).mean)
    path.unlink()
    assert insight.table_of(SHEET) is insight.table_of(SHEET)


def test_a_file_cut_off_or_replaced_under_a_process_is_read_anew(
    services: Services, tmp_path: Path
) -> None:
    insight, path = services.insight, tmp_path / "solver" / f"{SHEET.id}.table"
    services.solved.solve(SHEET, lambda _done, _states: None)
    whole, first = path.read_bytes(), insight.table_of(SHEET)
    with path.open("r+b") as file:
        file.truncate(4096)  # to look into what was mapped beyond it would end the process
    assert _missing(services, SHEET.id) == "table"
    other = path.with_suffix(".new")
    other.write_bytes(whole)
    other.replace(path)
    assert insight.table_of(SHEET) is not first
    assert insight.table_of(SHEET).mean == pytest.approx(services.solved.load(SHEET).mean)


def test_a_sheet_that_cannot_be_solved_says_so(services: Services) -> None:
    assert _missing(services, "yacht-triple") == "method"
    assert _missing(services, "maxi-yatzy-saved") == "method"
    assert _missing(services, "maxi-yatzy") == "table"


def test_what_dice_are_worth_is_for_those_who_have_finished_and_for_all_after_the_close(
    services: Services, clock: Clock
) -> None:
    done, begun, idle = (services.players.new_id() for _ in range(3))
    play_out(services, done, DAY, SHEET.id)
    play_short_of_one(services, begun, DAY, SHEET.id)
    begin(services, idle, DAY, SHEET.id)
    board = services.days.board(DAY, SHEET.id, clock())
    for when in ("2026-11-30 12:00", "2026-12-01 00:00", "2026-12-01 02:59"):
        clock.set(when)
        services.insight.need_finished(board, done, clock())
        for player in (begun, idle, None, services.players.new_id()):
            with pytest.raises(Spoiler):
                services.insight.need_finished(board, player, clock())
    clock.set("2026-12-01 03:00")
    for player in (done, begun, idle, None):
        services.insight.need_finished(board, player, clock())
