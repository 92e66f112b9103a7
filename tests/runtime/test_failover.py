"""``kill -9`` of a master under load: no finish acknowledged as safe is lost.

The players are real HTTP, the service a real ``challenge serve``, the store a real cluster
or Sentinel. Run with ``-s`` to see the figures.
"""

from __future__ import annotations

import json
import random
import sys
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from challenge.game import rulesets
from challenge.store.store import Store
from tests.marks import long
from tests.runtime.gunicorns import SECRETS
from tests.runtime.processes import MANY, Serve, serving, until
from tests.runtime.survivor import Crowd, Finish, Survivor, Watcher
from tests.store.topologies import Cluster, Replicated, Sentinel, Server

SHEETS = ["yacht", "yatzy", "generala"]
PLAYERS = 2  # of each sheet at a time
STALL_MS = 3000  # a busy machine may stop for a second or two, which is no death
SHARE = 0.05  # of a watcher's requests may be late on a busy machine


def served(topology: Replicated) -> dict[str, str]:
    """The settings of a service over a topology."""
    return {
        **MANY,
        **SECRETS,
        "CHALLENGE_REDIS_URL": topology.url,
        "CHALLENGE_WAIT_REPLICAS": "1",
        "CHALLENGE_MOVES_PER_MINUTE": "1000000",
    }


def check(serve: Serve, topology: Replicated, played: list[tuple[Survivor, Finish]]) -> None:
    """Every finish is where it was acknowledged: log, board, histogram, record, streak."""
    store = Store(topology.url, b"")
    boards = store.boards.live()
    until(lambda: not any(store.boards.unsettled(board, 1, 1) for board in boards))
    by_sheet: dict[str, list[int]] = defaultdict(list)
    for player, finish in played:
        by_sheet[finish.sheet].append(finish.total)
        base = f"/api/v1/challenges/today/{finish.sheet}"
        game = player.send("GET", f"{base}/game").content
        assert (game["log"], game["total"]) == (finish.log, finish.total)
        assert game["standing"] is not None
        stats = player.send("GET", "/api/v1/me/stats").content
        assert (stats["played"], stats["best"], stats["streak"]["current"]) == (1, finish.total, 1)
        me = player.send("GET", f"{base}/leaderboard?limit=1").content["me"]
        assert me["score"] == finish.total
    for sheet, totals in by_sheet.items():
        found = played[0][0].send("GET", f"/api/v1/challenges/today/{sheet}/distribution").content
        assert {bin["score"]: bin["count"] for bin in found["bins"]} == Counter(totals)
        assert found["players"] == len(totals)


def tell(name: str, kills: int, played: list[tuple[Survivor, Finish]]) -> None:
    """The figures, for who asks for them."""
    statuses = sum((player.statuses for player, _ in played), Counter())
    figures = {
        "topology": name,
        "kills": kills,
        "finished": len(played),
        "answers": dict(sorted(statuses.items())),
        "degraded": sum(player.degraded for player, _ in played),
        "taken back": sum(player.taken_back for player, _ in played),
    }
    say(figures)


def say(figures: dict[str, object]) -> None:
    """One line for who runs this with ``-s``."""
    sys.stdout.write(f"{json.dumps(figures)}\n")


def fail_over(topology: Replicated, crowd: Crowd, kills: int) -> None:
    """Kills masters amid games, one after the other; each rejoins before the next one dies."""
    for _ in range(kills):
        crowd.some_more(random.randrange(1, 5))
        dead = random.choice(topology.masters())
        topology.fail_over(dead)
        crowd.some_more(2)
        topology.rejoin(dead)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kind", [long(Sentinel), Cluster])
@pytest.mark.parametrize("kills", [1, long(10)])
def test_no_finish_acknowledged_as_safe_is_lost_when_masters_die(
    tmp_path: Path, kind: type[Replicated], kills: int
) -> None:
    with kind(down_ms=STALL_MS) as topology, serving(tmp_path, **served(topology)) as serve:
        crowd = Crowd(serve.port, SHEETS * PLAYERS)
        fail_over(topology, crowd, kills)
        played = crowd.end()
        if isinstance(topology, Sentinel):
            # One replica of two is enough where the master is dead, not where it lives on
            # beside the new one: then the other replica goes on confirming what will be lost.
            assert topology.failovers == kills, "a master was replaced that was not dead"
        check(serve, topology, played)
        tell(kind.name, kills, played)
        assert serve.process.poll() is None


# -- the boards of the others ------------------------------------------------------------


def sheets_by_master(cluster: Cluster, store: Store) -> dict[Server, list[str]]:
    """Which sheets' boards of today lie on which master."""
    found: dict[Server, list[str]] = defaultdict(list)
    for board in store.boards.live():
        if len(rulesets.find(board.ruleset).boxes) < 20:
            found[cluster.master_of(board.note)].append(board.ruleset)
    return found


def outage(cluster: Cluster, serve: Serve, store: Store) -> tuple[int, int]:
    """A master dies: requests to the others' boards that were answered meanwhile, or not."""
    spread = sheets_by_master(cluster, store)
    dead = random.choice(list(spread))
    others = [sheet for master in spread if master is not dead for sheet in spread[master]]
    watchers = [Watcher(serve.port, others[half::2]) for half in range(2)]
    disturbed = Watcher(serve.port, spread[dead])
    until(lambda: all(watcher.answered > 30 for watcher in [*watchers, disturbed]))
    before = [(watcher.answered, watcher.asked) for watcher in watchers]
    cluster.fail_over(dead)
    after = [(watcher.answered, watcher.asked) for watcher in watchers]
    at = disturbed.answered
    until(lambda: disturbed.answered > at + 5)
    for watcher in [*watchers, disturbed]:
        assert set(watcher.end()) <= {0, 200, 404, 409, 503}
    cluster.rejoin(dead)
    answered = sum(new[0] - old[0] for new, old in zip(after, before, strict=True))
    return answered, sum(new[1] - old[1] for new, old in zip(after, before, strict=True)) - answered


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("kills", [1, long(10)])
def test_the_boards_of_other_masters_go_on_while_one_is_dead(tmp_path: Path, kills: int) -> None:
    with Cluster() as cluster, serving(tmp_path, **served(cluster)) as serve:
        store = Store(cluster.url, b"")
        until(lambda: len(store.boards.live()) == len(rulesets.RULESETS))
        for _ in range(kills):
            answered, late = outage(cluster, serve, store)
            say({"other masters' boards": "one master dead", "answered": answered, "late": late})
            assert answered > 20
            assert late <= SHARE * answered
