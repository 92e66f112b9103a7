"""The one way functions are compiled here."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """The function as machine code: kept on disk, without the interpreter's lock.

    No fast-math: the order of operations is the one written, so that values are the same to
    the bit wherever the processor follows IEEE 754.
    """
    return cast(F, njit(cache=True, nogil=True)(function))
