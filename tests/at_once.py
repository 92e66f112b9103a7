"""Threads that do a thing at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def at_once(count: int, act: Callable[[int], T]) -> list[T]:
    """What ``act(0)`` to ``act(count - 1)`` give, all begun together."""
    line = threading.Barrier(count)

    def one(i: int) -> T:
        line.wait()
        return act(i)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))
