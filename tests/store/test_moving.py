"""Export, import and compaction on every topology."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from challenge.service.services import Services
from challenge.store.exporting import Game
from challenge.web import create_app
from tests.conftest import Clock
from tests.service import world as worlds
from tests.service.test_moving import compact_old, export, take
from tests.service.world import answers
from tests.store.test_boards import BOARD, LAST
from tests.store.topologies import Topology


def test_an_empty_store_of_the_same_kind_answers_as_the_first_one_did(
    make_services: Callable[..., Services], topology: Topology, clock: Clock, tmp_path: Path
) -> None:
    services = make_services(CHALLENGE_BOARD_SHARDS="3")
    app = create_app(services)
    world = worlds.build(services, clock, app)
    compact_old(services, clock, "yatzy-order")
    before = answers(app, world)
    export(services, clock, tmp_path / "samedice.jsonl")
    topology.flush()
    other = make_services(CHALLENGE_BOARD_SHARDS="2")
    refused, report = take(other, tmp_path / "samedice.jsonl")
    assert refused == []
    assert report.whole
    assert answers(create_app(other), world) == before


@pytest.mark.parametrize("then", ["finished", "erased"])
def test_a_game_is_exported_as_of_one_moment(store, monkeypatch: pytest.MonkeyPatch, then: str):
    """Its last entry, or its erasure, comes after its log was come by."""
    games, redis = store.games, store.link.redis
    (shard,) = BOARD.shards(1)
    games.begin(BOARD, 1, "mia")
    scan = redis.hscan

    def scan_and_then(*args, **options):
        found = scan(*args, **options)
        if then == "finished":
            games.move(BOARD, 1, "mia", ply=0, action=LAST, final=9, counts=True)
        else:
            games.erase(BOARD, 1, "mia", score=None, mark="mark")
        return found

    monkeypatch.setattr(redis, "hscan", scan_and_then)
    whole = [Game("mia", bytes((LAST,)), 9, unsettled=True, evidence=b"", apart=False)]
    assert store.exporting.games(shard, 0) == (0, whole if then == "finished" else [])
