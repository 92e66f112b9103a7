"""The model of players itself: its report has every figure, and nothing went wrong.

What it measures on a quiet machine is said by ``python -m tests.bench.players``.
"""

from __future__ import annotations

import asyncio

import pytest
from click.testing import CliRunner

from tests.bench.players import report
from tests.bench.players.__main__ import main
from tests.bench.players.run import Plan, run
from tests.bench.players.stage import EMBEDDED, on


@pytest.mark.parametrize("by", ["page", pytest.param("api", marks=pytest.mark.soak)])
def test_some_seconds_of_players_give_a_whole_report_and_no_5xx(by) -> None:
    plan = Plan(by=by, minutes=3 / 60, rate=15, think=0.15)
    with on(EMBEDDED, WEB_CONCURRENCY="1") as stage:
        found = asyncio.run(run(plan, stage))
    what = found["run"]
    assert what["status_5xx"] == 0
    assert what["errors"] == {}
    assert what["moves"] > 0
    assert what["requests"] == sum(what["statuses"].values())
    assert set(what["rss_mb"]) >= {"client", "web", "worker", "store"}
    assert what["cpu_us_per_move"]["web"] > what["cpu_us_per_move"]["store"] > 0
    assert what["redis"]["commands_us"] > 0
    assert what["redis"]["aof_bytes"] > 0
    assert found["machine"]["appendfsync"] == "always"
    assert "p99" in report.text(found)


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        (["--rate", "fast"], "'fast' is neither a number of moves a second nor auto"),
        (["--minutes", "0"], "0.0 is not in the range"),
        (["--store", "memory"], "'memory' is not one of"),
    ],
)
def test_a_wrong_option_is_refused_before_anything_starts(option, wrong) -> None:
    said = CliRunner().invoke(main, option)
    assert said.exit_code == 2
    assert wrong in said.output


@pytest.mark.soak
def test_on_a_cluster_the_nodes_are_added_up() -> None:
    plan = Plan(by="api", minutes=3 / 60, rate=15, think=0.15)
    with on("cluster", WEB_CONCURRENCY="1", CHALLENGE_BOARD_SHARDS="16") as stage:
        found = asyncio.run(run(plan, stage))
    what = found["run"]
    assert found["machine"]["nodes"] == 3
    assert what["status_5xx"] == 0
    assert what["errors"] == {}
    assert what["moves"] > 0
    assert what["cpu_us_per_move"]["replicas"] > 0
    assert what["redis"]["commands_us"] > 0


@pytest.mark.bench
@pytest.mark.timeout(0)
def test_at_most_of_the_capacity_nothing_fails_and_memory_stays_flat() -> None:
    with on(EMBEDDED) as stage:
        found = asyncio.run(run(Plan(minutes=2, think=1.0), stage))
    print("\n" + report.text(found))
    what = found["run"]
    assert what["status_5xx"] == 0
    assert what["errors"] == {}
    assert what["redis"]["commands_us"] <= 30
    web = what["rss_mb"]["web"]
    assert web["end"] <= 1.1 * web["middle"]
