"""Builds the store and the services out of the settings; the one place that composes them."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from datetime import UTC, datetime

from challenge.config import Settings
from challenge.errors import SettingError
from challenge.service.best_play import BestPlay
from challenge.service.circles import Circles
from challenge.service.coach import Coach
from challenge.service.compacting import Compacting
from challenge.service.days import Days
from challenge.service.devices import Devices
from challenge.service.erasure import Erasure
from challenge.service.exports import Exports
from challenge.service.fairplay import FairPlay
from challenge.service.figures import Watch
from challenge.service.groups import Groups
from challenge.service.insight import Insight
from challenge.service.moving.boards import BoardImport
from challenge.service.moving.exporting import Exporter
from challenge.service.moving.importing import Importer
from challenge.service.play import Play
from challenge.service.players import Players
from challenge.service.preparing import Preparing
from challenge.service.records import Records
from challenge.service.reports import Reports
from challenge.service.reviews import Reviews
from challenge.service.services import Services
from challenge.service.solved import Solved
from challenge.service.standings import Standings
from challenge.service.tables import Tables
from challenge.service.worker import Worker
from challenge.store.datadir import DataDir
from challenge.store.limits import Limits
from challenge.store.store import Store

HOW_TO_MAKE_ONE = 'python3 -c "import secrets; print(secrets.token_urlsafe(48))"'


def utc_now() -> datetime:
    """The time, aware, in UTC."""
    return datetime.now(UTC)


def build(settings: Settings, clock: Callable[[], datetime] = utc_now) -> Services:
    """The services of these settings; nothing is sent to Redis yet.

    Raises:
        SettingError: a secret is missing, or the Redis URL has a wrong option.
        DataDirError: the data directory cannot be used.
    """
    secret = stream_secret(settings)
    key, replicas = erasure_key(secret), settings.wait_replicas
    store = Store(store_url(settings), key, wait_replicas=replicas)
    days = Days(store, settings, secret)
    groups = Groups(store, settings)
    circles = Circles(store, days, groups)
    records = Records(store, days)
    devices, reports = Devices(store), Reports(store)
    solved = Solved(DataDir(settings.data_dir).solver)
    insight = Insight(store, solved)
    reviews = Reviews(store, days, insight, records)
    fairplay = FairPlay(store, days, insight, settings.fairplay)
    erasure = _erasure(store, groups, devices, reports, reviews)
    compacting = Compacting(store, days, settings.retention_days)
    return Services(
        settings=settings,
        store=store,
        days=days,
        play=Play(store, days),
        standings=Standings(store, days, records),
        players=Players(store),
        groups=groups,
        circles=circles,
        tables=Tables(store, days, groups, circles),
        devices=devices,
        reports=reports,
        limits=Limits(store.link),
        records=records,
        exports=Exports(store, days, groups, devices, reviews, fairplay),
        erasure=erasure,
        solved=solved,
        insight=insight,
        reviews=reviews,
        best_play=BestPlay(store, days, insight),
        coach=Coach(store, days, insight),
        preparing=Preparing(store, days, solved, insight, settings.rulesets),
        fairplay=fairplay,
        compacting=compacting,
        worker=Worker(store, days, erasure, compacting, clock),
        watch=Watch(store),
        signing_keys=signing_keys(settings),
        clock=clock,
    )


def fair_play(settings: Settings, secret: bytes) -> tuple[Days, FairPlay]:
    """Fair play alone, for the operator's command; signs nothing, so that it needs no keys."""
    store = Store(store_url(settings), erasure_key(secret))
    days = Days(store, settings, secret)
    insight = Insight(store, Solved(DataDir(settings.data_dir).solver))
    return days, FairPlay(store, days, insight, settings.fairplay)


def compacting(settings: Settings, secret: bytes) -> Compacting:
    """Compacting alone, for the operator's command; signs nothing, so that it needs no keys."""
    store = Store(store_url(settings), erasure_key(secret))
    return Compacting(store, Days(store, settings, secret), settings.retention_days)


def exporter(settings: Settings, secret: bytes) -> Exporter:
    """What reads the whole service."""
    store = Store(store_url(settings), erasure_key(secret))
    return Exporter(store, _erasure_alone(store, settings, secret), utc_now())


def importer(settings: Settings, secret: bytes) -> Importer:
    """What takes the lines of an export."""
    store = Store(store_url(settings), erasure_key(secret))
    return Importer(store, BoardImport(store, secret), _erasure_alone(store, settings, secret))


def _erasure_alone(store: Store, settings: Settings, secret: bytes) -> Erasure:
    """Erasure for the operator's commands."""
    days = Days(store, settings, secret)
    insight = Insight(store, Solved(DataDir(settings.data_dir).solver))
    reviews = Reviews(store, days, insight, Records(store, days))
    return _erasure(store, Groups(store, settings), Devices(store), Reports(store), reviews)


def _erasure(
    store: Store, groups: Groups, devices: Devices, reports: Reports, reviews: Reviews
) -> Erasure:
    """Erasure with every part that holds something of a player."""
    return Erasure(store, (groups.leave_all, devices.forget, reports.forget, reviews.forget))


def store_url(settings: Settings) -> str:
    """Where Redis is: as set, else the embedded store of the data directory."""
    return settings.redis_url or DataDir(settings.data_dir).socket_url


def stream_secret(settings: Settings) -> bytes:
    """The secret all dice derive from.

    Raises:
        SettingError: unset, and Redis is not the embedded one.
        DataDirError: the data directory cannot keep it.
    """
    if settings.stream_secret is not None:
        return settings.stream_secret
    _need_embedded(settings, "CHALLENGE_STREAM_SECRET")
    return DataDir(settings.data_dir).stream_secret()


def erasure_key(secret: bytes) -> bytes:
    """What hashes the ids of erased players; from the one secret that never changes."""
    return hmac.digest(secret, b"samedice/erased", "sha256")


def signing_keys(settings: Settings) -> tuple[bytes, ...]:
    """The keys that sign player values, newest last; raises like :func:`stream_secret`."""
    if settings.secret_keys is not None:
        return settings.secret_keys
    _need_embedded(settings, "CHALLENGE_SECRET_KEYS")
    return DataDir(settings.data_dir).signing_keys()


def _need_embedded(settings: Settings, name: str) -> None:
    if settings.redis_url is not None:
        raise SettingError(
            f"{name} is unset. With CHALLENGE_REDIS_URL the secrets must be set, the same "
            f"for every process, and kept for good; make one with: {HOW_TO_MAKE_ONE}"
        )
