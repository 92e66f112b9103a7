"""The whole store in one hand, and whether it answers."""

from __future__ import annotations

from typing import Any

from challenge.store.boards import Boards
from challenge.store.circles import Circles
from challenge.store.client import answered
from challenge.store.compaction import Compaction
from challenge.store.devices import Devices
from challenge.store.evidences import Evidences
from challenge.store.figures import Figures
from challenge.store.games import Games
from challenge.store.groups import Groups
from challenge.store.insights import Insights
from challenge.store.keys import PREFIX
from challenge.store.link import Link
from challenge.store.players import Players
from challenge.store.reports import Reports
from challenge.store.skills import Skills


class Store:
    """Boards, games and players of the Redis at ``url``.

    ``erasure_key`` hashes the ids of erased players, codes and reporters; it must stay the
    same for good.
    """

    def __init__(self, url: str, erasure_key: bytes) -> None:
        self.link = Link(url)
        self.boards = Boards(self.link)
        self.games = Games(self.link)
        self.players = Players(self.link, erasure_key)
        self.devices = Devices(self.link, erasure_key)
        self.reports = Reports(self.link, erasure_key)
        self.groups = Groups(self.link)
        self.circles = Circles(self.link)
        self.compaction = Compaction(self.link)
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

    def server(self) -> dict[str, Any]:
        """What the server says of itself: version, mode, memory policy, persistence."""
        with answered():
            info: Any = self.link.redis.info()
        return dict(info)
