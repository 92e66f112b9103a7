"""How the text of a setting becomes its value; :mod:`challenge.config` says which is which.

Each reader raises ``ValueError`` with what would be right.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from challenge import redis_url as redis_urls
from challenge.errors import UnknownRuleset
from challenge.game import rulesets


def integer(low: int, high: int) -> Callable[[str], int]:
    """A whole number within bounds."""

    def read(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= 9
        if not digits or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return read


def choice(*words: str) -> Callable[[str], str]:
    """One of a few words."""

    def read(text: str) -> str:
        if text not in words:
            raise ValueError(f"{', '.join(words[:-1])} or {words[-1]}")
        return text

    return read


def switch(text: str) -> bool:
    """``on`` or ``off``."""
    return choice("on", "off")(text) == "on"


def zone(text: str) -> ZoneInfo:
    """A time zone by its name."""
    try:
        return ZoneInfo(text)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("a time zone such as UTC or Europe/Berlin") from None


def _parts(text: str, right: str) -> SplitResult:
    """The parts of a URL whose port is a number; ``right`` says what one looks like."""
    try:
        parts = urlsplit(text)
        sound = (parts.port or 1) > 0 and text.isprintable() and " " not in text
    except ValueError:
        sound = False
    if not sound:
        raise ValueError(right)
    return parts


def data_dir(text: str) -> Path:
    """A path; ``~`` is the home directory."""
    try:
        text.encode()  # the socket's address is made of it
        return Path(text).expanduser()
    except (UnicodeError, RuntimeError):
        raise ValueError("a path in UTF-8, with no ~ of an unknown user") from None


def redis_url(text: str) -> str | None:
    """The URL of a Redis; None where it is empty."""
    if not text:
        return None
    redis_urls.parse(text)
    return text


def base_url(text: str) -> str | None:
    """An address without a last slash, its host as browsers write it."""
    if not text:
        return None
    right = "an address such as https://dice.example.org"
    parts = _parts(text, right)
    if parts.scheme not in ("http", "https") or parts.query or parts.fragment or "@" in text:
        raise ValueError(right)
    return f"{parts.scheme}://{_origin_host(parts, right)}{parts.path.rstrip('/')}"


def _origin_host(parts: SplitResult, right: str) -> str:
    """Host and port as browsers write them in an ``Origin``, since that is held against it."""
    try:
        host = (parts.hostname or "").encode("idna").decode("ascii")
    except UnicodeError:
        host = ""
    if not host:
        raise ValueError(right)
    usual = {"http": 80, "https": 443}[parts.scheme]
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    return f"[{host}]{port}" if ":" in host else f"{host}{port}"


def contact(text: str) -> str | None:
    """A mail address as a link, or the link as it is."""
    if not text:
        return None
    if re.fullmatch(r"[^\s@:/?&%<>]+@[^\s@:/?&%<>]+\.[^\s@:/?&%<>]+", text):
        return f"mailto:{text}"
    right = "a mail address or an address such as https://example.org/contact"
    if _parts(text, right).scheme != "https" or not _parts(text, right).hostname:
        raise ValueError(right)
    return text


def sheets(text: str) -> tuple[str, ...]:
    """Ids of sheets, comma-separated; empty: all of them."""
    if not text:
        return tuple(ruleset.id for ruleset in rulesets.RULESETS)
    ids = tuple(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    try:
        for id in ids:
            rulesets.find(id)
    except UnknownRuleset as error:
        raise ValueError(f"sheet ids such as yacht,yatzy ({error.ruleset!r} is none)") from None
    if not ids:
        raise ValueError("sheet ids such as yacht,yatzy")
    return ids


def secret(text: str) -> bytes | None:
    """The bytes of the setting, undecoded; None where it is empty."""
    return text.encode("utf-8", "surrogateescape") or None


def keys(text: str) -> tuple[bytes, ...] | None:
    """Secrets, comma-separated; None where there is none."""
    return tuple(filter(None, map(secret, text.split(",")))) or None
