"""Player names: RFC 8266 nicknames of 1–24 visible characters, with a short tag.

The tag is derived from the player's id, so that lookalikes differ: ``Mia·k3f``.
"""

from __future__ import annotations

import hashlib
import unicodedata

import precis_i18n

from challenge.daily import lookalikes
from challenge.errors import BadInput

MAX_VISIBLE = 24
MAX_CHARACTERS = 64  # marks included; bounds what a name costs to check
SEPARATOR = "·"
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # no i, l, o, u: readable aloud
_BLANK = "\u2800"  # a letter by its category, and yet nothing to see
_nickname = precis_i18n.get_profile("NicknameCasePreserved")


def tag_of(player: str) -> str:
    """Three characters that belong to a player's id."""
    digest = hashlib.sha256(b"samedice.tag/" + player.encode()).digest()
    return "".join(ALPHABET[byte % 32] for byte in digest[:3])


def display(player: str, name: str | None, nameless: str = "Player") -> str:
    """How a player is shown: ``Mia·k3f``, without a name ``Player·k3f``."""
    return f"{name or nameless}{SEPARATOR}{tag_of(player)}"


def clean(name: str, player: str | None = None) -> str:
    """The name as it is kept; a player's own tag at its end is taken off.

    Raises:
        BadInput: nothing visible, more than 24 visible characters, characters that RFC 8266
            does not allow in a nickname (controls, direction marks and their kin), or
            letters of one script that pass for those of another beside them.
    """
    if len(name) > MAX_CHARACTERS * 2:
        raise BadInput(f"A name has at most {MAX_VISIBLE} characters.")
    own_tag = f"{SEPARATOR}{tag_of(player)}" if player else ""
    try:
        kept: str = _nickname.enforce(name.removesuffix(own_tag))
    except UnicodeError:
        raise BadInput(
            "A name is made of letters, digits, signs and single spaces; this one has "
            "nothing visible or a character that cannot be shown safely."
        ) from None
    _check(kept)
    return kept


def _check(name: str) -> None:
    kinds = [unicodedata.category(c) for c in name]
    if any(kind[0] == "C" for kind in kinds) or _BLANK in name:
        raise BadInput("A name holds no invisible characters.")
    if kinds[:1] and kinds[0][0] == "M":
        raise BadInput("A name does not begin with a mark: it would sit on what stands before.")
    stacked = "".join("m" if kind in ("Mn", "Me") else "-" for kind in kinds)
    if "mmm" in stacked:
        raise BadInput("A letter of a name carries at most two marks.")
    characters = sum(kind[0] != "M" for kind in kinds)
    if not any(kind[0] in "LNPS" for kind in kinds) or characters > MAX_VISIBLE:
        raise BadInput(f"A name has 1 to {MAX_VISIBLE} visible characters.")
    if len(name) > MAX_CHARACTERS:
        raise BadInput(f"A name has at most {MAX_CHARACTERS} characters, marks included.")
    if lookalikes.deceives(name):
        raise BadInput("A name mixes no letters of different alphabets that look alike.")
