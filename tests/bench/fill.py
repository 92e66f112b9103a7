"""A board filled with finished games by the thousand, as the scripts would have left them.

Each player's log is one of a few hundred real games on the board's own dice, so that whatever
reads the board finds what it expects: logs that replay to the score on the board, a histogram
that adds up, a record of every player. ``tests/bench/test_memory.py`` holds the memory of such
a board against one of games that were played.
"""

from __future__ import annotations

import base64
import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import redis

from challenge.game import game as rules
from challenge.game.game import Game
from challenge.service.days import Board
from challenge.service.services import Services
from challenge.store import keys
from challenge.store.keys import Shard
from tests.bench.hands import hold_of_most, roll_again
from tests.runtime.processes import until

BATCH = 5_000
GAMES = 400  # real ones, dealt out again and again

Progress = Callable[[int, int], None]
"""Called with the games written so far and of those to write."""


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled board: some of its players with the total of each, and how often each total is."""

    some: dict[str, int]
    totals: Counter[int]


def told(done: int, all: int) -> None:
    """A line of progress a hundred thousand games."""
    if done % 100_000 == 0 or done == all:
        sys.stderr.write(f"  {done:,} of {all:,} games\n")


def fill(
    client: redis.Redis,
    services: Services,
    board: Board,
    players: int,
    progress: Progress = told,
    seed: int = 1,
) -> Filled:
    """Finished and settled games of new players on an open board, past the scripts."""
    rnd = random.Random(seed)
    games = [whole_game(board, rnd) for _ in range(GAMES)]
    some: dict[str, int] = {}
    totals: Counter[int] = Counter()
    for start in range(0, players, BATCH):
        dealt = {new_player(rnd): rnd.choice(games) for _ in range(min(BATCH, players - start))}
        _write(client, services, board, dealt)
        totals.update(game.total for game in dealt.values())
        player, game = next(iter(dealt.items()))
        some[player] = game.total
        progress(start + len(dealt), players)
    return Filled(some, totals)


def new_player(rnd: random.Random) -> str:
    """An id as the service makes them."""
    return base64.urlsafe_b64encode(rnd.randbytes(16)).decode().rstrip("=")


def whole_game(board: Board, rnd: random.Random) -> Game:
    """A finished game on the board's dice, by who keeps what is there most often."""
    game = rules.start(board.ruleset)
    while not game.finished:
        if game.dice is None:
            game = rules.roll(game, board.stream, 0)
        elif game.rolls_left and roll_again(rnd):
            game = rules.roll(game, board.stream, hold_of_most(game.dice))
        else:
            boxes = rules.legal_boxes(game)
            game = max((rules.score(game, box) for box in boxes), key=lambda after: after.total)
    return game


def _write(client: redis.Redis, services: Services, board: Board, dealt: dict[str, Game]) -> None:
    """One slot a pipeline command, so that a cluster takes them too."""
    pipe: Any = client.pipeline(transaction=False)
    for shard, those in _by_shard(board, dealt).items():
        pipe.hset(shard.games, mapping={player: game.log for player, game in those.items()})
        pipe.zadd(shard.scores, {player: -game.total for player, game in those.items()})
        pipe.incrby(shard.started, len(those))
        for total, count in Counter(game.total for game in those.values()).items():
            pipe.hincrby(shard.histogram, str(total), count)
    for player, game in dealt.items():
        pipe.hset(keys.record(player), str(board.id), game.total)
    pipe.execute()


def _by_shard(board: Board, dealt: dict[str, Game]) -> dict[Shard, dict[str, Game]]:
    found: dict[Shard, dict[str, Game]] = {}
    for player, game in dealt.items():
        shard = board.id.shard_of(player, board.note.shards)
        found.setdefault(shard, {})[player] = game
    return found


def emptied(client: redis.Redis) -> int:
    """``used_memory`` once everything is deleted and freed."""
    client.flushall(asynchronous=False)
    client.script_flush()
    client.memory_purge()
    until(lambda: client.info("memory")["lazyfree_pending_objects"] == 0)
    return used(client)


def used(client: redis.Redis) -> int:
    """Bytes of ``used_memory`` by now."""
    found: int = client.info("memory")["used_memory"]
    return found
