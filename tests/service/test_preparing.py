"""What the worker prepares: tables of the offered sheets, best games, computer players."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from challenge.game import game as rules
from challenge.game import rulesets
from challenge.game.ruleset import Ruleset
from challenge.service.services import Services
from challenge.service.solved import Solved
from challenge.store.insights import Known
from challenge.store.keys import BoardId
from tests.conftest import Clock
from tests.service.players import begin

SHEET = rulesets.find("generala")
TODAY = BoardId(date(2026, 11, 30), SHEET.id)
PAST = BoardId(date(2026, 3, 1), SHEET.id)
OLDER = BoardId(date(2026, 2, 1), "yacht-triple")


class Works:
    """Solves in this process, and remembers what it was asked to solve."""

    def __init__(self, solved: Solved) -> None:
        self.solved = solved
        self.tables: list[str] = []
        self.spreads: list[str] = []

    def solve(self, sheet: Ruleset) -> None:
        self.tables.append(sheet.id)
        self.solved.solve(sheet, lambda _done, _states: None)

    def spread(self, sheet: Ruleset) -> None:
        self.spreads.append(sheet.id)
        self.solved.odds(sheet, lambda _done, _states: None)


@pytest.fixture
def services(make_services: Callable[..., Services], tmp_path: Path) -> Services:
    return make_services(CHALLENGE_DATA_DIR=str(tmp_path), CHALLENGE_RULESETS=SHEET.id)


def prepare(services: Services) -> Works:
    works = Works(services.solved)
    services.preparing.run(services.clock(), works.solve, works.spread)
    return works


def known(services: Services, board: BoardId) -> Known:
    (found,) = services.store.insights.read([board])
    return found


def test_an_opened_board_gets_its_best_game_and_three_computer_players(services: Services) -> None:
    services.worker.round()
    works = prepare(services)
    assert (works.tables, works.spreads) == ([SHEET.id], [SHEET.id])
    found = known(services, TODAY)
    board = services.days.board(TODAY.day, SHEET.id, services.clock())
    best = rules.replay(board.ruleset, board.stream, found.line or b"")
    assert best.finished
    assert best.total == found.best
    assert list(found.bots) == ["greedy", "planner", "optimal"] or len(found.bots) == 3
    for made in found.bots.values():
        game = rules.replay(board.ruleset, board.stream, made)
        assert game.finished
        assert game.total <= (found.best or 0)


def test_a_second_time_there_is_nothing_to_do(services: Services) -> None:
    services.worker.round()
    prepare(services)
    before = known(services, TODAY)
    again = prepare(services)
    assert (again.tables, again.spreads) == ([], [])
    assert known(services, TODAY) == before


def test_boards_opened_before_there_was_a_table_are_made_up_for(services: Services) -> None:
    for board in (PAST, TODAY):
        begin(services, services.players.new_id(), board.day, SHEET.id)
    prepare(services)
    assert known(services, PAST).best is not None
    assert known(services, PAST) != known(services, TODAY)


def test_a_board_nobody_has_opened_is_left_alone(services: Services) -> None:
    prepare(services)
    assert known(services, TODAY) == Known()


def test_what_is_known_of_a_board_already_stays(services: Services) -> None:
    begin(services, services.players.new_id(), TODAY.day, SHEET.id)
    services.store.insights.write(TODAY, Known(999, b"@", {"greedy": b"A"}))
    prepare(services)
    found = known(services, TODAY)
    assert (found.best, found.line, found.bots["greedy"]) == (999, b"@", b"A")
    assert len(found.bots) == 3


def test_a_sheet_too_large_for_exact_play_has_the_two_simpler_computer_players(
    make_services: Callable[..., Services], tmp_path: Path, clock: Clock
) -> None:
    services = make_services(CHALLENGE_DATA_DIR=str(tmp_path), CHALLENGE_RULESETS=OLDER.ruleset)
    begin(services, services.players.new_id(), OLDER.day, OLDER.ruleset)
    works = prepare(services)
    assert (works.tables, works.spreads) == ([], [])
    found = known(services, OLDER)
    assert (found.best, found.line) == (None, None)
    assert set(found.bots) == {"greedy", "planner"}


def test_the_large_sheets_that_take_minutes_are_left_to_the_operator(
    make_services: Callable[..., Services], tmp_path: Path
) -> None:
    services = make_services(CHALLENGE_DATA_DIR=str(tmp_path), CHALLENGE_RULESETS="maxi-yatzy")
    assert prepare(services).tables == []


def _truncated(path: Path) -> bytes:
    return path.read_bytes()[:-8]


def _corrupt(path: Path) -> bytes:
    content = bytearray(path.read_bytes())
    content[-3] ^= 1
    return bytes(content)


def _outdated(path: Path) -> bytes:
    return path.read_bytes().replace(b'"version": 1', b'"version": 0')


def _foreign(path: Path) -> bytes:
    return path.read_bytes().replace(SHEET.fingerprint.encode(), b"0" * len(SHEET.fingerprint))


@pytest.mark.parametrize("spoil", [_truncated, _corrupt, _outdated, _foreign, lambda _: b""])
def test_a_table_that_does_not_hold_is_refused_and_solved_anew(
    services: Services, tmp_path: Path, spoil: Callable[[Path], bytes]
) -> None:
    prepare(services)
    path = tmp_path / "solver" / f"{SHEET.id}.table"
    good, bad = path.read_bytes(), spoil(path)
    assert bad != good
    aside = path.with_suffix(".aside")
    aside.write_bytes(bad)
    aside.replace(path)
    assert services.solved.fault(SHEET) is not None
    assert not services.insight.has_table(SHEET)
    assert prepare(services).tables == [SHEET.id]
    assert path.read_bytes() == good
    assert services.insight.has_table(SHEET)
