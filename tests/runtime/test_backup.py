"""``challenge backup`` beside a real ``serve`` that is being played on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from challenge.errors import DataDirError
from challenge.store import backup as backups
from challenge.store.datadir import DataDir, try_lock
from challenge.store.embedded import EmbeddedStore
from tests.runtime.player import Player
from tests.runtime.processes import serving, until


def backup(data_dir: Path, target: Path, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "challenge", "backup", str(target)],
        env={**os.environ, "CHALLENGE_DATA_DIR": str(data_dir), **environ},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_copy_made_under_play_has_all_that_was_acknowledged_before(tmp_path: Path) -> None:
    target, restored = tmp_path / "backup", tmp_path / "restored"
    with serving(tmp_path / "data") as serve:
        player, other = Player(serve.port), Player(serve.port)
        for _ in range(8):
            player.play()
        stop = threading.Event()
        busy = threading.Thread(target=_play_on, args=(other, stop))
        busy.start()
        done = backup(tmp_path / "data", target)
        stop.set()
        busy.join()
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{target} has" in done.stdout
    assert target.stat().st_mode & 0o777 == 0o700
    files = [path for path in target.rglob("*") if path.is_file()]
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert not list(tmp_path.glob("*.partial"))
    assert not (tmp_path / "data" / "backup.links").exists()
    shutil.copytree(target, restored)
    with serving(restored) as serve:
        player.port = serve.port
        player.look()
        assert player.game["ply"] == 8
        player.play()
    refused = backup(tmp_path / "data", target)
    assert refused.returncode == 1
    assert "is there already" in refused.stderr


def _play_on(player: Player, stop: threading.Event) -> None:
    while not stop.is_set() and not player.finished:
        player.play()


@pytest.fixture
def data_dir(tmp_path: Path) -> DataDir:
    """A data directory whose store has run."""
    found = DataDir(tmp_path / "data")
    found.stream_secret()
    found.signing_keys()
    store = EmbeddedStore(found)
    store.start()
    store.stop()
    return found


def test_one_that_is_killed_leaves_nothing_that_looks_finished(
    data_dir: DataDir, tmp_path: Path
) -> None:
    target = tmp_path / "backup"
    (incremental,) = (data_dir.store / backups.FOLDER).glob("*.incr.aof")
    with incremental.open("r+b") as part:
        part.truncate(1 << 33)  # a hole; it takes a while to copy
    process = subprocess.Popen(
        [sys.executable, "-m", "challenge", "backup", str(target)],
        env={**os.environ, "CHALLENGE_DATA_DIR": str(data_dir.path)},
    )
    until(lambda: list(tmp_path.glob(".backup-*.partial/store/*/*.incr.aof")))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert not target.exists()
    for left in tmp_path.glob(".backup-*.partial"):
        shutil.rmtree(left)
    with incremental.open("r+b") as part:
        part.truncate(0)
    assert backup(data_dir.path, target).returncode == 0
    assert (target / "stream.secret").read_bytes() == (data_dir.path / "stream.secret").read_bytes()


def test_nothing_is_left_in_the_data_directory_that_could_keep_its_own_user_out(
    data_dir: DataDir, tmp_path: Path
) -> None:
    before = sorted(data_dir.path.rglob("*"))
    backups.backup(data_dir, tmp_path / "backup")
    assert sorted(data_dir.path.rglob("*")) == before


def test_two_at_the_same_time_do_not_get_into_each_others_way(
    data_dir: DataDir, tmp_path: Path
) -> None:
    lock = try_lock(data_dir.path)
    assert lock is not None
    with pytest.raises(DataDirError, match="Another backup"):
        backups.backup(data_dir, tmp_path / "backup")
    os.close(lock)
    backups.backup(data_dir, tmp_path / "backup")


def test_a_rewrite_between_two_looks_is_noticed(
    data_dir: DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = data_dir.store / backups.FOLDER / backups.MANIFEST
    hold, moved = backups._hold, []

    def rewritten(part: Path, link: Path) -> None:
        if not moved:
            moved.append(part)
            text = manifest.read_text()
            part.rename(part.with_name("appendonly.aof.9.incr.aof"))
            manifest.write_text(text.replace(part.name, "appendonly.aof.9.incr.aof"))
        hold(part, link)

    monkeypatch.setattr(backups, "_hold", rewritten)
    copied = backups.backup(data_dir, tmp_path / "backup")
    assert "appendonly.aof.9.incr.aof" in copied
    assert moved[0].name not in copied


def test_where_there_are_no_links_the_parts_are_copied(
    data_dir: DataDir, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "link", refuse)
    backups.backup(data_dir, tmp_path / "backup")
    store = EmbeddedStore(DataDir(tmp_path / "backup"))
    store.start()
    store.stop()


def test_a_place_that_will_not_do_is_refused(data_dir: DataDir, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for target, why in (
        (tmp_path / "file", "is there already"),
        (data_dir.path / "backup", "lie in one another"),
        (tmp_path, "lie in one another"),
        (tmp_path / "no" / "backup", "There is no directory"),
    ):
        with pytest.raises(DataDirError, match=why):
            backups.backup(data_dir, target)
    with pytest.raises(DataDirError, match="no store yet"):
        backups.backup(DataDir(tmp_path / "nothing"), tmp_path / "backup")
    (tmp_path / "empty").mkdir()
    backups.backup(data_dir, tmp_path / "empty")


def test_another_redis_is_backed_up_by_its_own_means(tmp_path: Path) -> None:
    done = backup(tmp_path, tmp_path / "backup", CHALLENGE_REDIS_URL="redis://127.0.0.1:1")
    assert done.returncode == 2
    assert "challenge export" in done.stderr


def test_secrets_of_the_environment_are_said_to_be_missing(
    data_dir: DataDir, tmp_path: Path
) -> None:
    done = backup(data_dir.path, tmp_path / "backup", CHALLENGE_STREAM_SECRET="x" * 40)
    assert done.returncode == 0
    assert "Not in it: CHALLENGE_STREAM_SECRET" in done.stderr
