"""Codes to read aloud and to write down: 32 signs that do not look or sound alike.

What comes in is forgiven its case, its spaces and dashes, and the letters that look like
digits: ``K3FM 9PQR`` is ``k3fm-9pqr``, an ``o`` is a zero, an ``i`` or ``l`` a one.
"""

from __future__ import annotations

import unicodedata

from challenge.daily.names import ALPHABET

TRANSFER_SIGNS = 8  # 5 bits a sign: 40 bits that last ten minutes
RECOVERY_SIGNS = 20  # 100 bits that last until renewed
GROUP = 4
LONGEST = 80  # characters of an input that are looked at
_ALIKE = str.maketrans("oil", "011")


def shown(code: str) -> str:
    """A code in groups of four: ``k3fm-9pqr``."""
    return "-".join(code[i : i + GROUP] for i in range(0, len(code), GROUP))


def read(text: str) -> str | None:
    """The code of an input; None where it can be none."""
    if len(text) > LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", text).casefold().translate(_ALIKE)
    code = "".join(sign for sign in plain if unicodedata.category(sign) not in ("Pd", "Zs", "Cc"))
    fits = len(code) in (TRANSFER_SIGNS, RECOVERY_SIGNS) and set(code) <= set(ALPHABET)
    return code if fits else None
