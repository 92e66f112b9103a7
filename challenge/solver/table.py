"""A solved sheet and the file it is kept in.

The file: 16 bytes ``samedice table\\n\\0``, the length of the head (uint32, little-endian),
the head (JSON), zeros up to a multiple of 64 bytes, then the values (float64, little-endian)
in the order of the states. The head names format version, sheet, its fingerprint, the layout
(a digest of how the states are numbered), their number, and the SHA-256 of the values. A file
is written aside and moved into place, so that no one sees half of it.

Reading needs numpy alone: the values are mapped into memory, pages come in as they are used.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from challenge.errors import BadTable
from challenge.game.ruleset import Ruleset
from challenge.solver.derive import model_of, refuse_unsolvable
from challenge.solver.model import Model
from challenge.solver.outcomes import Floats
from challenge.solver.whole import write_whole

VERSION = 1
MAGIC = b"samedice table\n\0"
ALIGNED = 64
LONGEST_HEAD = 4096
VALUE = np.dtype("<f8")


@dataclass(frozen=True, eq=False)
class Table:
    """A sheet with the value of each of its states, see :func:`challenge.solver.optimal.solve`."""

    model: Model
    values: Floats

    @property
    def mean(self) -> float:
        """The expected total of a game under the best play that cannot see ahead."""
        return float(self.values[0])


def write_table(path: Path, table: Table) -> None:
    """Put a table into its file, whole or not at all.

    Raises:
        OSError: the file cannot be written.
    """
    values = np.ascontiguousarray(table.values, VALUE)
    head = json.dumps(_head(table.model, hashlib.sha256(values.data).hexdigest())).encode()
    write_whole(path, _framed(head), values.data)


def read_table(path: Path, ruleset: Ruleset) -> Table:
    """The table in a file, checked in full and mapped into memory.

    Raises:
        BadTable: no file is there, or it is damaged, of another sheet or of another version.
        NotSolvable: the sheet has no exact table.
    """
    refuse_unsolvable(ruleset)
    try:
        start, head = _read_head(path)
        model = model_of(ruleset)
        _compare(path, head, _head(model, str(head.get("sha256"))))
        values = np.memmap(path, VALUE, "r", offset=start)
    except FileNotFoundError:
        raise BadTable(path, "there is no such file") from None
    except OSError as error:
        raise BadTable(path, error.strerror or str(error)) from None
    except ValueError:  # numpy: not a whole number of values
        raise BadTable(path, "it is not of the right length") from None
    if len(values) != model.states:
        raise BadTable(path, "it is not of the right length")
    if hashlib.sha256(values.data).hexdigest() != head["sha256"]:
        raise BadTable(path, "its checksum does not match")
    return Table(model, values)


def _head(model: Model, checksum: str) -> dict[str, Any]:
    return {
        "version": VERSION,
        "ruleset": model.ruleset.id,
        "fingerprint": model.ruleset.fingerprint,
        "layout": model.layout,
        "states": model.states,
        "sha256": checksum,
    }


def _framed(head: bytes) -> bytes:
    start = MAGIC + len(head).to_bytes(4, "little") + head
    return start + bytes(-len(start) % ALIGNED)


def _read_head(path: Path) -> tuple[int, dict[str, Any]]:
    """Where the values start, and the head."""
    with path.open("rb") as file:
        magic, length = file.read(len(MAGIC)), int.from_bytes(file.read(4), "little")
        head = file.read(min(length, LONGEST_HEAD))
    if magic != MAGIC:
        raise BadTable(path, "it is no table of Samedice")
    try:
        facts = json.loads(head)
    except ValueError:
        facts = None
    if not isinstance(facts, dict) or not isinstance(facts.get("sha256"), str):
        raise BadTable(path, "its head is damaged")
    return len(_framed(head)), facts


def _compare(path: Path, found: dict[str, Any], wanted: dict[str, Any]) -> None:
    words = {
        "version": "it has another version of the format",
        "ruleset": "it is of another sheet",
        "fingerprint": "it was solved for other rules of this sheet",
        "layout": "it numbers the states in another way",
        "states": "its head is damaged",
    }
    for key, why in words.items():
        if found.get(key) != wanted[key]:
            raise BadTable(path, why)
