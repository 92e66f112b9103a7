"""CHALLENGE_WAIT_REPLICAS: a finish is safe once so many replicas have it."""

from __future__ import annotations

import logging
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote_plus

import pytest
from redis.exceptions import RedisError

from challenge.cli.checks import findings
from challenge.errors import SettingError, StoreUnavailable
from challenge.store import patience, tally
from challenge.store.keys import BoardId
from challenge.store.link import Link
from challenge.web import create_app
from challenge.web.durability import DEGRADED, HEADER
from tests.api.contract import Api, game
from tests.conftest import NOON, make_settings
from tests.runtime.processes import until
from tests.store.test_boards import BOARD, LAST
from tests.store.topologies import SERVICE, Cluster, Sentinel, Topology

FINAL = {"ply": 0, "action": LAST, "final": 9, "counts": True}
LOG = bytes((LAST,))
REPLICAS = {"single": 0, "sentinel": 2, "cluster": 1}


def finish(services, player: str):
    """A game of one entry, counted."""
    services.store.games.begin(BOARD, 3, player)
    return services.store.games.move(BOARD, 3, player, **FINAL)


def test_a_finish_is_safe_where_enough_replicas_follow(make_services, topology: Topology):
    there = REPLICAS[topology.name]
    for asked in range(1, 4):
        services = make_services(CHALLENGE_WAIT_REPLICAS=str(asked))
        assert finish(services, f"player{asked}").safe is (asked <= there)
        assert services.store.games.confirm(BOARD, 3, f"player{asked}", LOG) is (asked <= there)


def test_nobody_is_asked_where_none_are_set_or_the_game_goes_on(make_services):
    services = make_services()
    assert finish(services, "ada").safe is None
    assert services.store.games.confirm(BOARD, 3, "ada", LOG) is None
    waiting = make_services(CHALLENGE_WAIT_REPLICAS="5")
    waiting.store.games.begin(BOARD, 3, "mia")
    roll = {"ply": 0, "action": 64, "final": None, "counts": True}
    assert waiting.store.games.move(BOARD, 3, "mia", **roll).safe is None


def test_a_game_that_is_not_there_is_never_confirmed(make_services):
    services = make_services(CHALLENGE_WAIT_REPLICAS="1")
    assert services.store.games.confirm(BOARD, 3, "nobody", LOG) is False


def test_a_finish_that_a_failover_took_back_after_it_was_read_is_never_confirmed(make_services):
    store = make_services(CHALLENGE_WAIT_REPLICAS="1").store
    store.games.begin(BOARD, 3, "mia")  # as the new master has it, without the entry
    assert store.games.confirm(BOARD, 3, "mia", LOG) is False
    assert store.games.read(BOARD, 3, "mia").log == b""


@pytest.mark.parametrize("topology", ["sentinel"], indirect=True)
def test_an_entry_that_is_taken_back_while_it_is_sent_again_is_answered_as_unsafe(
    make_services, topology: Sentinel, monkeypatch: pytest.MonkeyPatch
):
    services = make_services(CHALLENGE_WAIT_REPLICAS="1")
    mia = Api(create_app(services).test_client(use_cookies=False)).signed("Mia")
    said, last = play_out(mia)
    assert said[-1] is None
    games, key = services.store.games, BoardId(NOON.date(), "yacht").shard_of(mia.player, 1).games
    confirm = games.confirm

    def late(*args: Any) -> bool | None:
        log = services.store.link.redis.hget(key, mia.player)
        services.store.link.redis.hset(key, mia.player, log[:-1])
        return confirm(*args)

    monkeypatch.setattr(games, "confirm", late)
    again = mia.post(game(tail="score"), last)
    assert (again.status_code, again.headers.get(HEADER)) == (200, DEGRADED)


def test_another_connection_than_the_one_that_wrote_is_never_asked(topology: Topology):
    link = Link(topology.url)
    link.redis.set("key", "value")
    assert link.reached(REPLICAS[topology.name])
    link._connection().disconnect()
    assert not link.reached(0)  # even none at all: another connection would say yes
    link.redis.set("key", "value")
    assert link.reached(0)


def test_a_connection_that_asking_makes_anew_is_never_asked(topology: Topology):
    """Another thread has met a replica meanwhile, or no answer."""
    link, now = Link(topology.url), time.monotonic()
    link.redis.set("key", "value")
    breaker = link._connection().breaker
    breaker.demoted()
    assert not link.reached(0)
    link.redis.set("key", "value")
    patience.begin()
    try:
        for _ in range(patience.MISSES):
            breaker.missed(now - patience.HOLD)
        assert not link.reached(0)
    finally:
        patience.end()
        breaker.heard()
    link.redis.set("key", "value")
    assert link.reached(REPLICAS[topology.name])


def test_who_leaves_a_replica_asks_the_sentinels_for_the_master(sentinel: Sentinel):
    link, (master,) = Link(sentinel.url), sentinel.masters()
    link.redis.set("key", "value")
    kept = link._connection()
    kept.host, kept.port = "127.0.0.1", sentinel.replicas_of(master)[0].port  # as it was before
    kept.breaker.demoted()
    assert link.redis.get("key") == b"value"
    assert kept.port == master.port


def test_a_finish_with_too_few_replicas_is_counted_and_logged_without_a_name(
    make_services, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    counted = []
    monkeypatch.setattr(tally, "_listeners", [lambda event, labels: counted.append(event)])
    services = make_services(CHALLENGE_WAIT_REPLICAS="3")
    with caplog.at_level(logging.WARNING, "challenge.store"):
        finish(services, "mia")
    (record,) = caplog.records
    assert record.getMessage() == "a finish has not reached 3 replicas"
    assert counted.count("degraded_finishes") == 1


@pytest.mark.parametrize("asked", ["0", "1"])
def test_the_last_answer_of_a_game_says_so_and_saying_it_again_asks_again(
    make_services, topology: Topology, asked: str
):
    services = make_services(CHALLENGE_WAIT_REPLICAS=asked)
    mia = Api(create_app(services).test_client(use_cookies=False)).signed("Mia")
    said, last = play_out(mia)
    degraded = asked == "1" and topology.name == "single"
    assert said[:-1] == [None] * (len(said) - 1)
    assert said[-1] == (DEGRADED if degraded else None)
    again = mia.post(game(tail="score"), last)
    assert (again.status_code, again.headers.get(HEADER)) == (200, said[-1])


def test_replicas_are_asked_once_a_game_with_its_last_entry(make_services, topology: Topology):
    def asked() -> int:
        stats = [server.client.info("commandstats") for server in topology.masters()]
        return sum(each.get("cmdstat_wait", {"calls": 0})["calls"] for each in stats)

    before = asked()
    services = make_services(CHALLENGE_WAIT_REPLICAS="1")
    play_out(Api(create_app(services).test_client(use_cookies=False)).signed("Mia"))
    assert asked() == before + 1


def play_out(player: Api) -> tuple[list[str | None], dict[str, object]]:
    """What each answer of a whole game says of its safety, and the last entry."""
    view, said = player.post(game()).json, []
    while not view["finished"]:
        roll = {"ply": view["ply"], "hold": []}
        answers = [player.post(game(tail="roll"), roll)]
        box = next(box["box"] for box in answers[0].json["boxes"] if box["legal"])
        last = {"ply": answers[0].json["ply"], "box": box}
        answers.append(player.post(game(tail="score"), last))
        said += [answer.headers.get(HEADER) for answer in answers]
        view = answers[-1].json
    return said, last


@pytest.mark.parametrize("topology", ["sentinel"], indirect=True)
def test_a_retry_after_a_failover_is_confirmed_by_a_write_of_its_own(
    make_services, topology: Sentinel
):
    """The replica that took over has no replica yet: what it has is not safe."""
    services = make_services(CHALLENGE_WAIT_REPLICAS="2")
    assert finish(services, "mia").safe
    stopped = topology.replicas_of(topology.masters()[0])
    try:
        for replica in stopped:
            replica.client.replicaof("NO", "ONE")
        again = services.store.games.move(BOARD, 3, "mia", **FINAL)
        assert again.status == "same"
        assert services.store.games.confirm(BOARD, 3, "mia", LOG) is False
    finally:
        until(topology.settled)  # the sentinels bring them back
    assert services.store.games.confirm(BOARD, 3, "mia", LOG) is True


@pytest.mark.parametrize("topology", ["cluster"], indirect=True)
def test_a_finish_stays_on_the_list_until_replicas_have_it_in_the_record(
    make_services, topology: Cluster
):
    """On a cluster the record lies on another server than the board, and may be lost alone."""
    store = make_services(CHALLENGE_WAIT_REPLICAS="1").store
    board, players = BoardId(NOON.date(), "yacht"), [f"player{n}" for n in range(12)]
    for player in players:
        store.games.begin(board, 1, player)
        store.games.move(board, 1, player, **FINAL)
    rows = store.boards.unsettled(board, 1, 100)
    stopped = topology.replicas_of(topology.master_of(f"{{p:{players[0]}}}"))
    for replica in stopped:
        os.kill(replica.pid, signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable):
            store.players.settle(board, rows)
    finally:
        for replica in stopped:
            os.kill(replica.pid, signal.SIGCONT)
    until(topology.settled)
    until(lambda: settles(store, board, rows))
    assert [store.players.score_on(player, board) for player in players] == [9] * 12


def settles(store, board, rows) -> bool:
    with suppress(StoreUnavailable):
        store.players.settle(board, rows)
        return True
    return False


# -- the way there -----------------------------------------------------------------------


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel://a/dice?no_such_option=1",
        "redis+sentinel://a/dice?socket_timeout=soon",
        "redis+cluster://a?no_such_option=1",
        "redis+cluster://a?socket_timeout=soon",
    ],
)
def test_a_wrong_option_is_said_before_the_first_command(url: str):
    with pytest.raises(SettingError, match=r"option after the \?"):
        Link(url)


@pytest.mark.parametrize("scheme", ["redis", "rediss"])
def test_options_and_passwords_are_each_for_their_own(scheme: str):
    where = f"{scheme}+sentinel://mia:hush@a:1/dice/2?sentinel_password=other&client_name=dice"
    pool = Link(where)._make.__closure__[0].cell_contents
    ours = pool.connection_kwargs
    assert (ours["username"], ours["password"], ours["db"]) == ("mia", "hush", 2)
    assert ours["client_name"] == "dice"
    theirs = pool.sentinel_manager._clients[0].get_connection_kwargs()
    assert (theirs.get("username"), theirs["password"], theirs["port"]) == (None, "other", 1)
    assert (pool.connection_class.__name__ == "ToMasterTls") == (scheme == "rediss")


def test_a_service_that_no_sentinel_knows_is_out_of_reach(sentinel: Sentinel):
    link = Link(sentinel.url.replace("/samedice/", "/other/"))
    with pytest.raises(RedisError, match="no sentinel"):
        link.redis.get("key")


def test_sentinels_that_are_gone_are_passed_over(sentinel: Sentinel):
    link = Link(sentinel.url.replace("://", "://127.0.0.1:1,127.0.0.1:2,"))
    link.redis.set("key", "value")
    assert link.redis.get("key") == b"value"


def test_doctor_names_each_master_and_what_is_missing(cluster: Cluster, make_settings_of):
    one, *_ = masters = cluster.masters()
    one.client.config_set("maxmemory-policy", "allkeys-lru")
    try:
        found = list(findings(make_settings_of(cluster, CHALLENGE_WAIT_REPLICAS="2"), NOON))
    finally:
        one.client.config_set("maxmemory-policy", "noeviction")
    wrong = [finding.detail for finding in found if finding.level == "wrong"]
    assert sum("CHALLENGE_WAIT_REPLICAS is 2" in line for line in wrong) == len(masters)
    assert any(f"at 127.0.0.1:{one.port} is allkeys-lru" in line for line in wrong)
    answering = [finding.detail for finding in found if finding.check == "store"]
    assert len(answering) == len(masters)
    assert all("of redis+cluster://127.0.0.1:" in line for line in answering)


def test_doctor_says_that_a_node_of_a_cluster_is_no_single_server(
    cluster: Cluster, make_settings_of
):
    node = cluster.masters()[0]
    settings = make_settings_of(cluster, url=f"redis://127.0.0.1:{node.port}/0")
    wrong = [finding.detail for finding in findings(settings, NOON) if finding.level == "wrong"]
    assert any("must be redis+cluster://" in line for line in wrong)


def test_doctor_says_that_a_single_server_is_no_cluster_and_a_sentinel_no_server(
    sentinel: Sentinel, make_settings_of
):
    master, one = sentinel.servers[0], sentinel.sentinels[0]
    for url, right in (
        (f"redis+cluster://127.0.0.1:{master.port}", "It is no node of a cluster"),
        (f"redis://127.0.0.1:{one.port}/0", "must be redis+sentinel://"),
    ):
        found = findings(make_settings_of(sentinel, url=url), NOON)
        wrong = [finding.detail for finding in found if finding.level == "wrong"]
        assert any(right in line for line in wrong), wrong


@pytest.fixture
def make_settings_of():
    """Settings over a topology, with secrets as they should be."""

    def make(topology: Topology, url: str | None = None, **environ: str):
        given = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40, **environ}
        return make_settings(url or topology.url, **given)

    return make


# -- who we are there --------------------------------------------------------------------


HUSH, HUSH_QUOTED = "p@ss/word", "p%40ss%2Fword"  # of the servers
THEIRS = "sentinel/s own"


@pytest.fixture
def guarded(topology: Topology) -> Iterator[str]:
    """The URL once every server asks new connections for a password, sentinels for another."""
    clients = [server.client for server in topology.servers]
    sentinels = [each.client for each in getattr(topology, "sentinels", [])]
    for client in clients:
        client.config_set("requirepass", HUSH)
        client.config_set("masterauth", HUSH)
    for client in sentinels:
        client.execute_command("SENTINEL SET", SERVICE, "auth-pass", HUSH)
        client.execute_command("SENTINEL CONFIG", "SET", "sentinel-pass", THEIRS)
        client.execute_command("ACL SETUSER", "default", "resetpass", f">{THEIRS}")
    query = f"?sentinel_password={quote_plus(THEIRS)}" if sentinels else ""
    yield topology.url.replace("://", f"://:{HUSH_QUOTED}@") + query
    for client in sentinels:
        client.execute_command("ACL SETUSER", "default", "nopass")
        client.execute_command("SENTINEL CONFIG", "SET", "sentinel-pass", "")
        client.execute_command("SENTINEL SET", SERVICE, "auth-pass", "")
    for client in clients:
        client.config_set("requirepass", "")
        client.config_set("masterauth", "")


def test_a_password_opens_every_server(topology: Topology, guarded: str):
    with pytest.raises(RedisError):
        Link(topology.url).redis.set("key", "value")
    pipe = Link(guarded).redis.pipeline(transaction=False)
    for number in range(30):
        pipe.set(f"key{number}", number)
    assert pipe.execute() == [True] * 30


def test_doctor_names_a_wrong_password_whoever_asks_for_it(
    topology: Topology, guarded: str, make_settings_of
):
    for url in {topology.url, guarded.replace(HUSH_QUOTED, "x"), guarded.partition("?")[0]}:
        if url == guarded:
            continue
        found = findings(make_settings_of(topology, url=url), NOON)
        wrong = [finding.detail for finding in found if finding.level == "wrong"]
        assert any("wants another user or password" in line for line in wrong), (url, wrong)
