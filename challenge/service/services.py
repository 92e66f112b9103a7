"""All use cases of one process in one hand; ``challenge.bootstrap`` fills it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from challenge.config import Settings
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
from challenge.service.play import Play
from challenge.service.players import Players
from challenge.service.preparing import Preparing
from challenge.service.records import Records
from challenge.service.reports import Reports
from challenge.service.reviews import Reviews
from challenge.service.solved import Solved
from challenge.service.standings import Standings
from challenge.service.tables import Tables
from challenge.service.worker import Worker
from challenge.store.limits import Limits
from challenge.store.store import Store


@dataclass(frozen=True, slots=True)
class Services:
    """The use cases, with what they share; ``clock`` gives the time, aware, in UTC."""

    settings: Settings
    store: Store
    days: Days
    play: Play
    standings: Standings
    players: Players
    groups: Groups
    circles: Circles
    tables: Tables
    devices: Devices
    reports: Reports
    limits: Limits
    records: Records
    exports: Exports
    erasure: Erasure
    solved: Solved
    insight: Insight
    reviews: Reviews
    best_play: BestPlay
    coach: Coach
    preparing: Preparing
    fairplay: FairPlay
    compacting: Compacting
    worker: Worker
    watch: Watch
    signing_keys: tuple[bytes, ...]
    clock: Callable[[], datetime]
