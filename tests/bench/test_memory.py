"""What a finished game costs in Redis: all of it, at a million games.

``pytest -m bench -s tests/bench/test_memory.py``; some ten minutes, most of them for 20,000
games played move by move (``SAMEDICE_PLAYED`` sets another number). With ``SAMEDICE_FIGURES``
the figures also go into that file, for ``tests.bench.scaling``.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from challenge.daily.evidence import Evidence
from challenge.solver.skill import Skill
from challenge.store import keys
from challenge.store.boards import Row
from tests.bench.fill import emptied, fill, new_player, used, whole_game
from tests.bench.reading import reads_right
from tests.service.players import follow

pytestmark = [pytest.mark.bench, pytest.mark.timeout(0)]

DAY = date(2026, 11, 30)
SHEET = "yacht"
PLAYED = int(os.environ.get("SAMEDICE_PLAYED", "20000"))  # games played move by move
FIRST = 200
WHOLE = 1_000_000
MOST_BYTES = 400
YEAR = 365
YEARS = 200  # records of a year
NEAR = 0.03  # how far the filled board may be off the played one


@pytest.fixture
def quiet(valkey):
    """The server without its append-only file, so that buffers of it count for nothing."""
    valkey.config_set("appendonly", "no")
    yield valkey
    valkey.config_set("appendonly", "yes")


def opened(services):
    """Today's board, open, with nothing on it yet but what opening it takes."""
    board = services.days.board(DAY, SHEET, services.clock())
    return services.days.opened(board)


def per_game(client, fresh: Callable[[], None], games: int) -> float:
    """Growth of ``used_memory`` a game over what ``fresh`` writes."""
    before = used(client)
    fresh()
    return (used(client) - before) / games


def note(**figures: float) -> None:
    """Into the file of figures, where one is named."""
    target = os.environ.get("SAMEDICE_FIGURES")
    if target:
        path = Path(target)
        known = json.loads(path.read_text("utf-8")) if path.exists() else {}
        memory = {**known.get("memory", {}), **{name: round(x, 1) for name, x in figures.items()}}
        path.write_text(json.dumps({**known, "memory": memory}, indent=2) + "\n", "utf-8")


def test_a_filled_board_takes_what_a_played_one_takes(services, quiet) -> None:
    """A few games first, so that scripts and connections, there once, count on neither side."""
    rnd = random.Random(7)

    def play(games: int) -> None:
        board = opened(services)
        for number in range(games):
            follow(services, services.players.new_id(), DAY, whole_game(board, rnd).log, SHEET)
            if number % 2_000 == 0:
                services.worker.round()
        services.worker.round()

    emptied(quiet)
    play(FIRST)
    played = per_game(quiet, lambda: play(PLAYED), PLAYED)
    shown = services.standings.distribution(DAY, SHEET, services.clock())
    assert shown.players == FIRST + PLAYED
    emptied(quiet)
    services.worker.round()
    fill(quiet, services, opened(services), FIRST)
    filled = per_game(
        quiet, lambda: fill(quiet, services, opened(services), PLAYED, seed=2), PLAYED
    )
    print(f"\nof {PLAYED:,} games: played {played:.1f} bytes a game, filled {filled:.1f}")
    assert filled == pytest.approx(played, rel=NEAR)


def test_a_finished_game_takes_at_most_400_bytes_at_a_million(services, quiet) -> None:
    emptied(quiet)
    services.worker.round()
    board = opened(services)
    shard = board.id.shards(1)[0]
    before = used(quiet)
    found = fill(quiet, services, board, WHOLE)
    whole = (used(quiet) - before) / WHOLE
    parts = {
        name: quiet.memory_usage(key, samples=0) / WHOLE
        for name, key in (
            ("log", shard.games),
            ("score", shard.scores),
            ("histogram", shard.histogram),
        )
    }
    parts["record"] = whole - sum(parts.values())
    print(f"\n{whole:.1f} bytes a finished game: {parts}")
    note(finished_game=whole, **parts)
    reads_right(services, board, found)
    assert whole <= MOST_BYTES


def test_what_else_is_kept_of_a_game(services, quiet) -> None:
    """Evidence, skill, a game begun and left, a record of a game a day: bytes of each."""
    emptied(quiet)
    board = opened(services)
    fill(quiet, services, board, PLAYED)
    shard, rnd = board.id.shards(1)[0], random.Random(3)
    players = [row.decode() for row in quiet.zrange(shard.scores, 0, -1)]
    said = Evidence(37, -1.25, 17.5, (0.1, -3.7))
    skill = Skill(245.8712345678901, -12.345678901234567, 7.123456789012345)
    days = [DAY - timedelta(days=back) for back in range(YEAR)]

    def review() -> None:
        for player in players:
            services.store.skills.keep(player, {board.id: skill})

    def begin() -> None:
        for _ in range(PLAYED):
            services.play.begin(new_player(rnd), DAY, SHEET, services.clock())

    def play_for_years() -> None:
        for _ in range(YEARS):
            player = new_player(rnd)
            for day in days:
                services.store.players.settle(keys.BoardId(day, SHEET), [Row(player, 213)])

    for player in players:
        services.store.evidences.write(board.id, 1, player, said, apart=False)
    found = {
        "evidence": quiet.memory_usage(shard.evidence, samples=0) / PLAYED,
        "skill": per_game(quiet, review, PLAYED),
        "begun": per_game(quiet, begin, PLAYED),
        "record_of_a_year": per_game(quiet, play_for_years, YEARS * YEAR),
    }
    print(f"\nbytes each: {found}")
    note(**found)
    assert found["evidence"] <= 110
