"""``deploy/run.py`` on machines where something is missing."""

from __future__ import annotations

import functools
import hashlib
import http.server
import importlib.util
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "deploy" / "run.py"
OLD, NEW = b"the wheel of an older pip", b"the wheel of the newest pip"


@pytest.fixture
def script() -> ModuleType:
    """The script as a module."""
    spec = importlib.util.spec_from_file_location("run_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package index in a folder, served on this machine and set as PIP_INDEX_URL."""
    folder = tmp_path / "index"
    (folder / "pip").mkdir(parents=True)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{server.server_port}/")
        yield folder
        server.shutdown()


def offer(folder: Path, name: str, content: bytes, digest: str) -> None:
    """Put a file into the index and a link to it on its page."""
    (folder / name).write_bytes(content)
    page = folder / "pip" / "index.html"
    link = f'<a href="../{name}#sha256={digest}">{name}</a><br/>\n'
    page.write_text((page.read_text() if page.exists() else "") + link)


def sha256(content: bytes) -> str:
    """In hex."""
    return hashlib.sha256(content).hexdigest()


def test_the_newest_pip_of_the_index_is_fetched(
    script: ModuleType, index: Path, tmp_path: Path
) -> None:
    offer(index, "pip-26.10-py3-none-any.whl", NEW, sha256(NEW))
    offer(index, "pip-26.9.1-py3-none-any.whl", OLD, sha256(OLD))
    offer(index, "pip-27.0.tar.gz", b"source", sha256(b"source"))
    wheel = script.fetch_pip(tmp_path)
    assert (wheel.name, wheel.read_bytes()) == ("pip-26.10-py3-none-any.whl", NEW)


def test_a_pip_that_is_not_what_the_index_names_is_refused(
    script: ModuleType, index: Path, tmp_path: Path
) -> None:
    offer(index, "pip-26.10-py3-none-any.whl", NEW, sha256(OLD))
    with pytest.raises(SystemExit, match="SHA-256"):
        script.fetch_pip(tmp_path)


def test_an_index_without_pip_is_named(script: ModuleType, index: Path, tmp_path: Path) -> None:
    (index / "pip" / "index.html").write_text("nothing here")
    with pytest.raises(SystemExit, match="offers no pip"):
        script.fetch_pip(tmp_path)


def test_a_browser_that_does_not_run_is_passed_over(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    works, broken = tmp_path / "chromium", tmp_path / "broken"
    works.write_text("#!/bin/sh\necho Chromium 1\n")
    broken.write_text("#!/bin/sh\nexit 1\n")
    works.chmod(0o755)
    broken.chmod(0o755)
    monkeypatch.setenv("CHROMIUM", str(broken))
    monkeypatch.setenv("SAMEDICE_CHROMIUM", "")
    monkeypatch.setattr(script, "PYTHON", sys.executable)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert script.find_chromium() == str(works)


def test_programs_that_read_the_files_here_are_named_where_they_are_missing(
    script: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "nginx").write_text("#!/bin/sh\n")
    (tmp_path / "nginx").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    script.name_missing_programs()
    said = capsys.readouterr().out
    assert "MISSING: caddy; tests that need it are left out (Debian: caddy)." in said
    assert "nginx" not in said


def test_without_a_command_it_says_what_it_can_do() -> None:
    said = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=False)
    assert said.returncode == 2
    assert "play | test" in said.stdout
