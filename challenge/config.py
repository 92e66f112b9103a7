"""Every setting, declared once: name, default, help. Read from the environment."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any, Literal

import platformdirs

from challenge import readers
from challenge.daily.calendar import Calendar
from challenge.errors import SettingError
from challenge.game import rulesets

FairPlay = Literal["off", "report", "apart"]
RequestLog = Literal["auto", "on", "off"]

PREFIX = "CHALLENGE_"
SECRET_BYTES = 32  # shorter secrets are warned about
NEAR = 0.75  # from here on a name that is no setting is taken for a misspelt one


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

    @property
    def field(self) -> str:
        """The name of its value among :class:`Settings`."""
        return self.name.removeprefix(PREFIX).lower()


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of one process; ``given`` names what was set. Secrets are None where unset.

    Every value is called as its variable, without the prefix.
    """

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
    wait_replicas: int
    retention_days: int
    identities_per_day: int
    joins_per_hour: int
    guesses_per_hour: int
    pages_per_minute: int
    moves_per_minute: int
    solve: bool
    fairplay: FairPlay
    operator_token: bytes | None
    metrics_token: bytes | None
    request_log: RequestLog
    port: int
    web_concurrency: int
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
        for token in ("operator_token", "metrics_token"):
            value = getattr(self, token)
            if value is not None and len(value) < SECRET_BYTES:
                found.append(f"CHALLENGE_{token.upper()} is shorter than {SECRET_BYTES} bytes.")
        return found


DECLARED: tuple[Setting, ...] = (
    Setting(
        "CHALLENGE_DATA_DIR",
        platformdirs.user_data_dir("samedice", appauthor=False),
        "Directory of the embedded store and of the secrets it made.",
        readers.data_dir,
    ),
    Setting(
        "CHALLENGE_REDIS_URL",
        "",
        "Redis or Valkey (7 or newer) to use: redis://, rediss:// or unix://, or "
        "redis+sentinel:// or redis+cluster:// (rediss+… for TLS) and its hosts. "
        "Empty: the embedded store in the data directory.",
        readers.redis_url,
        secret=True,  # may carry a password
    ),
    Setting(
        "CHALLENGE_STREAM_SECRET",
        "",
        "All dice derive from it; never change it. Empty with the embedded store: made once "
        "into the data directory.",
        readers.secret,
        secret=True,
    ),
    Setting(
        "CHALLENGE_SECRET_KEYS",
        "",
        "Keys that sign player values, comma-separated, newest last. Empty with the embedded "
        "store: made once into the data directory.",
        readers.keys,
        secret=True,
    ),
    Setting(
        "CHALLENGE_TIMEZONE",
        "UTC",
        "Time zone of the service day; takes effect with boards that open later.",
        readers.zone,
    ),
    Setting(
        "CHALLENGE_GRACE_MINUTES",
        "180",
        "How long after the rollover a begun game may be finished and counts.",
        readers.integer(0, 1440),
    ),
    Setting(
        "CHALLENGE_RULESETS",
        "",
        "Sheets new days offer, comma-separated ids. Empty: all of them.",
        readers.sheets,
    ),
    Setting(
        "CHALLENGE_BASE_URL",
        "",
        "Public address of the service, for links in results. Empty: taken from the request.",
        readers.base_url,
    ),
    Setting(
        "CHALLENGE_CONTACT",
        "",
        "Mail address or https:// page for questions, erasure and security reports.",
        readers.contact,
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
        readers.integer(0, 10),
    ),
    Setting(
        "CHALLENGE_BOARD_SHARDS",
        "1",
        "Shards of each board that opens later.",
        readers.integer(1, 64),
    ),
    Setting(
        "CHALLENGE_WAIT_REPLICAS",
        "0",
        "How many replicas must have a finished game before its answer counts as safe; fewer "
        "are answered all the same, counted and logged.",
        readers.integer(0, 5),
    ),
    Setting(
        "CHALLENGE_RETENTION_DAYS",
        "0",
        "Days after its close until a board is compacted: histogram, the best 1000 and every "
        "player's own score stay, the games go. 0: never.",
        readers.integer(0, 36_500),
    ),
    Setting(
        "CHALLENGE_IDENTITIES_PER_DAY",
        "50",
        "New players an IPv4 address or an IPv6 /64 may become within a day; schools and "
        "offices share one.",
        readers.integer(1, 1_000_000),
    ),
    Setting(
        "CHALLENGE_JOINS_PER_HOUR",
        "60",
        "Groups joined and devices transferred from one address within an hour.",
        readers.integer(1, 1_000_000),
    ),
    Setting(
        "CHALLENGE_GUESSES_PER_HOUR",
        "20",
        "Wrong codes and invites an IPv4 address or an IPv6 /64 may try within an hour.",
        readers.integer(1, 100_000),
    ),
    Setting(
        "CHALLENGE_PAGES_PER_MINUTE",
        "600",
        "Pages one address may read within a minute.",
        readers.integer(1, 1_000_000),
    ),
    Setting(
        "CHALLENGE_MOVES_PER_MINUTE",
        "240",
        "Moves a player may make within a minute, counted in each web process.",
        readers.integer(1, 1_000_000),
    ),
    Setting(
        "CHALLENGE_SOLVE",
        "on",
        "Whether the worker solves sheets and prepares boards, in a process of its own: on or "
        "off. Needs the extra solver.",
        readers.switch,
    ),
    Setting(
        "CHALLENGE_FAIRPLAY",
        "report",
        "Whether finished games are weighed for knowledge of the dice: off; report, for the "
        "operator alone; apart, which also lists such games below the leaderboard. Needs the "
        "extra solver.",
        readers.choice("off", "report", "apart"),
    ),
    Setting(
        "CHALLENGE_OPERATOR_TOKEN",
        "",
        "Opens the operator's pages under /operator. Empty: there are none.",
        readers.secret,
        secret=True,
    ),
    Setting(
        "CHALLENGE_METRICS_TOKEN",
        "",
        "Opens /metrics to whoever sends it as a bearer token. Empty: it answers on loopback "
        "alone.",
        readers.secret,
        secret=True,
    ),
    Setting(
        "CHALLENGE_REQUEST_LOG",
        "auto",
        "One line of JSON for each request: on, off, or auto, which is off where a person "
        "watches on a terminal.",
        readers.choice("auto", "on", "off"),
    ),
    Setting("PORT", "8000", "Port to listen on.", readers.integer(1, 65535)),
    Setting("WEB_CONCURRENCY", "2", "Web worker processes.", readers.integer(1, 64)),
)


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """The settings of an environment (default: this process's).

    Raises:
        SettingError: one is wrong; the message names it and says what would be right.
    """
    env = os.environ if environ is None else environ
    value = {setting.field: _read(setting, env.get(setting.name, "")) for setting in DECLARED}
    zone, grace = value.pop("timezone"), timedelta(minutes=value.pop("grace_minutes"))
    given = frozenset(setting.name for setting in DECLARED if env.get(setting.name))
    return Settings(calendar=Calendar(zone, grace), given=given, **value)


def strangers(environ: Mapping[str, str]) -> dict[str, str]:
    """Variables that are called like settings and are none, with the setting each is nearest to."""
    near = {setting.field.upper(): setting.name for setting in DECLARED}
    found = {}
    for name in sorted(environ):
        if name.startswith(PREFIX) and name not in near.values():
            meant = difflib.get_close_matches(name.removeprefix(PREFIX), near, 1, NEAR)
            found[name] = near[meant[0]] if meant else ""
    return found


def _read(setting: Setting, text: str) -> Any:
    try:
        return setting.read(text or setting.default)
    except ValueError as error:
        shown = "(hidden)" if setting.secret else repr(text[:80])
        raise SettingError(f"{setting.name}={shown} is wrong; it takes {error}.") from None
