"""The one way functions are compiled here.

Machine code is kept on disk and contains the code of the functions called, but numba looks
only at the file of the caller to see whether it is still right. So it is kept under a name
made of all files of this package: another release never runs what an older one compiled.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import njit

F = TypeVar("F", bound=Callable[..., object])

_HERE = Path(__file__).parent


def _sources() -> str:
    """Hex SHA-256 of every module of the package."""
    digest = hashlib.sha256()
    for file in sorted(_HERE.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


_config: Any = numba.config
if not _config.CACHE_DIR:  # NUMBA_CACHE_DIR is someone's own choice
    _config.CACHE_DIR = str(_HERE / "__pycache__" / _sources()[:16])


def compiled(function: F) -> F:
    """The function as machine code: kept on disk, without the interpreter's lock.

    No fast-math: the order of operations is the one written, so that values are the same to
    the bit wherever the processor follows IEEE 754.
    """
    return cast(F, njit(cache=True, nogil=True)(function))


@compiled
def wide(number: int) -> int:
    """The number in 64 bits.

    A function is compiled anew for each combination of argument types; numbers that are
    passed on are made wide, so that once is enough.
    """
    return int(np.int64(number))
