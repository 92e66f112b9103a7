"""The opening note of a board: what it holds, and how it lies in Redis."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from challenge.daily.calendar import Instants


@dataclass(frozen=True, slots=True)
class Note:
    """What a board noted when it opened; wins over settings from then on.

    ``seed`` is stored when the board closes, ``closed`` set once every shard is marked.
    ``compacted`` says that its games are no longer kept, a one-way mark; ``swept`` that all
    of them are gone.
    """

    stream_version: int
    fingerprint: str
    commitment: str
    shards: int
    instants: Instants
    seed: bytes | None = None
    closed: bool = False
    compacted: bool = False
    swept: bool = False


def fields_of(note: Note) -> list[str | bytes | int]:
    """Field, value, field, value, … of what a board notes when it opens."""
    instants = note.instants
    return [
        *("stream_version", note.stream_version),
        *("fingerprint", note.fingerprint),
        *("commitment", note.commitment),
        *("shards", note.shards),
        *("opens_at", int(instants.opens_at.timestamp())),
        *("rolls_over_at", int(instants.rolls_over_at.timestamp())),
        *("closes_at", int(instants.closes_at.timestamp())),
    ]


def marks_of(note: Note) -> dict[str, str]:
    """What has been noted since the opening: the seed and the one-way marks."""
    marks = {name: "1" for name in ("closed", "compacted", "swept") if getattr(note, name)}
    return marks if note.seed is None else {"seed": note.seed.hex(), **marks}


def note_of(raw: Mapping[bytes, bytes]) -> Note | None:
    """A note as Redis gives it; None for a board that was never opened."""
    if not raw:
        return None
    text = {name.decode(): value.decode() for name, value in raw.items()}
    seed = text.get("seed")
    return Note(
        stream_version=int(text["stream_version"]),
        fingerprint=text["fingerprint"],
        commitment=text["commitment"],
        shards=int(text["shards"]),
        instants=Instants(
            *(
                datetime.fromtimestamp(int(text[name]), UTC)
                for name in ("opens_at", "rolls_over_at", "closes_at")
            )
        ),
        seed=bytes.fromhex(seed) if seed else None,
        closed="closed" in text,
        compacted="compacted" in text,
        swept="swept" in text,
    )
