"""The commitments of a year as one short digest, so that any copy of a page binds them all.

The canonical text has one line a board, ``DATE RULESET COMMITMENT`` with single spaces
and ``\\n`` at the end, in ASCII, sorted as bytes; its SHA-256 is the digest. The order of
the settings does not matter, and a line more or less changes the digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

DAYS = 366
"""Days a digest covers, its first day included."""


def canonical(rows: Iterable[tuple[str, str, str]]) -> str:
    """The text of (date, ruleset, commitment) rows.

    >>> canonical([("2026-12-01", "yacht", "b2"), ("2026-11-30", "yacht", "a1")])
    '2026-11-30 yacht a1\\n2026-12-01 yacht b2\\n'
    """
    return "".join(sorted(f"{date} {ruleset} {hex}\n" for date, ruleset, hex in rows))


def digest(text: str) -> str:
    """Hex SHA-256 of a canonical text."""
    return hashlib.sha256(text.encode("ascii")).hexdigest()
