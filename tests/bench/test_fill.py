"""A filled board reads as a played one, however many shards it has."""

from __future__ import annotations

from datetime import date

import pytest

from tests.bench.fill import emptied, fill
from tests.bench.reading import reads_right

DAY = date(2026, 11, 30)


@pytest.mark.parametrize("shards", [1, 3])
def test_a_filled_board_reads_as_a_played_one(make_services, valkey, shards) -> None:
    services = make_services(CHALLENGE_BOARD_SHARDS=str(shards))
    board = services.days.opened(services.days.board(DAY, "yacht", services.clock()))
    told = []
    found = fill(valkey, services, board, 700, lambda done, all: told.append((done, all)))
    assert told == [(700, 700)]
    reads_right(services, board, found)


def test_an_emptied_store_holds_nothing_any_more(services, valkey) -> None:
    empty = emptied(valkey)
    board = services.days.opened(services.days.board(DAY, "yacht", services.clock()))
    fill(valkey, services, board, 500, lambda _done, _all: None)
    assert valkey.info("memory")["used_memory"] > empty + 500 * 200
    emptied(valkey)
    assert valkey.dbsize() == 0
