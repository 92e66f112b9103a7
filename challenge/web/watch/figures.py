"""The counters of this process, those of all web processes together, and the store's figures.

Under gunicorn each process writes its counters into a file of a shared directory
(``shared``), and whoever answers adds all of them up. Everywhere else, in tests too, the
counters of the one process are all there are.
"""

from __future__ import annotations

import platform
from collections.abc import Iterator
from datetime import datetime
from typing import TYPE_CHECKING

from challenge import __version__
from challenge.errors import StoreUnavailable
from challenge.service.figures import STATES, Figures, Watch
from challenge.store import tally
from challenge.store.tally import EVENTS, Event
from challenge.web.watch import shared

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry, Counter, Histogram
    from prometheus_client.core import Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
"""Bounds of the latency histogram."""

FIRST_SEEN: dict[Event, tuple[str, ...]] = {
    "redis_errors": ("ConnectionError", "TimeoutError"),
    "redis_retries": ("ConnectionError", "TimeoutError"),
    "limits_hit": ("guesses", "identities", "joins", "moves", "pages"),
}
"""Values that are shown with 0 from the start: the first one of a new value is no increase."""


class Meters:
    """The counters of one application; the last one made in a process hears its events."""

    def __init__(self) -> None:
        # Reads the environment when it is imported, which must be after `shared.begin`.
        import prometheus_client as prometheus  # noqa: PLC0415

        prometheus.disable_created_metrics()  # type: ignore[no-untyped-call]
        self._registry = prometheus.CollectorRegistry()
        self._events = {event: self._counter(event, *EVENTS[event]) for event in EVENTS}
        self._requests = self._counter(
            "requests", ("route", "method", "status"), "Requests answered."
        )
        self._refused = self._counter(
            "refused_moves", ("reason",), "Moves refused: by the rules, the log, or a limit."
        )
        self._seconds: Histogram = prometheus.Histogram(
            "samedice_request_seconds",
            "Seconds from the first line of our code to the finished answer.",
            ("route",),
            buckets=SECONDS,
            registry=self._registry,
        )
        # Looking up the child of some labels costs as much as counting.
        self._children: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}
        self._heard: dict[tuple[Event, tuple[str, ...]], Counter] = {}
        for event, values in FIRST_SEEN.items():
            for value in values:
                self._events[event].labels(value)
        tally.listen(self.count)

    def _counter(self, name: str, labels: tuple[str, ...], meaning: str) -> Counter:
        from prometheus_client import Counter  # noqa: PLC0415

        return Counter(f"samedice_{name}", meaning, labels, registry=self._registry)

    def count(self, event: Event, labels: tuple[str, ...]) -> None:
        """One more of an event of :mod:`challenge.store.tally`."""
        found = self._heard.get((event, labels))
        if found is None:
            counter = self._events[event]
            found = counter.labels(*labels) if labels else counter
            self._heard[event, labels] = found
        found.inc()

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """One more request, and how long it took."""
        key = (route, method, status)
        found = self._children.get(key)
        if found is None:
            requests = self._requests.labels(route, method, str(status))
            found = self._children[key] = (requests, self._seconds.labels(route))
        found[0].inc()
        found[1].observe(seconds)

    def refused(self, reason: str) -> None:
        """One more refused move."""
        self._refused.labels(reason).inc()

    def exposition(self, watch: Watch, now: datetime) -> bytes:
        """All figures in Prometheus' text format."""
        from prometheus_client import CollectorRegistry, generate_latest  # noqa: PLC0415

        looked_at = CollectorRegistry()
        looked_at.register(Looked(watch, now))
        return self._counted() + generate_latest(looked_at)

    def _counted(self) -> bytes:
        from prometheus_client import generate_latest  # noqa: PLC0415

        folder = shared.folder()
        if folder is None:
            return generate_latest(self._registry)
        with shared.undisturbed(folder):
            return generate_latest(_of_all(folder))


def _of_all(folder: str) -> CollectorRegistry:
    from prometheus_client import CollectorRegistry  # noqa: PLC0415
    from prometheus_client.multiprocess import MultiProcessCollector  # noqa: PLC0415

    registry = CollectorRegistry()
    MultiProcessCollector(registry, folder)  # type: ignore[no-untyped-call]
    return registry


class Looked:
    """Collects what the store says at this moment; one that is away is a figure too."""

    def __init__(self, watch: Watch, now: datetime) -> None:
        self._watch = watch
        self._now = now

    def collect(self) -> Iterator[Metric]:
        """The families of one look."""
        from prometheus_client.core import GaugeMetricFamily as Gauge  # noqa: PLC0415

        build = Gauge(
            "samedice_build_info", "Always 1; what is running.", labels=("version", "python")
        )
        build.add_metric((__version__, platform.python_version()), 1)
        yield build
        try:
            found = self._watch.look(self._now)
        except StoreUnavailable:
            found = None
        yield Gauge("samedice_store_up", "Whether the store answered this look.", found is not None)
        if found is not None:
            yield from _families(found)


def _families(found: Figures) -> Iterator[Metric]:
    from prometheus_client.core import GaugeMetricFamily as Gauge  # noqa: PLC0415

    boards = Gauge("samedice_boards", "Boards not closed and settled yet.", labels=("state",))
    for state in STATES:
        boards.add_metric((state,), found.boards[state])
    yield boards
    players = Gauge(
        "samedice_board_players",
        "Daily games on boards not closed and settled yet.",
        labels=("ruleset", "state", "stage"),
    )
    for labels, count in sorted(found.players.items()):
        players.add_metric(labels, count)
    yield players
    yield Gauge(
        "samedice_unsettled_games",
        "Finished games not yet in their players' records.",
        found.unsettled,
    )
    yield Gauge("samedice_pending_erasures", "Erasures under way.", found.erasing)
    if found.round_age is not None:
        yield Gauge(
            "samedice_worker_round_age_seconds",
            "Seconds since a worker last finished a round.",
            found.round_age,
        )
