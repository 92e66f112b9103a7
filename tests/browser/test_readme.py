"""The README's commands as printed, in a fresh copy, with an empty home directory."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser.hands import enter, roll
from tests.paths import COMMANDS, ROOT, free_port
from tests.runtime.processes import READY


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of what git tracks here, as it stands in the working tree."""
    target = tmp_path_factory.mktemp("fresh") / "samedice"
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    for name in tracked.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


@pytest.fixture(scope="module")
def played(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address at which the first command serves, with an empty home directory."""
    home = tmp_path_factory.mktemp("home")
    kept = {name: os.environ[name] for name in os.environ if name.startswith("PIP_")}
    process = subprocess.Popen(
        ["sh", "-c", f"exec {COMMANDS[0].strip()}"],
        cwd=clone,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "PORT": str(free_port()), **kept},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    said = b""
    while READY not in said:
        line = process.stdout.readline()
        assert line, said.decode()
        said += line
    yield said.split(READY)[1].split()[0].decode()
    process.terminate()
    assert process.wait(60) == 0


@pytest.mark.browser
@pytest.mark.timeout(600)
@pytest.mark.parametrize("scripts", [True, False], ids=["with-scripts", "without-scripts"])
def test_the_first_command_serves_a_game_that_is_played_by_clicking(
    chromium: Browser, played: str, scripts: bool
) -> None:
    context = chromium.new_context(java_script_enabled=scripts, locale="en-US")
    page = context.new_page()
    page.goto(f"{played}/")
    for _ in range(13):
        roll(page)
        enter(page)
    assert re.search(r"Samedice #\d+ · Yacht · \d+ points", page.content())
    context.close()
