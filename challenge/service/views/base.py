"""What all answers share."""

from __future__ import annotations

from typing import Literal

import msgspec

State = Literal["open", "closing", "closed"]
Mode = Literal["daily", "archive"]


class View(msgspec.Struct):
    """Base of all answers; encodes to JSON by its fields."""
