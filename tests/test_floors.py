"""The floors: imports point downwards only, and every room is named."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "challenge"
NAMED = re.compile(r"^- `([^`]+)`: \S.*$", re.M)


def _rooms():
    """Folders with Python, Lua or text files of their own, and the modules of the top floor."""
    folders = {
        f"{folder.relative_to(PACKAGE).as_posix()}/"
        for folder in PACKAGE.rglob("*")
        if folder.is_dir() and any(file.is_file() for file in folder.iterdir())
        if "__pycache__" not in folder.parts and "LC_MESSAGES" not in folder.parts
    }
    modules = {file.name for file in PACKAGE.glob("*.py") if file.name != "__init__.py"}
    return folders | modules


def test_imports_point_downwards_only_and_the_lowest_floors_do_no_io():
    lint = Path(sys.executable).with_name("lint-imports")
    if not lint.exists():
        pytest.skip("lint-imports is not installed; the extra `dev` brings it")
    done = subprocess.run(
        [lint, "--no-cache"], capture_output=True, text=True, check=False, cwd=PACKAGE.parent
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_readme_of_the_package_names_each_room_in_one_line_and_no_other():
    named = NAMED.findall((PACKAGE / "README.md").read_text("utf-8"))
    assert len(named) == len(set(named))
    assert set(named) == _rooms()


def test_no_module_has_grown_past_three_hundred_lines():
    long = {
        file.relative_to(PACKAGE).as_posix(): lines
        for file in PACKAGE.rglob("*.py")
        if (lines := len(file.read_text("utf-8").splitlines())) > 300
        if file.name != "rulesets.py"  # data, one block a sheet
    }
    assert long == {}
