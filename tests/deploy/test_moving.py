"""The commands of "Backup, move, retention" in deploy/README.md, typed beside a real service."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from tests.paths import ROOT
from tests.runtime.player import Player
from tests.runtime.processes import serving

TEXT = (ROOT / "deploy" / "README.md").read_text("utf-8")
SECTION = TEXT.split("\n## Backup, move, retention\n")[1].split("\n## ")[0]
BACKUP, SYSTEMD, MOVE, RETENTION = (
    block.splitlines() for block in re.findall(r"```sh\n(.*?)```", SECTION, re.DOTALL)
)
BIN = Path(sys.executable).parent


def typed(line: str, folder: Path, data_dir: Path) -> str:
    """What a command says, run in ``folder`` with the settings of a data directory."""
    environ = {"CHALLENGE_DATA_DIR": str(data_dir), "PATH": f"{BIN}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["sh", "-ec", line],
        cwd=folder,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stderr}"
    return done.stdout


def test_they_do_what_the_section_says(tmp_path: Path) -> None:
    data, moved = tmp_path / "data", tmp_path / "moved"
    with serving(data) as serve:
        player = Player(serve.port)
        for _ in range(5):
            player.play()
        for line in BACKUP[:-1]:
            typed(line, tmp_path, data)
        typed(MOVE[0], tmp_path, data)
        assert "would be compacted: 0" in typed(RETENTION[0], tmp_path, data)
    moved.mkdir()
    for secret in ("stream.secret", "signing.keys"):
        (moved / secret).write_bytes((data / secret).read_bytes())
    assert "game              1 taken" in typed(MOVE[1], tmp_path, moved)
    assert BACKUP[-1] == "CHALLENGE_DATA_DIR=samedice-restored challenge serve"
    for made in (tmp_path / "samedice-restored", moved):
        with serving(made) as serve:
            player.port = serve.port
            player.look()
            assert player.game["ply"] == 5
    assert (len(BACKUP), len(MOVE), len(RETENTION)) == (3, 2, 1)


def test_under_systemd_a_copy_takes_the_place_of_what_was_there(tmp_path: Path) -> None:
    first, *middle, last = SYSTEMD
    assert (first.split()[1], last.split()[1]) == ("stop", "start")
    copy = Path(re.findall(r"/var/lib/\S+", middle[-1])[0].removeprefix("/var/lib/"))
    (tmp_path / copy).mkdir(parents=True)
    (tmp_path / copy / "stream.secret").write_text("old")
    place = tmp_path / "private" / "samedice"
    place.mkdir()
    (place / "stream.secret").write_text("new")
    for line in middle:
        typed(line.replace("/var/lib", str(tmp_path)), tmp_path, tmp_path)
    assert (place / "stream.secret").read_text() == "old"
    assert (tmp_path / "private" / "samedice-before" / "stream.secret").read_text() == "new"


def test_old_copies_are_deleted_behind_the_link_that_systemd_makes(tmp_path: Path) -> None:
    (line,) = re.findall(r"`(find /var/lib/[^`]*)`", TEXT)
    kept, old = (tmp_path / "private" / name for name in ("2026-11-30T030412", "2026-10-01T030412"))
    for copy in (kept, old):
        (copy / "store").mkdir(parents=True)
    os.utime(old, (0, 0))
    (tmp_path / "samedice-backups").symlink_to("private")
    typed(line.replace("/var/lib", str(tmp_path)), tmp_path, tmp_path)
    assert kept.exists()
    assert not old.exists()
