"""The lines of an export: what each kind carries, and how it is written and read.

One JSON object a line, told apart by ``line``. What follows from other lines is not among
them: histograms, ranks and records come out of the games again.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from challenge.errors import BadInput

VERSION = 1
MOST_BYTES = 8 << 20  # of one line

Player = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{22}\Z")]  # $ would let a line end by
Group = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,64}\Z")]
Mark = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}\Z")]
Hex32 = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}\Z")]
BoardName = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}:[a-z0-9-]{1,64}\Z")]
Score = Annotated[int, Meta(ge=0, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=10**12)]
Instant = Annotated[int, Meta(ge=0, le=32_503_680_000)]  # the year 3000: later days must fit
Short = Annotated[str, Meta(max_length=512)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
Log = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]*\Z", max_length=400)]
Seconds = Annotated[float, Meta(ge=0, le=10**12)]


class Line(msgspec.Struct, tag_field="line", omit_defaults=True, forbid_unknown_fields=True):
    """Any line."""


class Header(Line, tag="samedice"):
    """The first line. ``secret`` tells stream secrets apart without giving one away."""

    version: int
    secret: Short


class NoteFields(msgspec.Struct, forbid_unknown_fields=True):
    """What a board noted when it opened."""

    stream_version: Annotated[int, Meta(ge=1, le=1000)]
    fingerprint: Short
    commitment: Hex32
    shards: Annotated[int, Meta(ge=1, le=64)]
    opens_at: Instant
    rolls_over_at: Instant
    closes_at: Instant


class Kept(msgspec.Struct, forbid_unknown_fields=True):
    """What is left of a compacted board: histograms of its shards, and its best scores."""

    histogram: list[dict[Score, Count]]
    best: Annotated[list[tuple[Player, Score]], Meta(max_length=1000)]


class BoardLine(Line, tag="board"):
    """A board. ``started`` counts the daily games begun on each shard; ``live`` says that the
    worker has not closed and settled it; ``kept`` is there once it is compacted.
    """

    board: BoardName
    note: NoteFields
    started: Annotated[list[Count], Meta(max_length=64)]
    seed: Hex32 | None = None
    closed: bool = False
    live: bool = False
    insight: Annotated[dict[Short, Short], Meta(max_length=64)] = {}
    kept: Kept | None = None


class GameLine(Line, tag="game"):
    """A game: its log, and its score where it was finished in its day.

    ``evidence`` is what the choices say, as it lies in Redis, in base64.
    """

    board: BoardName
    player: Player
    log: Log
    score: Score | None = None
    unsettled: bool = False
    evidence: Short = ""
    apart: bool = False


class PlayerLine(Line, tag="player"):
    """A player: what does not follow from the games.

    ``kept`` has the own scores on compacted boards, ``recovery`` the hash of the code written
    down, ``reports`` those of the reporters, ``groups`` the moments of the list of groups.
    """

    player: Player
    name: Name | None = None
    hidden: bool = False
    epoch: Count = 0
    kept: dict[BoardName, Score] = {}
    skill: dict[BoardName, Short] = {}
    recovery: Mark | None = None
    reports: list[Mark] = []
    reported: Count = 0
    groups: dict[Group, Seconds] = {}


class GroupLine(Line, tag="group"):
    """A group: whose it is, which invite holds, who is in since when."""

    group: Group
    name: Name
    owner: Player
    nonce: Short
    created: Count
    members: Annotated[dict[Player, Seconds], Meta(min_length=1, max_length=10_000)]


class GoneLine(Line, tag="gone"):
    """A player was erased; ``late``: while the export was written."""

    mark: Mark
    late: bool = False


class AtLine(Line, tag="at"):
    """How far the export had come: where to go on, on which servers, and where in the file
    the section begins.
    """

    section: Short
    cursor: Short
    servers: Annotated[str, Meta(max_length=10_000)]
    start: Count = 0


class EndLine(Line, tag="end"):
    """The last line: nothing is missing. ``lines`` counts the others by kind."""

    lines: dict[Literal["board", "game", "player", "group", "gone"], Count]


Any = (
    Header | BoardLine | GameLine | PlayerLine | GroupLine | GoneLine | AtLine | EndLine
)  # fmt: skip

_decoder = msgspec.json.Decoder(Any)
_encoder = msgspec.json.Encoder()


def encode(line: Line) -> bytes:
    """A line with its end."""
    return _encoder.encode(line) + b"\n"


def decode(text: bytes) -> Any:
    """The inverse of :func:`encode`.

    Raises:
        BadInput: it is no line of an export.
    """
    try:
        return _decoder.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadInput(f"it is no line of an export: {error}.") from None


def kind_of(line: Line) -> str:
    """What ``line`` says of a line."""
    return str(line.__struct_config__.tag)


def note_fields(fields: Mapping[str, str]) -> NoteFields:
    """The opening note of a board, out of its fields in Redis."""
    return msgspec.convert(fields, NoteFields, strict=False)


def fingerprint(secret: bytes) -> str:
    """Tells stream secrets apart and gives none away."""
    return hmac.digest(secret, b"samedice/export", "sha256").hex()[:32]


def header(secret: bytes) -> Header:
    """The first line of an export."""
    return Header(version=VERSION, secret=fingerprint(secret))


def check_header(text: bytes, secret: bytes) -> None:
    """Nothing where this is the first line of an export of this secret.

    Raises:
        BadInput: it is not, or of another version or secret.
    """
    try:
        found = decode(text)
    except BadInput:
        found = None
    if not isinstance(found, Header):
        raise BadInput("The file is no export of Samedice: its first line is not a header.")
    if found.version != VERSION:
        raise BadInput(
            f"The export has version {found.version}, this Samedice reads version {VERSION}."
        )
    if not hmac.compare_digest(found.secret.encode(), fingerprint(secret).encode()):
        raise BadInput(
            "The export is of a service with another stream secret. Bring that secret along "
            "(CHALLENGE_STREAM_SECRET, or stream.secret in the data directory): dice, codes and "
            "erasures hang on it."
        )
