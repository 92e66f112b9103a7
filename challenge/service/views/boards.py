"""Boards: their state, their commitment, who stands on them."""

from __future__ import annotations

from datetime import datetime

from challenge.service.views.base import State, View


class ChallengeView(View):
    """One board: its state, its instants, its commitment and how many play it."""

    date: str
    number: int
    ruleset: str
    state: State
    opens_at: datetime
    rolls_over_at: datetime
    closes_at: datetime
    commitment: str
    seed: str | None
    started: int
    finished: int


class CommitmentView(View):
    """What is public in advance about one board's dice."""

    date: str
    ruleset: str
    commitment: str


class EntryView(View):
    """One row of a leaderboard."""

    rank: int
    player: str
    name: str
    score: int
    me: bool


class OwnView(View):
    """The caller's own place on a leaderboard."""

    rank: int
    score: int
    beaten: int
    tied: int


class LeaderboardView(View):
    """A page of a board: ``players`` have finished it, ``entries`` start at ``offset``."""

    players: int
    offset: int
    limit: int
    entries: list[EntryView]
    me: OwnView | None


class BinView(View):
    """How many players reached a score."""

    score: int
    count: int


class DistributionView(View):
    """The histogram of a board, ascending by score, with its mean and median."""

    players: int
    mean: float | None
    median: float | None
    bins: list[BinView]
