"""Every way a Redis fails, one by one: what is answered meanwhile, and that it heals by itself.

A proxy stands between the service and a Valkey of its own. The table "When something breaks"
in ``deploy/README.md`` names each test here.
"""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis
from werkzeug.test import TestResponse

from challenge import bootstrap
from challenge.game.stream import commitment_of
from challenge.store import connections, patience
from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore
from challenge.store.keys import BoardId
from challenge.web import assets, create_app
from tests.api.contract import Api, board, game, play, problem
from tests.conftest import NOON, Clock, make_settings
from tests.runtime.player import Player
from tests.runtime.processes import serving, until
from tests.runtime.proxy import Proxy, between

PAGE = "/2026-11-30/yacht"
READS = ["/api/v1/me", board(), board(tail="leaderboard"), game(), PAGE, "/readyz"]


@dataclass
class Site:
    """The application, the line to its Valkey, and that Valkey itself."""

    api: Api
    line: Proxy
    store: EmbeddedStore
    valkey: redis.Redis

    def works(self) -> bool:
        """Whether a move is answered well; needs a game with a roll left or a box to fill."""
        return self.move().status_code == 200

    def move(self) -> TestResponse:
        """The first roll of the game where it was not made, else the same once more."""
        return self.api.post(game(tail="roll"), {"ply": 0, "hold": []})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[EmbeddedStore]:
    """A Valkey that a test may break."""
    found = EmbeddedStore(DataDir(tmp_path / "store"))
    found.start()
    yield found
    found.stop()


@pytest.fixture
def site(store: EmbeddedStore, clock: Clock) -> Iterator[Site]:
    """A player who has begun a game, seen through the line."""
    with between(store.data_dir.socket) as line:
        services = bootstrap.build(make_settings(line.url), clock)
        api = Api(create_app(services).test_client(use_cookies=False)).signed("Mia")
        assert api.post(game()).status_code == 201
        yield Site(api, line, store, redis.Redis.from_url(store.data_dir.socket_url))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take its time where the time is not what is tested."""
    monkeypatch.setattr(patience, "TIMEOUT", 60.0)
    monkeypatch.setattr(patience, "BUDGET", 60.0)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What each look at a socket that brought nothing was allowed to take, in seconds."""
    found: list[float] = []
    missed = connections.Bounded.missed

    def noted(self: connections.Bounded, wait: float) -> None:
        found.append(wait)
        missed(self, wait)

    monkeypatch.setattr(connections.Bounded, "missed", noted)
    return found


def unavailable(answer: TestResponse, cause: str = "") -> None:
    """The one answer while the store is away, for programs and for people."""
    assert answer.status_code == 503
    assert int(answer.headers["Retry-After"]) >= 1
    if answer.mimetype == "text/html":
        assert "A short break" in answer.text
    else:
        detail = problem(answer, "store-unavailable", 503)["detail"]
        assert cause in detail


def away(site: Site, cause: str = "") -> None:
    """Nothing that needs the store is answered, everything else is."""
    unavailable(site.move(), cause)
    for path in READS:
        unavailable(site.api.get(path), cause)
    for path in ("/healthz", "/api/v1/rulesets", "/manifest.webmanifest", "/offline"):
        assert site.api.get(path).status_code == 200, path


def refuses_writes(site: Site, cause: str) -> None:
    """What needs a write is a 503 that changes nothing; reading goes on."""
    before = site.api.get(game()).json
    unavailable(site.move(), cause)
    unavailable(site.api.patch("/api/v1/me", {"name": "Lea"}), cause)
    unavailable(site.api.get("/readyz"), cause)
    assert site.api.get(game()).json == before
    assert site.api.get("/api/v1/me").json["player"]["name"].startswith("Mia")
    assert site.api.get(PAGE).status_code == 200


# -- away -----------------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_a_redis_that_is_down_is_a_503_and_heals_by_itself(site: Site, waits: list[float]) -> None:
    site.line.refuse()
    away(site, "ConnectionError")
    assert waits == []
    site.line.heal()
    assert site.works()


def test_a_redis_that_takes_two_seconds_an_answer_is_a_503_within_the_budget(
    site: Site, waits: list[float]
) -> None:
    site.line.delay(2)
    unavailable(site.move())
    assert 0 < sum(waits) <= patience.BUDGET
    away(site)
    site.line.heal()
    until(site.works)
    assert site.api.get(game()).json["ply"] == 1


def test_a_redis_that_never_answers_is_a_503_within_the_budget_and_then_at_once(
    site: Site, waits: list[float]
) -> None:
    site.line.swallow()
    unavailable(site.move(), "TimeoutError")
    assert len(waits) == 2
    assert sum(waits) <= patience.BUDGET
    seen = site.line.seen
    unavailable(site.move(), "Held")
    unavailable(site.api.get(PAGE))
    assert (len(waits), site.line.seen) == (2, seen)
    away(site)
    site.line.heal()
    until(site.works)
    assert site.api.get("/readyz").status_code == 200


def test_one_slow_answer_does_not_keep_anybody_from_the_store(
    site: Site, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    missed = connections.Bounded.missed

    def healed(self: connections.Bounded, wait: float) -> None:
        site.line.heal()
        missed(self, wait)

    monkeypatch.setattr(connections.Bounded, "missed", healed)
    site.line.swallow()
    assert site.works()
    assert len(waits) == 1
    assert not patience.breaker_of(f"127.0.0.1:{site.line.port}").held


def test_many_slow_answers_of_one_request_stay_within_its_budget(
    site: Site, waits: list[float]
) -> None:
    play(site.api)
    site.line.delay(0.3)
    answer = site.api.get(PAGE)  # ten commands, none of them too slow by itself
    unavailable(answer, "Spent")
    assert sum(waits) < patience.TIMEOUT
    site.line.heal()
    assert site.api.get(PAGE).status_code == 200


@pytest.mark.usefixtures("patient")
def test_a_connection_cut_before_the_write_is_made_anew(site: Site) -> None:
    site.line.reset()
    assert site.works()


@pytest.mark.usefixtures("patient")
def test_a_redis_that_cuts_every_connection_is_a_503_and_heals_by_itself(site: Site) -> None:
    site.line.cut()
    away(site, "ConnectionError")
    site.line.heal()
    assert site.works()
    assert site.api.get(game()).json["ply"] == 1


# -- there, but takes no writes ---------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_a_read_only_replica_lets_players_look_and_heals_by_itself(site: Site) -> None:
    site.valkey.execute_command("REPLICAOF", "127.0.0.1", "1")
    refuses_writes(site, "ReadOnlyError")
    site.valkey.execute_command("REPLICAOF", "NO", "ONE")
    assert site.works()


@pytest.mark.usefixtures("patient")
def test_a_master_without_its_replicas_lets_players_look_and_heals_by_itself(site: Site) -> None:
    site.valkey.config_set("min-replicas-to-write", 1)
    refuses_writes(site, "NOREPLICAS")
    site.valkey.config_set("min-replicas-to-write", 0)
    assert site.works()


@pytest.mark.usefixtures("patient")
def test_a_full_memory_lets_players_look_and_heals_by_itself(site: Site) -> None:
    site.valkey.config_set("maxmemory", 1)
    refuses_writes(site, "OutOfMemoryError")
    site.valkey.config_set("maxmemory", 0)
    assert site.works()


# -- failing over -----------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_a_demoted_master_behind_a_name_is_left_for_the_new_one(site: Site, tmp_path: Path) -> None:
    new = EmbeddedStore(DataDir(tmp_path / "new"))
    new.start()
    redis.Redis.from_url(new.data_dir.socket_url).restore(
        "sd1:{2026-11-30:yacht}:games", 0, site.valkey.dump("sd1:{2026-11-30:yacht}:games")
    )
    site.valkey.execute_command("REPLICAOF", "127.0.0.1", "1")
    site.line.upstream = new.data_dir.socket  # the name points there; connections are kept
    assert site.works()
    assert site.api.get(game()).json["ply"] == 1
    new.stop()


@pytest.mark.usefixtures("patient")
def test_a_replica_without_its_master_is_a_503_and_heals_by_itself(site: Site) -> None:
    site.valkey.config_set("replica-serve-stale-data", "no")
    site.valkey.execute_command("REPLICAOF", "127.0.0.1", "1")
    away(site, "ReadOnlyError")
    site.valkey.execute_command("REPLICAOF", "NO", "ONE")
    assert site.works()


class Slow(EmbeddedStore):
    """Loads its data for long, unless it is told not to, and says so meanwhile."""

    def _options(self) -> list[str]:
        slowly = ["--key-load-delay", "5000", "--loading-process-events-interval-bytes", "1024"]
        return [*super()._options(), *slowly]


@pytest.mark.usefixtures("patient")
def test_a_redis_that_loads_its_data_is_a_503_and_heals_by_itself(site: Site) -> None:
    site.valkey.mset({f"filling:{number}": os.urandom(250) for number in range(4000)})
    site.valkey.execute_command("BGREWRITEAOF")
    until(lambda: not site.valkey.info("persistence")["aof_rewrite_in_progress"])
    site.store.stop()
    slow = Slow(site.store.data_dir)
    slow.launch()
    until(lambda: is_loading(site.valkey))
    away(site, "BusyLoadingError")
    site.valkey.config_set("key-load-delay", 0)
    until(site.works)
    slow.stop()


def is_loading(valkey: redis.Redis) -> bool:
    """Whether the server says that it is still loading."""
    try:
        valkey.ping()
    except redis.ConnectionError as error:
        return isinstance(error, redis.BusyLoadingError)
    return False


@pytest.mark.usefixtures("patient")
def test_lost_scripts_are_sent_again_within_the_move(site: Site) -> None:
    assert site.works()
    site.valkey.script_flush()
    dealt = site.api.get(game()).json["dice"]
    answer = site.api.post(game(tail="score"), {"ply": 1, "box": "chance"})
    assert (answer.status_code, answer.json["total"]) == (200, sum(dealt))


@pytest.mark.usefixtures("patient")
def test_a_restart_loses_nothing_that_was_acknowledged(site: Site) -> None:
    assert site.works()
    before = site.api.get(game()).json
    site.store.stop()
    unavailable(site.api.get(game()))
    site.store.start()
    assert site.api.get(game()).json == before
    assert site.api.post(game(tail="score"), {"ply": 1, "box": "chance"}).status_code == 200


# -- wrong ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
def test_a_wrong_password_is_a_503_and_doctor_names_it(site: Site) -> None:
    site.valkey.config_set("requirepass", "another")
    site.line.reset()
    away(site, "AuthenticationError")
    assert "user or password" in doctor(site)
    site.valkey.config_set("requirepass", "")
    assert site.works()


def test_an_old_redis_is_named_by_doctor(site: Site) -> None:
    assert "7 or newer is needed" not in doctor(site)
    site.line.swap("valkey_version:9.", "valkey_version:6.")
    assert "7 or newer is needed" in doctor(site)


def doctor(site: Site) -> str:
    """What ``challenge doctor`` says, which is one line a finding and no traceback."""
    environ = {**os.environ, "CHALLENGE_REDIS_URL": site.line.url}
    said = subprocess.run(
        [sys.executable, "-m", "challenge", "doctor"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert not said.stderr
    return said.stdout


# -- under load, and long -----------------------------------------------------------------------


def test_many_players_do_not_pile_up_before_a_redis_that_never_answers(
    tmp_path: Path, store: EmbeddedStore
) -> None:
    with (
        between(store.data_dir.socket) as line,
        serving(tmp_path / "data", "--port", "0", "--workers", "1", **settings(line)) as serve,
    ):
        player = Player(serve.port)
        line.swallow()
        until(lambda: "Held" in ask(serve.port, "GET", "/readyz")[1])
        with ThreadPoolExecutor(20) as pool:
            paths = [PATHS[i % len(PATHS)] for i in range(100)]
            answers = list(pool.map(lambda path: ask(serve.port, "GET", path), paths))
        for path, (status, text) in zip(paths, answers, strict=True):
            assert (status, path) == (200 if path in WITHOUT_STORE else 503, path), text
        seen = [text for path, (_, text) in zip(paths, answers, strict=True) if path == "/readyz"]
        assert sum("Held" in text for text in seen) > len(seen) / 2
        line.heal()
        player.play()
        _, output = serve.terminate()
    for cause in ("TimeoutError", "Held"):
        assert output.count(f"the store does not answer: {cause}") == 1
    assert "Traceback" not in output


WITHOUT_STORE = ("/healthz", "/api/v1/rulesets", "/offline", f"/assets/{assets.digest()}/page.css")
PATHS = ("/readyz", "/", "/readyz", *WITHOUT_STORE)


def settings(line: Proxy) -> dict[str, str]:
    """Of a service on the other side of a line."""
    return {
        "CHALLENGE_REDIS_URL": line.url,
        "CHALLENGE_STREAM_SECRET": "s" * 40,
        "CHALLENGE_SECRET_KEYS": "k" * 40,
        "CHALLENGE_REQUEST_LOG": "off",
    }


def ask(port: int, method: str, path: str) -> tuple[int, str]:
    """Status and text of one answer, over a connection of its own."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


@pytest.mark.usefixtures("patient")
def test_a_worker_that_was_away_for_a_day_catches_up(site: Site, clock: Clock) -> None:
    services = bootstrap.build(make_settings(site.store.data_dir.socket_url), clock)
    total = play(site.api)["total"]
    site.api.post(game(ruleset="yatzy"))  # begun and never finished
    clock.forward(days=1, hours=4)
    stays = BoardId(NOON.date(), "yacht")
    assert services.store.boards.live() == [stays, BoardId(NOON.date(), "yatzy")]
    services.worker.round()
    closed = site.api.get(board("2026-11-30")).json
    assert (closed["state"], closed["finished"]) == ("closed", 1)
    assert commitment_of(bytes.fromhex(closed["seed"])) == closed["commitment"]
    assert services.store.players.record(site.api.player) == {stays: total}
    today = services.days.today(clock())
    assert {(id.day, id.ruleset) for id in services.store.boards.live()} == {
        (today, ruleset) for ruleset in services.settings.rulesets
    }
    assert site.api.get("/api/v1/me/stats").status_code == 200
