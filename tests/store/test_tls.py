"""TLS between Samedice and every server, checked against a certificate authority of one's own."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from redis.exceptions import RedisError

from challenge.cli.doctor import findings
from challenge.config import Settings
from challenge.service.services import Services
from challenge.store.link import Link
from challenge.web import create_app
from challenge.web.durability import HEADER
from tests.api.contract import Api, board, game, legal, play
from tests.conftest import NOON, make_settings
from tests.store.topologies import KINDS, Encrypted, Replicated, Topology

KIND = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-batch")


def speaks_tls(binary: str) -> bool:
    """Whether a server program is linked with OpenSSL; others know none of its options."""
    return b"libssl" in Path(binary).read_bytes()


def openssl(*args: str | Path) -> None:
    """One call of openssl that has to succeed."""
    subprocess.run(["openssl", *args], check=True, capture_output=True)


def authority(folder: Path, name: str) -> tuple[Path, Path]:
    """Certificate and key of a new certificate authority."""
    cert, key = folder / f"{name}.pem", folder / f"{name}.key"
    openssl("req", "-x509", *KIND, "-keyout", key, "-out", cert, "-subj", f"/CN={name}")
    return cert, key


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory) -> Encrypted:
    """Servers that speak TLS, with a certificate for 127.0.0.1."""
    found = filter(None, map(shutil.which, ("valkey-server", "redis-server")))
    binary = next(filter(speaks_tls, found), None)
    if binary is None or shutil.which("openssl") is None:
        pytest.skip("not installed here: a redis-server or valkey-server with TLS, or openssl")
    folder = tmp_path_factory.mktemp("tls")
    ca, ca_key = authority(folder, "ca")
    cert, key, request = folder / "cert.pem", folder / "key.pem", folder / "request.pem"
    names = folder / "names"
    names.write_text("subjectAltName=IP:127.0.0.1")
    openssl("req", *KIND, "-keyout", key, "-out", request, "-subj", "/CN=dice")
    signed_by = ("-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-extfile", names)
    openssl("x509", "-req", "-in", request, "-out", cert, *signed_by)
    return Encrypted(Path(binary), ca, cert, key)


@pytest.fixture(scope="module", params=KINDS)
def topology(request: pytest.FixtureRequest, encrypted: Encrypted) -> Iterator[Topology]:
    """Each of the topologies, all of it over TLS."""
    with KINDS[request.param](encrypted) as found:
        yield found


@pytest.fixture
def settings_of() -> Callable[..., Settings]:
    """Settings with secrets as they should be, over a URL."""

    def make(url: str, **environ: str) -> Settings:
        given = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
        return make_settings(url, **given, **environ)

    return make


def wrong(settings: Settings) -> str:
    """What ``challenge doctor`` finds wrong."""
    return "\n".join(each.detail for each in findings(settings, NOON) if each.level == "wrong")


def test_a_whole_game_is_played_and_its_end_is_safe(
    topology: Topology, make_services: Callable[..., Services]
) -> None:
    replicated = isinstance(topology, Replicated)
    services = make_services(CHALLENGE_WAIT_REPLICAS="1" if replicated else "0")
    player = Api(create_app(services).test_client(use_cookies=False)).signed("Mia")
    assert play(player, turns=12)["finished"] is False
    view = player.get(game()).json
    rolled = player.post(game(tail="roll"), {"ply": view["ply"], "hold": []})
    ended = player.post(
        game(tail="score"), {"ply": rolled.json["ply"], "box": legal(rolled.json)[0]}
    )
    assert (ended.status_code, ended.json["finished"]) == (200, True)
    assert HEADER not in ended.headers
    assert player.get(board(tail="leaderboard")).json["entries"][0]["score"] == ended.json["total"]


def test_a_board_of_many_shards_is_read_in_order(
    topology: Topology, make_services: Callable[..., Services]
) -> None:
    app = create_app(make_services(CHALLENGE_BOARD_SHARDS="4"))
    api = Api(app.test_client(use_cookies=False))
    totals = [play(api.signed(), ruleset="generala", pick=i)["total"] for i in range(5)]
    entries = api.get(board(ruleset="generala", tail="leaderboard")).json["entries"]
    assert [each["score"] for each in entries] == sorted(totals, reverse=True)


def test_doctor_finds_every_server(
    topology: Topology, settings_of: Callable[..., Settings]
) -> None:
    found = [each for each in findings(settings_of(topology.url), NOON) if each.check == "store"]
    assert {each.level for each in found} == {"ok"}
    assert len(found) == len(topology.masters())


def test_who_is_vouched_for_by_another_is_refused_and_doctor_says_so(
    topology: Topology, settings_of: Callable[..., Settings], tmp_path: Path
) -> None:
    stranger, _ = authority(tmp_path, "stranger")
    url = topology.url.partition("?")[0]
    for query in ("", f"?ssl_ca_certs={stranger}"):
        with pytest.raises(RedisError):
            Link(url + query).redis.ping()
        assert "certificate" in wrong(settings_of(url + query))


def test_plain_words_to_a_server_that_speaks_tls_are_named(
    topology: Topology, settings_of: Callable[..., Settings]
) -> None:
    plain = topology.url.partition("?")[0].replace("rediss", "redis", 1)
    assert "rediss" in wrong(settings_of(plain))


def test_an_authority_that_cannot_be_read_is_named(
    topology: Topology, settings_of: Callable[..., Settings], tmp_path: Path
) -> None:
    url = topology.url.partition("?")[0]
    for place in (tmp_path / "none.pem", tmp_path):
        assert f"ssl_ca_certs={place}, but" in wrong(settings_of(f"{url}?ssl_ca_certs={place}"))
