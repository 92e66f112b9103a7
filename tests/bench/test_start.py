"""How long ``challenge serve`` takes to its first answer, and what it weighs when idle.

``pytest -m bench -s tests/bench/test_start.py``; Linux only.
"""

from __future__ import annotations

import re
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.runtime.processes import serving, until

pytestmark = pytest.mark.bench

MOST_SECONDS = 3.0
MOST_MEGABYTES = 200.0


def memory(pid: int, kind: str) -> float:
    """MB of one process: ``Rss`` counts shared pages in full, ``Pss`` by the share."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    found = re.search(rf"^{kind}:\s+(\d+) kB", text, re.MULTILINE)
    assert found is not None
    return int(found[1]) / 1024


def test_the_first_request_is_answered_soon_after_the_start(tmp_path: Path) -> None:
    start = time.monotonic()
    with serving(tmp_path) as serve:
        urllib.request.urlopen(f"http://127.0.0.1:{serve.port}/", timeout=10).close()
        seconds = time.monotonic() - start
    sys.stdout.write(f"\nfirst answer after {seconds:.2f} s\n")
    assert seconds <= MOST_SECONDS


def test_the_idle_process_tree_is_small(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        until(lambda: len(serve.family()) == 6)
        for _ in range(40):
            urllib.request.urlopen(f"http://127.0.0.1:{serve.port}/", timeout=10).close()
        family = serve.family()
        shared = sum(memory(pid, "Pss") for pid in family)
        counted_twice = sum(memory(pid, "Rss") for pid in family)
    sys.stdout.write(f"\nidle: {shared:.0f} MB (sum of Rss: {counted_twice:.0f} MB)\n")
    assert shared <= MOST_MEGABYTES
