"""The client of a cluster: the right server, whatever moves, dies or forgets."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice

import pytest
import redis
from redis.crc import key_slot
from redis.exceptions import RedisError, ResponseError

from challenge.errors import StoreUnavailable
from challenge.store import patience
from challenge.store.link import Link
from challenge.web import create_app
from tests.at_once import at_once
from tests.runtime.processes import until
from tests.store.test_boards import BOARD, LAST
from tests.store.topologies import Cluster, Server, holds, id_of, running
from tests.web.reader import play_on, read

KEYS = [f"key{number}" for number in range(60)]  # on every master


@pytest.fixture
def topology(cluster: Cluster) -> Cluster:
    """Services of these tests are over the cluster."""
    return cluster


@pytest.fixture
def link(cluster: Cluster) -> Link:
    """A way to the cluster that has sent nothing yet."""
    return Link(cluster.url)


def hand_over(cluster: Cluster, slot: int) -> tuple[Server, Server]:
    """Begins to move a slot from its master to another one."""
    source = next(s for s in cluster.masters() if holds(s, slot))
    target = next(s for s in cluster.masters() if s is not source)
    target.client.execute_command("CLUSTER SETSLOT", slot, "IMPORTING", id_of(source))
    source.client.execute_command("CLUSTER SETSLOT", slot, "MIGRATING", id_of(target))
    return source, target


def end_hand_over(cluster: Cluster, slot: int, target: Server) -> None:
    """The slot belongs to the target; everybody is told."""
    for server in [target, *(s for s in cluster.masters() if s is not target)]:
        server.client.execute_command("CLUSTER SETSLOT", slot, "NODE", id_of(target))


def move_keys(source: Server, target: Server, slot: int, count: int = 100) -> None:
    """Some keys of a slot go to where it moves."""
    keys = source.client.execute_command("CLUSTER GETKEYSINSLOT", slot, count)
    for key in keys:
        source.client.execute_command("MIGRATE", "127.0.0.1", target.port, key, 0, 2000)


@pytest.fixture
def moving(cluster: Cluster) -> Callable[..., None]:
    """Brings a slot back to where it was, whatever the test came to."""
    moved: list[tuple[int, Server, Server]] = []
    yield lambda *move: moved.append(move)
    for slot, source, target in moved:
        for holder, heir in ((source, target), (target, source)):
            for key in holder.client.execute_command("CLUSTER GETKEYSINSLOT", slot, 1000):
                holder.client.delete(key)
            end_hand_over(cluster, slot, heir)
    until(cluster.settled)


def test_nothing_is_sent_before_the_first_command(cluster: Cluster) -> None:
    def connections() -> int:
        return sum(server.client.info("clients")["connected_clients"] for server in cluster.servers)

    before = connections()
    link = Link(cluster.url)
    assert connections() == before
    link.redis.set("key", 1)
    assert connections() > before


def test_a_pipeline_over_all_servers_answers_in_order(link: Link) -> None:
    pipe = link.redis.pipeline(transaction=False)
    for number, key in enumerate(KEYS):
        pipe.hset(key, "field", number)
        pipe.zadd(f"{{{key}}}:zset", {"member": number})
        pipe.zrange(f"{{{key}}}:zset", 0, -1, withscores=True)
    found = pipe.execute()
    assert found[::3] == [1] * len(KEYS)
    assert found[2::3] == [[[b"member", float(number)]] for number in range(len(KEYS))]
    assert link.redis.pipeline(transaction=False).execute() == []


def test_what_one_command_of_many_got_wrong_stands_in_its_place(link: Link) -> None:
    link.redis.set(KEYS[3], "text")
    pipe = link.redis.pipeline(transaction=False)
    for key in KEYS[:6]:
        pipe.hget(key, "field")
    found = pipe.execute(raise_on_error=False)
    assert isinstance(found.pop(3), ResponseError)
    assert found == [None] * 5
    for key in KEYS[:6]:
        pipe.hget(key, "field")
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        pipe.execute()


def test_a_transaction_is_carried_out_as_one_and_takes_keys_of_one_slot(link: Link) -> None:
    pipe = link.redis.pipeline(transaction=True)
    pipe.hset("{a}1", mapping={"x": 1})
    pipe.zadd("{a}2", {"m": 2})
    pipe.hgetall("{a}1")
    pipe.zrange("{a}2", 0, -1, withscores=True)
    assert pipe.execute() == [1, 1, {b"x": b"1"}, [[b"m", 2.0]]]
    pipe.hget("{a}1", "x")
    pipe.hget("{b}1", "x")
    with pytest.raises(RedisError, match="keys of one slot"):
        pipe.execute()
    pipe.hget("{a}2", "x")
    pipe.hgetall("{a}1")
    wrong, right = pipe.execute(raise_on_error=False)
    assert isinstance(wrong, ResponseError)
    assert right == {b"x": b"1"}


def test_a_command_without_a_key_is_refused_and_masters_are_asked_one_by_one(link: Link) -> None:
    with pytest.raises(RedisError, match="names no key"):
        link.redis.dbsize()
    for key in KEYS:
        link.redis.set(key, 1)
    assert sum(redis.dbsize() for redis in link.masters()) == len(KEYS)
    assert {key for redis in link.masters() for key in redis.scan_iter()} == {
        key.encode() for key in KEYS
    }


def test_keys_of_two_servers_in_one_command_are_an_error(link: Link) -> None:
    with pytest.raises(ResponseError, match="same slot"):
        link.redis.exists(KEYS[0], KEYS[1])


def test_a_script_that_one_server_lost_is_sent_again_there(services, cluster: Cluster) -> None:
    games = services.store.games
    assert games.begin(BOARD, 16, "mia")[0]
    for server in cluster.masters():
        server.client.script_flush()
        for number in range(16):
            assert games.begin(BOARD, 16, f"{server.port}-{number}")[0]


def test_a_slot_that_has_moved_is_found(link: Link, cluster: Cluster, moving) -> None:
    slot = key_slot(b"{s}")
    link.redis.set("{s}1", "one")
    source, target = hand_over(cluster, slot)
    moving(slot, source, target)
    move_keys(source, target, slot)
    end_hand_over(cluster, slot, target)
    assert link.redis.get("{s}1") == b"one"
    pipe = link.redis.pipeline(transaction=False)
    pipe.get("{s}1")
    pipe.set("{s}2", "two")
    pipe.get(KEYS[0])
    assert pipe.execute() == [b"one", True, None]
    fresh = Link(cluster.url)
    assert fresh.redis.get("{s}2") == b"two"


def test_keys_on_their_way_are_found_on_either_side(link: Link, cluster: Cluster, moving) -> None:
    slot = key_slot(b"{s}")
    link.redis.set("{s}1", "one")
    source, target = hand_over(cluster, slot)
    moving(slot, source, target)
    move_keys(source, target, slot)
    link.redis.set("{s}2", "two")  # a new key goes to where the slot will be
    pipe = link.redis.pipeline(transaction=False)
    pipe.get("{s}1")
    pipe.get("{s}2")
    assert pipe.execute() == [b"one", b"two"]
    whole = link.redis.pipeline(transaction=True)
    whole.get("{s}1")
    assert whole.execute() == [b"one"]
    assert target.client.execute_command("CLUSTER COUNTKEYSINSLOT", slot) == 2


def test_a_script_waits_while_its_keys_are_on_two_servers(
    link: Link, cluster: Cluster, moving
) -> None:
    slot = key_slot(b"{s}")
    link.redis.mset({"{s}1": "one", "{s}2": "two"})
    source, target = hand_over(cluster, slot)
    moving(slot, source, target)
    move_keys(source, target, slot, 1)
    text = "return redis.call('MGET', KEYS[1], KEYS[2])"
    with pytest.raises(RedisError):  # the rest never comes
        link.redis.eval(text, 2, "{s}1", "{s}2")
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(until, lambda: _tried(lambda: Link(cluster.url), text))
        move_keys(source, target, slot)
        assert asked.result() == [b"one", b"two"]


def _tried(make: Callable[[], Link], text: str) -> list[bytes] | None:
    try:
        return make().redis.eval(text, 2, "{s}1", "{s}2")
    except RedisError:
        return None


def test_threads_share_no_connection(link: Link) -> None:
    def work(name: int) -> bool:
        for _ in range(30):
            pipe = link.redis.pipeline(transaction=False)
            for key in KEYS[:10]:
                pipe.hset(f"{{{key}}}:{name}", "x", name)
                pipe.hget(f"{{{key}}}:{name}", "x")
            if set(pipe.execute()[1::2]) != {str(name).encode()}:
                return False
        return True

    assert at_once(6, work) == [True] * 6


# -- servers that die --------------------------------------------------------------------


@pytest.fixture
def mortal(cluster: Cluster) -> Cluster:
    """The cluster, mended after the test."""
    yield cluster
    for server in cluster.servers:
        if not server.answers():
            server.start().wait()
    until(cluster.settled)


def players_on(cluster: Cluster, server: Server, count: int) -> list[str]:
    """Players whose own keys lie on a master."""
    names = (f"player{number}" for number in range(1000))
    slots = {name: key_slot(f"{{p:{name}}}".encode()) for name in names}
    return list(islice((name for name, slot in slots.items() if holds(server, slot)), count))


def test_a_dead_master_costs_its_own_keys_alone(services, mortal: Cluster) -> None:
    store, move = services.store, {"final": None, "counts": True}
    home = mortal.master_of(BOARD.note)
    dead = next(server for server in mortal.masters() if server is not home)
    away, here = players_on(mortal, dead, 2), players_on(mortal, home, 2)
    store.players.rename(here[0], "Mia")
    for player in (away[0], *here):
        store.games.begin(BOARD, 1, player)
        assert store.players.admits(player, 0)
    dead.kill()
    for player in (away[0], *here):  # also who was seen before and lies on the dead one
        assert store.games.read_log(BOARD, 1, player) == (b"", 0)
        assert store.games.move(BOARD, 1, player, ply=0, action=LAST, **move).status == "done"
        assert store.players.admits(player, 0)
        assert not store.players.admits(player, 1)
    assert store.players.names([*away, *here]) == [None, None, "Mia", None]
    with pytest.raises(StoreUnavailable):  # never seen: not let in on a guess
        store.games.read_log(BOARD, 1, away[1])
    with pytest.raises(StoreUnavailable):
        store.players.rename(away[0], "Ada")
    with pytest.raises(StoreUnavailable):
        store.players.names(away)


def test_while_one_server_is_away_what_the_other_says_of_a_player_holds(
    make_services, mortal: Cluster
) -> None:
    players, other = make_services().store.players, make_services().store.players
    dead = mortal.masters()[0]
    profile = {f"player{n}": mortal.master_of(f"{{p:player{n}}}") for n in range(60)}
    gone = {p: mortal.master_of(f"{{gone:{players.gone_mark(p)}}}") for p in profile}
    erased = next(p for p in profile if profile[p] is dead is not gone[p])
    signed_out = next(p for p in profile if profile[p] is not dead is gone[p])
    for player in (erased, signed_out):
        assert players.admits(player, 0)
    other.mark_gone(erased)  # by another process
    other.next_epoch(signed_out)
    dead.kill()
    assert not players.admits(erased, 0)
    assert not players.admits(signed_out, 0)
    assert players.admits(signed_out, 1)
    with pytest.raises(StoreUnavailable):
        other.admits(signed_out, 1)  # which never saw the player


def test_a_master_that_hangs_holds_up_no_player_of_the_others(services, mortal: Cluster) -> None:
    """It takes connections and answers nothing; each request has the time of a web request."""
    store, move = services.store, {"final": None, "counts": True}
    home = mortal.master_of(BOARD.note)
    hung = next(server for server in mortal.masters() if server is not home)
    (away,), here = players_on(mortal, hung, 1), players_on(mortal, home, 3)
    for player in (away, *here):
        store.games.begin(BOARD, 1, player)
        store.players.admits(player, 0)

    def plays(player: str) -> bool:
        patience.begin()
        try:
            store.games.read_log(BOARD, 1, player)
            return store.games.move(BOARD, 1, player, ply=0, action=LAST, **move) is not None
        except StoreUnavailable:
            return False
        finally:
            patience.end()

    os.kill(hung.pid, signal.SIGSTOP)
    try:
        assert all(plays(player) for player in here)
        tries = [plays(away) for _ in range(4)]
        assert True in tries[:3]  # once the server is left alone it costs nothing any more
        assert all(plays(player) for player in here)
    finally:
        os.kill(hung.pid, signal.SIGCONT)


def test_games_on_other_servers_are_played_on_page_by_page(services, mortal: Cluster) -> None:
    services.worker.round()
    browser = create_app(services).test_client()
    browser.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    homes = {board: mortal.master_of(board.note) for board in services.store.boards.live()}
    paths = {f"/{board.day}/{board.ruleset}": home for board, home in homes.items()}
    before = {path: play_on(browser, path, read(browser.get(path)), do="roll") for path in paths}
    (player,) = services.store.link.redis.hkeys(next(iter(homes)).shards(1)[0].games)
    dead = mortal.master_of(f"{{p:{player.decode()}}}")
    dead.kill()
    for path, page in before.items():
        if paths[path] is not dead:
            after = play_on(browser, path, page, do="roll", hold=["1"])
            assert after.fields["ply"] == "2"


def test_the_worker_goes_on_with_the_boards_of_other_servers(services, mortal: Cluster) -> None:
    store = services.store
    services.worker.round()
    for board in store.boards.live():
        store.games.begin(board, 1, "mia")
        store.games.move(board, 1, "mia", ply=0, action=LAST, final=9, counts=True)
    by_home = {board: mortal.master_of(board.note) for board in store.boards.live()}
    mine, listed = mortal.master_of("{p:mia}"), mortal.master_of("sd1:boards")
    dead = next(server for server in mortal.masters() if server not in (mine, listed))
    dead.kill()
    with pytest.raises(StoreUnavailable):
        services.worker.round()
    alive = [board for board, home in by_home.items() if home is not dead]
    assert 0 < len(alive) < len(by_home)
    assert set(store.players.record("mia")) == set(alive)


def test_a_replica_that_took_over_is_found_though_every_seed_is_gone(mortal: Cluster) -> None:
    first = mortal.masters()[0]
    link = Link(f"redis+cluster://127.0.0.1:{first.port}")
    for key in KEYS:
        link.redis.set(key, "here")
    until(lambda: link.reached(1))
    mortal.fail_over(first)

    def read() -> list[bytes] | None:
        try:
            return [link.redis.get(key) for key in KEYS]
        except RedisError:
            return None

    assert until(read) == [b"here"] * len(KEYS)


def test_where_no_seed_answers_the_store_is_unavailable(services) -> None:
    link = Link("redis+cluster://127.0.0.1:1,127.0.0.1:2")
    with pytest.raises(RedisError):
        link.redis.get("key")
    with pytest.raises(RedisError):
        link.redis.pipeline(transaction=False).get("key").execute()
    assert link.masters() == []


def test_servers_that_are_dead_by_turns_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    link = Link("redis+cluster://127.0.0.1:1,127.0.0.1:2")
    turns = cycle(link.redis._nodes.seeds)
    monkeypatch.setattr(link.redis._nodes, "holder", lambda _slot: next(turns))
    with pytest.raises(RedisError):
        link.redis.get("key")


def test_a_server_alone_is_no_cluster() -> None:
    link = Link(running("single").url.replace("redis://", "redis+cluster://"))
    with pytest.raises(redis.exceptions.RedisError):
        link.redis.get("key")
