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
BACKUP, MOVE, RETENTION = (
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
