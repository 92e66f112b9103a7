"""Files that are there whole or not at all. No numpy."""

from __future__ import annotations

import tempfile
from contextlib import suppress
from pathlib import Path

from challenge.game.ruleset import Ruleset


def table_path(folder: Path, ruleset: Ruleset) -> Path:
    """Where the table of a sheet stands in a folder of tables."""
    return folder / f"{ruleset.id}.table"


def write_whole(path: Path, *parts: bytes | memoryview) -> None:
    """Write the parts one after another into a file beside ``path``, then move it there.

    Raises:
        OSError: it cannot be written; what stood at ``path`` still does.
    """
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as new:
        aside = Path(new.name)
        try:
            for part in parts:
                new.write(part)
            new.close()
            aside.chmod(0o644)
            aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink()
            raise
