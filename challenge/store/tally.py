"""What is worth counting, said where it happens; whoever publishes it listens.

The floors below the web know no metrics library. They call :func:`count`, which costs
next to nothing where nobody listens (the worker, the command line). The web floor listens
for its process and makes a counter of each of :data:`EVENTS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

Event = Literal[
    "moves",
    "finished_games",
    "degraded_finishes",
    "redis_errors",
    "redis_retries",
    "limits_hit",
    "limits_unasked",
]

EVENTS: dict[Event, tuple[tuple[str, ...], str]] = {
    "moves": (("kind", "mode"), "Moves made, each once however often it was sent."),
    "finished_games": (("ruleset", "mode"), "Games whose last entry was made."),
    "degraded_finishes": ((), "Finishes answered before enough replicas had them."),
    "redis_errors": (("kind",), "Calls of the store that failed, by the class of the error."),
    "redis_retries": (("kind",), "Commands sent to Redis again, by the class of the error."),
    "limits_hit": (("limit",), "Requests refused by a limit."),
    "limits_unasked": (("limit",), "Times a limit was counted in memory: Redis did not answer."),
}
"""Every event with the names of its labels and what it means. A label takes few values."""

Listener = Callable[[Event, tuple[str, ...]], None]

_listeners: list[Listener] = []


def listen(listener: Listener) -> None:
    """From now on ``listener`` hears every event of this process, alone; it must not raise."""
    _listeners[:] = [listener]


def count(event: Event, *labels: str) -> None:
    """One more of ``event``; the values of its labels in the order of :data:`EVENTS`."""
    for listener in _listeners:
        listener(event, labels)
