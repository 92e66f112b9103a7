"""Orphans that end as children of ``serve`` are taken leave of; its own are left to it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

# As the first process of a container: an orphan becomes a child of this very process.
SCRIPT = """
import ctypes, os, subprocess, sys
from challenge.cli.children import reap_strays

ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
parent = subprocess.Popen(["sh", "-c", "sleep 100 & echo $!"], stdout=subprocess.PIPE)
orphan = int(parent.stdout.readline())
parent.wait()
own = subprocess.Popen(["sh", "-c", "exit 7"])
os.waitid(os.P_PID, own.pid, os.WEXITED | os.WNOWAIT)
reap_strays({own.pid, None})
assert own.wait() == 7, "what is waited for elsewhere was taken"
os.kill(orphan, 9)
os.waitid(os.P_PID, orphan, os.WEXITED | os.WNOWAIT)
reap_strays({own.pid, None})
try:
    os.waitid(os.P_PID, orphan, os.WEXITED | os.WNOHANG | os.WNOWAIT)
except ChildProcessError:
    print("gone")
reap_strays(set())  # with no child at all
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux hands orphans to a process")
def test_an_orphan_is_reaped_and_a_child_of_its_own_is_not() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=False, env=os.environ
    )
    assert (done.returncode, done.stdout) == (0, "gone\n"), done.stderr
