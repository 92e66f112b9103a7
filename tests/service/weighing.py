"""Services with a solved sheet, and games on it to weigh."""

from __future__ import annotations

import random
from datetime import date, timedelta
from functools import cache
from pathlib import Path

from challenge.game import rulesets
from challenge.game.stream import Stream
from challenge.service.services import Services
from challenge.solver.table import write_table
from challenge.solver.whole import table_path
from challenge.store.datadir import DataDir
from tests.daily.scouts import HONEST, SCOUTS
from tests.service.players import follow
from tests.solver.conftest import solved

SHEET = "generala"
DAY = date(2026, 11, 30)


def with_table(folder: Path) -> str:
    """A data directory with the table of the sheet."""
    tables = DataDir(folder).solver
    tables.mkdir(parents=True, exist_ok=True)
    sheet = rulesets.find(SHEET)
    write_table(table_path(tables, sheet), solved(sheet))
    return str(folder)


def plays(
    services: Services, kind: str, day: date = DAY, player: str | None = None, seed: int = 1
) -> str:
    """A game of a kind of player on a day's board, by a new player; which one."""
    player = player or services.players.new_id()
    board = services.days.board(day, SHEET, services.clock())
    follow(services, player, day, _log(kind, board.stream.seed, seed), SHEET)
    return player


@cache
def _log(kind: str, dice: bytes, seed: int) -> bytes:
    table = solved(rulesets.find(SHEET))
    return {**HONEST, **SCOUTS}[kind](table, Stream(dice), random.Random(seed))


def weigh(services: Services, day: date = DAY) -> int:
    """Weighs a day's board; how many games."""
    return services.fairplay.weigh(services.days.board(day, SHEET, services.clock()))


def days_before(count: int) -> list[date]:
    """The days before, the earliest first."""
    return [DAY - timedelta(days=back) for back in range(count, 0, -1)]
