"""The whole store in one hand, and whether it answers."""

from __future__ import annotations

from typing import Any

from redis import Redis

from challenge.errors import StoreUnavailable
from challenge.store.boards import Boards
from challenge.store.circles import Circles
from challenge.store.client import answered
from challenge.store.compaction import Compaction
from challenge.store.devices import Devices
from challenge.store.epochs import Epochs
from challenge.store.evidences import Evidences
from challenge.store.exporting import Exporting
from challenge.store.figures import Figures
from challenge.store.games import Games
from challenge.store.groups import Groups
from challenge.store.importing import Importing
from challenge.store.insights import Insights
from challenge.store.keys import PREFIX
from challenge.store.link import Link
from challenge.store.players import Players
from challenge.store.reports import Reports
from challenge.store.skills import Skills


class Store:
    """Boards, games and players of the Redis at ``url``.

    ``erasure_key`` hashes the ids of erased players, codes and reporters; it must stay the
    same for good. A finished game is safe once ``wait_replicas`` replicas have it.
    """

    def __init__(self, url: str, erasure_key: bytes, *, wait_replicas: int = 0) -> None:
        self.link = Link(url)
        epochs = Epochs()
        self.boards = Boards(self.link)
        self.games = Games(self.link, epochs, wait_replicas)
        self.players = Players(self.link, erasure_key, epochs, wait_replicas)
        self.devices = Devices(self.link, erasure_key, epochs)
        self.reports = Reports(self.link, erasure_key)
        self.groups = Groups(self.link)
        self.circles = Circles(self.link)
        self.compaction = Compaction(self.link)
        self.exporting = Exporting(self.link)
        self.importing = Importing(self.link)
        self.insights = Insights(self.link)
        self.skills = Skills(self.link)
        self.evidences = Evidences(self.link)
        self.figures = Figures(self.link)

    def check_write(self) -> None:
        """Writes a key that lives for a minute.

        Raises:
            StoreUnavailable: Redis does not take a write.
        """
        with answered():
            self.link.redis.set(f"{PREFIX}ready", "1", ex=60)

    def servers(self) -> list[tuple[str, dict[str, Any] | StoreUnavailable]]:
        """Each server that holds keys and what it says of itself: version, memory, persistence.

        A server of a cluster is called by its host and port, a single one is not.

        Raises:
            StoreUnavailable: no server is known.
        """
        with answered():
            masters = self.link.masters()
        return [(_name(redis, len(masters)), _said(redis)) for redis in masters]


def _name(redis: Redis, count: int) -> str:
    where = redis.get_connection_kwargs()
    return f"{where.get('host')}:{where.get('port')}" if count > 1 else ""


def _said(redis: Redis) -> dict[str, Any] | StoreUnavailable:
    try:
        with answered():
            info: Any = redis.info()
        return dict(info)
    except StoreUnavailable as error:
        return error
