"""``challenge export`` and ``challenge import``: files, pipes, kills, and what is refused."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from challenge.service.moving import lines
from challenge.service.settling import settle
from tests.api.dump import dump
from tests.cli.conftest import refused
from tests.conftest import SECRET
from tests.marks import long
from tests.runtime.processes import until
from tests.service.players import begin, play_out
from tests.service.world import TODAY


@pytest.fixture
def setting(valkey_url, valkey):
    """The settings that lead to the test's Valkey."""
    return {"CHALLENGE_REDIS_URL": valkey_url, "CHALLENGE_STREAM_SECRET": SECRET}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "samedice.jsonl"


@pytest.fixture
def played(services):
    """A finished game, in its player's record, a half-played one, a name and a group."""
    mia, ben = services.players.new_id(), services.players.new_id()
    play_out(services, mia, TODAY)
    settle(services.store, services.days.board(TODAY, "yacht", services.clock()), 10)
    begin(services, ben, TODAY)
    services.players.rename(mia, "Mia")
    services.groups.create(ben, "Die Runde", services.clock())
    return mia


@pytest.fixture
def unchanged(played, valkey_url):
    """The test leaves all of Redis as it was."""
    before = dump(valkey_url)
    yield
    assert dump(valkey_url) == before


def named(valkey, count: int) -> None:
    """That many players who have a name and nothing else."""
    pipe = valkey.pipeline(transaction=False)
    for i in range(count):
        pipe.hset(f"sd1:{{p:{i:022d}}}:profile", "name", f"Player {i}")
    pipe.execute()


def kinds(file: Path) -> list[str]:
    found = [json.loads(line)["line"] for line in file.read_bytes().splitlines()]
    return sorted(kind for kind in found if kind != "at")


def test_what_is_exported_is_imported(run, setting, file, played, valkey, valkey_url):
    held = dump(valkey_url)
    assert run("export", str(file), **setting).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert kinds(file) == ["board", "end", "game", "game", "group", "player", "player", "samedice"]
    valkey.flushall()
    done = run("import", str(file), **setting)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "game              2 taken          0 here already" in done.stdout
    assert dump(valkey_url) == held


def test_pipes_take_the_same_lines(setting, played, valkey, valkey_url):
    held = dump(valkey_url)
    made = command("export", **setting).communicate()[0]
    valkey.flushall()
    reader = command("import", "-", **setting)
    reader.communicate(made)
    assert reader.returncode == 0
    assert dump(valkey_url) == held


def test_an_embedded_store_that_does_not_run_is_started_for_it(
    run, setting, file, played, tmp_path, no_settings
):
    run("export", str(file), **setting)
    no_settings.mkdir()
    (no_settings / "stream.secret").write_text(SECRET)
    assert run("import", str(file)).exit_code == 0
    again = tmp_path / "again.jsonl"
    assert run("export", str(again)).exit_code == 0
    assert kinds(again) == kinds(file)


def test_another_secret_is_refused_up_front(run, setting, file, played, unchanged):
    run("export", str(file), **setting)
    other = {**setting, "CHALLENGE_STREAM_SECRET": "another secret"}
    assert "another stream secret" in refused(run("import", str(file), **other), 2)
    assert "another stream secret" in refused(run("export", str(file), **other), 2)


def test_refused_lines_are_named_and_the_others_taken(run, setting, file, played, valkey):
    run("export", str(file), **setting)
    made = file.read_bytes().splitlines(keepends=True)
    place = next(i for i, line in enumerate(made) if b'"score"' in line)
    made[place] = made[place].replace(b'"score":', b'"score":1')
    made.insert(place, b"{}\n" + b"x" * 50 + b"\n")
    file.write_bytes(b"".join(made))
    valkey.flushall()
    done = run("import", str(file), **setting)
    assert done.exit_code == 1
    assert [line.split(":")[0] for line in done.stderr.splitlines()] == [
        f"line {place + n}" for n in (1, 2, 3)
    ]
    assert "Refused: 3." in done.stdout
    assert "group             1 taken" in done.stdout
    valkey.flushall()
    strict = run("import", str(file), "--strict", **setting)
    assert (strict.exit_code, len(strict.stderr.splitlines())) == (1, 1)


def test_a_line_without_an_end_does_not_fill_the_memory(
    run, setting, file, played, valkey, monkeypatch
):
    run("export", str(file), **setting)
    valkey.flushall()
    monkeypatch.setattr(lines, "MOST_BYTES", 4000)
    first, *rest = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(first + b'{"line":"' + b"x" * 9000 + b"\n" + b"".join(rest))
    done = run("import", str(file), **setting)
    assert done.stderr.startswith("line 2: it is no line of an export")
    assert "Refused: 1." in done.stdout


def test_a_file_cut_off_is_said_to_be_so(run, setting, file, played):
    run("export", str(file), **setting)
    file.write_bytes(file.read_bytes()[:-30])
    done = run("import", str(file), **setting)
    assert done.exit_code == 1
    assert "ends early" in done.stdout


@pytest.mark.soak
def test_a_full_disk_is_said_and_the_same_command_goes_on(run, setting, file, valkey, valkey_url):
    named(valkey, 3000)
    held = dump(valkey_url)
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, before[1]))  # as if there were no more
    try:
        said = refused(run("export", str(file), **setting), 2)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert f"Cannot write {file}: File too large. The same command goes on" in said
    assert run("export", str(file), **setting).exit_code == 0
    valkey.flushall()
    assert run("import", str(file), **setting).exit_code == 0
    assert dump(valkey_url) == held


def test_files_that_cannot_be_read_or_written_are_named(run, setting, tmp_path):
    assert "Cannot read" in refused(run("import", str(tmp_path / "none"), **setting), 2)
    assert "Cannot write" in refused(run("export", str(tmp_path / "no" / "file"), **setting), 2)


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("count", [2_000, long(100_000)])
def test_killed_amid_both_go_on_where_they_were(setting, file, played, valkey, valkey_url, count):
    named(valkey, count)
    held = dump(valkey_url)
    writer = command("export", str(file), **setting)
    until(lambda: file.exists() and file.stat().st_size > 40_000)
    os.kill(writer.pid, signal.SIGKILL)
    writer.wait()
    size = file.stat().st_size
    assert b'{"line":"end"' not in file.read_bytes()
    assert command("export", str(file), **setting).wait() == 0
    assert file.stat().st_size > size
    assert kinds(file).count("player") >= count
    valkey.flushall()
    reader = command("import", str(file), **setting)
    until(lambda: valkey.dbsize() > 200)
    os.kill(reader.pid, signal.SIGKILL)
    reader.wait()
    assert valkey.dbsize() < count
    assert command("import", str(file), **setting).wait() == 0
    assert dump(valkey_url) == held


def command(*args: str, **environ: str) -> subprocess.Popen[bytes]:
    """A process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "challenge", *args],
        env={**os.environ, **environ},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
