"""Players as others see them."""

from __future__ import annotations

from datetime import datetime

from challenge.service.views.base import Mode, View
from challenge.service.views.boards import BinView
from challenge.service.views.fairplay import EvidenceView
from challenge.service.views.reviews import SkillView


class PlayerView(View):
    """A player as others see them; ``name`` carries the tag."""

    id: str
    name: str


class StreakView(View):
    """Consecutive service days with a game finished in its day, over all sheets.

    ``current`` is alive until today ends; ``best`` is the longest there has been.
    """

    current: int
    best: int


class LastView(View):
    """One finished game of a record."""

    date: str
    number: int
    ruleset: str
    score: int


class SheetStatsView(View):
    """The figures of one sheet on which the player has finished games."""

    ruleset: str
    played: int
    best: int
    mean: float | None
    median: float | None


class StatsView(View):
    """A player's figures over games finished in their day; archive games count nothing.

    ``histogram`` is ascending by score, ``last`` begins with the newest, ``sheets`` are in
    sheet order. Without a game ``best``, ``mean`` and ``median`` are None.
    """

    played: int
    streak: StreakView
    best: int | None
    mean: float | None
    median: float | None
    histogram: list[BinView]
    last: list[LastView]
    sheets: list[SheetStatsView]


class ExportedGameView(View):
    """One game of an export: its log, and what replays it once its board is closed.

    ``fingerprint`` names the edition of the sheet; ``score`` is the total of a finished
    game; ``seed`` is None until the board is closed, ``review`` until it was looked at,
    ``fair_play`` until it was weighed. ``log`` is None where the board keeps no games any more.
    Games of mode ``daily`` that are finished stand on their board and make the streak.
    """

    date: str
    number: int
    ruleset: str
    fingerprint: str
    mode: Mode
    finished: bool
    score: int | None
    log: str | None
    commitment: str
    seed: str | None
    review: SkillView | None
    fair_play: EvidenceView | None


class ExportedGroupView(View):
    """A group in an export; ``joined`` is the service day."""

    id: str
    name: str
    owned: bool
    joined: str


class ExportView(View):
    """All that is held about a player.

    ``player`` is as others see it, ``name`` as it was given, ``name_hidden`` says that the
    operator shows nobody that name, ``reports`` counts who reported it. ``sign_outs``
    counts how often everything was signed out. Codes are kept as hashes only:
    ``recovery_code`` says whether there is one.
    """

    version: int
    exported_at: datetime
    player: PlayerView
    name: str | None
    name_hidden: bool
    reports: int
    recovery_code: bool
    sign_outs: int
    groups: list[ExportedGroupView]
    games: list[ExportedGameView]
