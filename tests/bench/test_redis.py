"""What a move costs Redis: time of its commands, and processor of the whole server.

``pytest -m bench -s tests/bench/test_redis.py``. The time of a command is its execution; the
processor also reads and writes the network and the append-only file.
"""

from __future__ import annotations

import random
from datetime import date

import pytest

from tests.bench.fill import fill, whole_game
from tests.bench.players.watch import OF_A_MOVE, store_reading
from tests.service.players import follow

pytestmark = [pytest.mark.bench, pytest.mark.timeout(0)]

DAY = date(2026, 11, 30)
GAMES = 300
MOST_MICROSECONDS = 30


@pytest.mark.parametrize("players", [0, 100_000])
def test_a_move_takes_redis_little_time_whatever_the_board(services, valkey, players) -> None:
    board = services.days.opened(services.days.board(DAY, "yacht", services.clock()))
    if players:
        fill(valkey, services, board, players)
    rnd = random.Random(2)
    logs = [whole_game(board, rnd).log for _ in range(GAMES)]
    follow(services, services.players.new_id(), DAY, logs[0])  # loads the scripts
    valkey.config_resetstat()
    before = store_reading([valkey])
    for log in logs:
        follow(services, services.players.new_id(), DAY, log)
    after, moves = store_reading([valkey]), sum(map(len, logs))
    commands = sum(after.spent[name] - before.spent.get(name, 0) for name in OF_A_MOVE) / moves
    processor = (after.cpu - before.cpu) / moves * 1e6
    print(
        f"\n{players:,} players on the board: {moves} moves, commands {commands:.1f} µs a move, "
        f"processor {processor:.1f} µs"
    )
    assert commands <= MOST_MICROSECONDS
