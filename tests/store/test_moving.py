"""Export, import and compaction on every topology."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from challenge.service.services import Services
from challenge.web import create_app
from tests.conftest import Clock
from tests.service import world as worlds
from tests.service.test_moving import compact_old, export, take
from tests.service.world import answers
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
