"""The command line under test: no setting but those a test gives, an empty data directory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from challenge.cli import main
from challenge.config import DECLARED
from tests.cli.golden import SECRET

Run = Callable[..., Result]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Takes every setting away; the data directory named is not there yet."""
    for setting in DECLARED:
        monkeypatch.delenv(setting.name, raising=False)
    data_dir = tmp_path / "data"
    monkeypatch.setenv("CHALLENGE_DATA_DIR", str(data_dir))
    return data_dir


@pytest.fixture
def run() -> Run:
    """Runs ``challenge ARGS``; keywords are settings."""

    def call(*args: str, **environ: str) -> Result:
        return CliRunner().invoke(main, args, env=environ, prog_name="challenge")

    return call


@pytest.fixture
def operator(monkeypatch: pytest.MonkeyPatch) -> None:
    """The secret of the golden data is set."""
    monkeypatch.setenv("CHALLENGE_STREAM_SECRET", SECRET)


def facts(result: Result) -> dict:
    """What a command printed as JSON."""
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def refused(result: Result, code: int) -> str:
    """The one line on stderr a command failed with."""
    assert result.exit_code == code, (result.stdout, result.stderr)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("challenge: ")
    return line
