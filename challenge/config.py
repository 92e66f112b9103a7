"""Every setting, declared once: name, default, help. Read from the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs

from challenge.daily.calendar import Calendar
from challenge.errors import SettingError, UnknownRuleset
from challenge.game import rulesets

SECRET_BYTES = 32  # shorter secrets are warned about
URL_SCHEMES = ("redis", "rediss", "unix")


@dataclass(frozen=True, slots=True)
class Setting:
    """One environment variable: how it is read and what to say about it.

    ``read`` turns the text into a value and raises ``ValueError`` with what would be right.
    """

    name: str
    default: str
    help: str
    read: Callable[[str], Any]
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; ``given`` names what was set. Secrets are None where unset."""

    data_dir: Path
    redis_url: str | None
    stream_secret: bytes | None
    secret_keys: tuple[bytes, ...] | None
    calendar: Calendar
    rulesets: tuple[str, ...]
    base_url: str | None
    contact: str | None
    imprint: tuple[str, ...]
    trusted_proxies: int
    board_shards: int
    guesses_per_hour: int
    port: int
    workers: int
    given: frozenset[str]

    @property
    def default_ruleset(self) -> str:
        """The sheet at ``/``: the usual default where it is offered, else the first offered."""
        return rulesets.DEFAULT if rulesets.DEFAULT in self.rulesets else self.rulesets[0]

    def warnings(self) -> list[str]:
        """What works but should be put right."""
        found = []
        if self.stream_secret is not None and len(self.stream_secret) < SECRET_BYTES:
            found.append(f"CHALLENGE_STREAM_SECRET is shorter than {SECRET_BYTES} bytes.")
        if any(len(key) < SECRET_BYTES for key in self.secret_keys or ()):
            found.append(f"A key in CHALLENGE_SECRET_KEYS is shorter than {SECRET_BYTES} bytes.")
        return found


def _integer(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        digits = text.isascii() and text.isdigit() and len(text) <= 9
        if not digits or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high}")
        return int(text)

    return read


def _zone(text: str) -> ZoneInfo:
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


def _data_dir(text: str) -> Path:
    try:
        text.encode()  # the socket's address is made of it
        return Path(text).expanduser()
    except (UnicodeError, RuntimeError):
        raise ValueError("a path in UTF-8, with no ~ of an unknown user") from None


def _redis_url(text: str) -> str | None:
    if not text:
        return None
    right = "redis://HOST:PORT/DB, rediss://HOST:PORT/DB or unix:///PATH"
    parts = _parts(text, right)
    place = parts.path if parts.scheme == "unix" else parts.hostname
    if parts.scheme not in URL_SCHEMES or not place:
        raise ValueError(right)
    return text


def _base_url(text: str) -> str | None:
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


def _contact(text: str) -> str | None:
    """A mail address as a link, or the link as it is."""
    if not text:
        return None
    if re.fullmatch(r"[^\s@:/?&%<>]+@[^\s@:/?&%<>]+\.[^\s@:/?&%<>]+", text):
        return f"mailto:{text}"
    right = "a mail address or an address such as https://example.org/contact"
    if _parts(text, right).scheme != "https" or not _parts(text, right).hostname:
        raise ValueError(right)
    return text


def _sheets(text: str) -> tuple[str, ...]:
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


def _secret(text: str) -> bytes | None:
    return text.encode("utf-8", "surrogateescape") or None


def _keys(text: str) -> tuple[bytes, ...] | None:
    return tuple(filter(None, map(_secret, text.split(",")))) or None


DECLARED: tuple[Setting, ...] = (
    Setting(
        "CHALLENGE_DATA_DIR",
        platformdirs.user_data_dir("samedice", appauthor=False),
        "Directory of the embedded store and of the secrets it made.",
        _data_dir,
    ),
    Setting(
        "CHALLENGE_REDIS_URL",
        "",
        "Redis or Valkey (7 or newer) to use: redis://, rediss:// or unix://. "
        "Empty: the embedded store in the data directory.",
        _redis_url,
        secret=True,  # may carry a password
    ),
    Setting(
        "CHALLENGE_STREAM_SECRET",
        "",
        "All dice derive from it; never change it. Empty with the embedded store: made once "
        "into the data directory.",
        _secret,
        secret=True,
    ),
    Setting(
        "CHALLENGE_SECRET_KEYS",
        "",
        "Keys that sign player values, comma-separated, newest last. Empty with the embedded "
        "store: made once into the data directory.",
        _keys,
        secret=True,
    ),
    Setting(
        "CHALLENGE_TIMEZONE",
        "UTC",
        "Time zone of the service day; takes effect with boards that open later.",
        _zone,
    ),
    Setting(
        "CHALLENGE_GRACE_MINUTES",
        "180",
        "How long after the rollover a begun game may be finished and counts.",
        _integer(0, 1440),
    ),
    Setting(
        "CHALLENGE_RULESETS",
        "",
        "Sheets new days offer, comma-separated ids. Empty: all of them.",
        _sheets,
    ),
    Setting(
        "CHALLENGE_BASE_URL",
        "",
        "Public address of the service, for links in results. Empty: taken from the request.",
        _base_url,
    ),
    Setting(
        "CHALLENGE_CONTACT",
        "",
        "Mail address or https:// page for questions, erasure and security reports.",
        _contact,
    ),
    Setting(
        "CHALLENGE_IMPRINT",
        "",
        "Who runs this service, lines separated by semicolons. Empty: there is no imprint page.",
        lambda text: tuple(line.strip() for line in text.split(";") if line.strip()),
    ),
    Setting(
        "CHALLENGE_TRUSTED_PROXIES",
        "0",
        "How many proxies of yours stand in front and set X-Forwarded-*.",
        _integer(0, 10),
    ),
    Setting(
        "CHALLENGE_BOARD_SHARDS", "1", "Shards of each board that opens later.", _integer(1, 64)
    ),
    Setting(
        "CHALLENGE_GUESSES_PER_HOUR",
        "20",
        "Wrong codes and invites an IPv4 address or an IPv6 /64 may try within an hour.",
        _integer(1, 100_000),
    ),
    Setting("PORT", "8000", "Port to listen on.", _integer(1, 65535)),
    Setting("WEB_CONCURRENCY", "2", "Web worker processes.", _integer(1, 64)),
)


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of an environment (default: this process's).

    Raises:
        SettingError: one is wrong; the message names it and says what would be right.
    """
    env = os.environ if environ is None else environ
    value = {setting.name: _read(setting, env.get(setting.name, "")) for setting in DECLARED}
    return Settings(
        data_dir=value["CHALLENGE_DATA_DIR"],
        redis_url=value["CHALLENGE_REDIS_URL"],
        stream_secret=value["CHALLENGE_STREAM_SECRET"],
        secret_keys=value["CHALLENGE_SECRET_KEYS"],
        calendar=Calendar(
            value["CHALLENGE_TIMEZONE"], timedelta(minutes=value["CHALLENGE_GRACE_MINUTES"])
        ),
        rulesets=value["CHALLENGE_RULESETS"],
        base_url=value["CHALLENGE_BASE_URL"],
        contact=value["CHALLENGE_CONTACT"],
        imprint=value["CHALLENGE_IMPRINT"],
        trusted_proxies=value["CHALLENGE_TRUSTED_PROXIES"],
        board_shards=value["CHALLENGE_BOARD_SHARDS"],
        guesses_per_hour=value["CHALLENGE_GUESSES_PER_HOUR"],
        port=value["PORT"],
        workers=value["WEB_CONCURRENCY"],
        given=frozenset(setting.name for setting in DECLARED if env.get(setting.name)),
    )


def _read(setting: Setting, text: str) -> Any:
    try:
        return setting.read(text or setting.default)
    except ValueError as error:
        shown = "(hidden)" if setting.secret else repr(text[:80])
        raise SettingError(f"{setting.name}={shown} is wrong; it takes {error}.") from None
