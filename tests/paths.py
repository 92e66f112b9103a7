"""Where things are in the repository, and what the README says to run."""

from __future__ import annotations

import re
import socket
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text("utf-8")
COMMANDS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


def free_port() -> int:
    """A port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
