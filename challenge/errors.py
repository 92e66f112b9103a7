"""Every error Samedice raises on purpose: one root, subclasses that carry the facts.

The HTTP shape of each stands in ``challenge.web.problems``, the words for the
command line come from ``str(error)``.
"""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from typing import Any, ClassVar


class SamediceError(Exception):
    """Root of all expected errors; ``str()`` is one clear English line."""


class BadInput(SamediceError):
    """A value from outside has the wrong shape or lies out of range."""


class IllegalAction(SamediceError):
    """The rules forbid this action now; ``reason`` is the code of API.md."""

    REASONS: ClassVar[dict[str, str]] = {
        "first_roll_takes_all_dice": "The first roll of a turn throws all dice; hold none.",
        "nothing_to_roll": "Every die is held; release at least one or choose a box.",
        "no_rolls_left": "No rolls are left in this turn; choose a box.",
        "roll_first": "Roll before you score.",
        "box_filled": "This box is already filled.",
        "box_barred": "The placement rule of this sheet bars this box for these dice.",
        "game_finished": "This game is finished.",
    }

    def __init__(self, reason: str) -> None:
        super().__init__(self.REASONS[reason])
        self.reason = reason


class BadLog(SamediceError):
    """A log that no game of this sheet and stream could have produced."""

    def __init__(self, why: str, ply: int) -> None:
        super().__init__(f"The log is not a game of this sheet: {why} at ply {ply}.")
        self.ply = ply


class UnknownRuleset(SamediceError):
    """No sheet has this id."""

    def __init__(self, ruleset: str) -> None:
        super().__init__(f"There is no sheet {ruleset!r}; GET /api/v1/rulesets lists them all.")
        self.ruleset = ruleset


class NotFound(SamediceError):
    """What was asked for does not exist (or is none of the caller's business)."""


class NotOpenYet(SamediceError):
    """The date lies ahead: its dice are fixed, but not dealt before ``opens_at``."""

    def __init__(self, day: date, opens_at: datetime) -> None:
        super().__init__(f"The dice of {day} are dealt from {opens_at:%Y-%m-%dT%H:%M:%SZ} on.")
        self.day = day
        self.opens_at = opens_at


class Gone(SamediceError):
    """The games of a board are no longer kept; its scores are."""

    def __init__(self, day: date, ruleset: str) -> None:
        super().__init__(
            f"The games of {day}/{ruleset} are no longer kept; leaderboard, distribution and "
            "every player's own score are."
        )
        self.day = day
        self.ruleset = ruleset


class Closing(SamediceError):
    """After the rollover a game begun may be finished, but none may start."""

    def __init__(self, day: date, closes_at: datetime) -> None:
        super().__init__(
            f"The day {day} is over: no game can start while its board closes. From "
            f"{closes_at:%Y-%m-%dT%H:%M:%SZ} on it can be played as archive."
        )
        self.day = day
        self.closes_at = closes_at


class PlyConflict(SamediceError):
    """Another action stands at this ply, or none before it; ``game`` is the game as it is."""

    def __init__(self, game: Any) -> None:
        super().__init__("The game has moved on: look at `game` and decide again.")
        self.game = game


class NotFinished(SamediceError):
    """The result is asked for before the last box is filled."""

    def __init__(self) -> None:
        super().__init__("This game is not finished yet.")


class Spoiler(SamediceError):
    """Another player's entries stay hidden until the caller has finished that board."""

    def __init__(self) -> None:
        super().__init__("Finish this board first, or wait until it is closed.")


class NotSigned(SamediceError):
    """The call needs a player and has none, or one whose signature does not hold."""


class NotOwner(SamediceError):
    """Only the owner of a group may do this, and the caller is a member like others."""


class Full(SamediceError):
    """A group, or a player's list of groups, takes no more; nothing was changed."""


class TooManyRequests(SamediceError):
    """A limit of the caller's address or player is used up; ``retry_after`` is in seconds.

    ``limit`` names it: guesses, identities, joins, moves or pages.
    """

    def __init__(self, why: str, retry_after: int, limit: str) -> None:
        super().__init__(why)
        self.retry_after = retry_after
        self.limit = limit


class CrossSite(SamediceError):
    """A mutating call that a page of another site may have caused."""


class WrongHost(SamediceError):
    """A form sent to another host than the public one; ``right`` is the address to use."""

    def __init__(self, right: str) -> None:
        super().__init__(f"This service is reached at {right}; send it there.")
        self.right = right


class WrongType(SamediceError):
    """A body that is not JSON by its content type."""


class BoardRefused(SamediceError):
    """A board was opened under another secret or sheet; it is never re-dealt."""

    def __init__(self, day: date, ruleset: str, why: str) -> None:
        super().__init__(f"The board {day}/{ruleset} is refused: {why}")
        self.day = day
        self.ruleset = ruleset
        self.why = why


class StoreUnavailable(SamediceError):
    """Redis does not answer; nothing was lost, the call may be repeated.

    ``cause`` is one word: a class of errors, or the code that Redis gave.
    """

    def __init__(self, cause: str) -> None:
        super().__init__(f"The store does not answer: {cause}")
        self.cause = cause


class SettingError(SamediceError):
    """A setting is missing or wrong; the message names it and what would be right."""


class DataDirError(SamediceError):
    """The data directory cannot be used as it is."""


class NotSolvable(SamediceError):
    """A sheet whose states do not fit an exact table; ``why`` says what makes them so many."""

    def __init__(self, ruleset: str, why: str) -> None:
        super().__init__(f"The sheet {ruleset} cannot be solved exactly: {why}.")
        self.ruleset = ruleset
        self.why = why


class NotSolved(SamediceError):
    """Exact play of a sheet cannot be looked up here; ``missing`` is the code of what it takes."""

    MISSING: ClassVar[dict[str, str]] = {
        "packages": "Exact play is not installed here; pip install 'samedice[solver]' does it.",
        "table": "The sheet {} is not solved here yet; `challenge solve {}` does it.",
        "board": "The dice of this board of {} have not been worked through yet.",
        "method": "The sheet {} has too many states to be solved exactly.",
    }

    def __init__(self, ruleset: str, missing: str) -> None:
        super().__init__(self.MISSING[missing].format(ruleset, ruleset))
        self.ruleset = ruleset
        self.missing = missing


class BadTable(SamediceError):
    """A file of solved values that is missing, damaged, or of another sheet or version."""

    def __init__(self, path: Path, why: str) -> None:
        super().__init__(f"{path} is no usable table: {why}.")
        self.path = path
        self.why = why


class NoSolver(SamediceError):
    """The optional packages of exact play are not installed."""

    def __init__(self) -> None:
        super().__init__(
            "Exact play needs numpy and numba; install them with: pip install 'samedice[solver]'"
        )
