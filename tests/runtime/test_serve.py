"""``challenge serve`` starts, refuses and stops."""

from __future__ import annotations

import json
import signal
import socket
import urllib.request
from pathlib import Path

import pytest

from tests.marks import long
from tests.runtime.processes import Serve, all_gone, refused, serving, until
from tests.store import topologies


def get(serve: Serve, path: str) -> int:
    """The status of a page."""
    with urllib.request.urlopen(f"http://127.0.0.1:{serve.port}{path}", timeout=30) as answer:
        return answer.status


def test_the_first_request_after_ready_is_answered(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as serve:
        assert get(serve, "/readyz") == 200


@pytest.mark.parametrize("signum", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_stop_signal_stops_all_of_it_with_exit_code_0(tmp_path: Path, signum: int) -> None:
    with serving(tmp_path) as serve:
        # supervisor, store, worker, gunicorn and its two workers
        until(lambda: len(serve.family()) == 6)
        family = serve.family()
        serve.process.send_signal(signum)
        code, output = serve.wait_until_ended()
    assert code == 0
    assert len(output.splitlines()) == 1, output
    until(lambda: all_gone(family))


def test_it_can_be_stopped_before_it_is_ready(tmp_path: Path) -> None:
    with Serve(tmp_path) as serve:
        until(lambda: (tmp_path / "serve.lock").exists() and len(serve.family()) > 1)
        family = serve.family()
        code, output = serve.terminate()
    assert (code, "Traceback" in output) == (0, False)
    until(lambda: all_gone(family))


def test_a_start_after_a_stop_finds_secrets_and_data_again(tmp_path: Path) -> None:
    with serving(tmp_path):
        secret = (tmp_path / "stream.secret").read_bytes()
    with serving(tmp_path):
        assert (tmp_path / "stream.secret").read_bytes() == secret
        assert list((tmp_path / "store" / "appendonlydir").iterdir())


def test_a_second_serve_on_the_same_directory_refuses_and_names_the_first(tmp_path: Path) -> None:
    with serving(tmp_path) as first:
        line = refused(tmp_path)
        assert str(first.process.pid) in line
        assert first.url in line
        assert get(first, "/readyz") == 200


def test_an_occupied_port_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert f"port {port}" in refused(tmp_path, "--port", str(port))


def test_a_host_that_is_none_is_refused(tmp_path: Path) -> None:
    assert "--host" in refused(tmp_path, "--port", "0", "--host", "no such host")


def test_a_wrong_setting_is_refused_by_name(tmp_path: Path) -> None:
    assert "CHALLENGE_TIMEZONE" in refused(tmp_path, CHALLENGE_TIMEZONE="Mars/Olympus")


def test_an_unwritable_data_directory_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a directory")
    assert str(tmp_path / "file") in refused(tmp_path / "file")


@pytest.mark.parametrize(("kind", "version"), [("valkey", "99.0.0"), ("redis", "7.0.0")])
def test_a_directory_written_by_an_incompatible_server_is_refused(
    tmp_path: Path, kind: str, version: str
) -> None:
    note = json.dumps({"kind": kind, "version": version})
    (tmp_path / "server.json").write_text(note)
    assert f"{kind} {version}" in refused(tmp_path, PATH="/nowhere")
    assert (tmp_path / "server.json").read_text() == note


def test_a_note_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "server.json").write_text("{")
    assert "server.json" in refused(tmp_path)


def test_an_emptied_secret_is_refused(tmp_path: Path) -> None:
    (tmp_path / "stream.secret").touch()
    assert "stream.secret" in refused(tmp_path)


@pytest.mark.parametrize(
    ("name", "setting"),
    [("stream.secret", "CHALLENGE_STREAM_SECRET"), long("signing.keys", "CHALLENGE_SECRET_KEYS")],
)
def test_a_secret_lost_from_beside_its_store_is_never_made_anew(
    tmp_path: Path, name: str, setting: str
) -> None:
    with serving(tmp_path):
        kept = (tmp_path / name).read_bytes()
    (tmp_path / name).unlink()
    line = refused(tmp_path)
    assert name in line
    assert setting in line
    assert not (tmp_path / name).exists()
    with serving(tmp_path, **{setting: kept.decode().strip()}):
        assert not (tmp_path / name).exists()


def test_a_wrong_option_in_the_redis_url_is_refused(tmp_path: Path) -> None:
    secrets = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
    url = "redis://127.0.0.1/0?no_such_option=1"
    assert "CHALLENGE_REDIS_URL" in refused(tmp_path, CHALLENGE_REDIS_URL=url, **secrets)


def test_a_broken_append_only_file_is_refused_with_the_last_word_of_the_store(
    tmp_path: Path,
) -> None:
    with serving(tmp_path):
        pass
    folder = tmp_path / "store" / "appendonlydir"
    next(folder.glob("*.manifest")).write_text("nonsense\n")
    assert "embedded store does not start" in refused(tmp_path)


def test_an_unreachable_redis_is_refused(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        port = unused.getsockname()[1]
    secrets = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
    url = f"redis://:hidden@127.0.0.1:{port}"
    line = refused(tmp_path, CHALLENGE_REDIS_URL=url, **secrets)
    assert str(port) in line
    assert "hidden" not in line


def test_a_redis_without_secrets_is_refused_and_says_how_to_make_them(tmp_path: Path) -> None:
    line = refused(tmp_path, CHALLENGE_REDIS_URL="redis://127.0.0.1:1")
    assert "CHALLENGE_STREAM_SECRET" in line
    assert "token_urlsafe" in line


def test_it_serves_over_a_redis_of_ones_own(tmp_path: Path, valkey_url: str) -> None:
    secrets = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
    with serving(tmp_path / "none", CHALLENGE_REDIS_URL=valkey_url, **secrets) as serve:
        assert get(serve, "/readyz") == 200
    assert not (tmp_path / "none").exists()


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sentinel", "cluster"])
def test_it_serves_over_several_redises(tmp_path: Path, kind: str) -> None:
    servers = topologies.running(kind)
    secrets = {"CHALLENGE_STREAM_SECRET": "s" * 40, "CHALLENGE_SECRET_KEYS": "k" * 40}
    with serving(tmp_path / "none", CHALLENGE_REDIS_URL=servers.url, **secrets) as serve:
        assert get(serve, "/readyz") == 200


def test_a_directory_with_spaces_and_a_long_name_serves(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["a folder with spaces and signs äöü"] * 5)
    with serving(deep) as serve:
        assert get(serve, "/readyz") == 200
        assert not (deep / "redis.sock").exists()


def test_unknown_other_files_do_no_harm(tmp_path: Path) -> None:
    for name in ("notes.txt", ".DS_Store", "dump.rdb", "redis.sock", "server.json.bak"):
        (tmp_path / name).write_text("not ours")
    (tmp_path / "store").mkdir()
    (tmp_path / "store" / "dump.rdb").write_text("not ours")
    with serving(tmp_path) as serve:
        assert get(serve, "/readyz") == 200
