"""What happened: latencies by kind of request, counts, errors."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.bench.players.visits import MOVES

LEAST = 1e-5  # seconds
STEP = math.log(1.01)  # a bin is one per cent wide


class Latencies:
    """Seconds by the bin, so that a day of them takes no room; exact to one per cent."""

    def __init__(self) -> None:
        self._bins: Counter[int] = Counter()
        self.count = 0
        self.most = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self._bins[int(math.log(max(seconds, LEAST) / LEAST) / STEP)] += 1
        self.count += 1
        self.most = max(self.most, seconds)

    def take(self, other: Latencies) -> None:
        """All of another one's."""
        self._bins.update(other._bins)
        self.count += other.count
        self.most = max(self.most, other.most)

    def quantile(self, share: float) -> float:
        """Seconds that this share stays within; 0 of none."""
        left = math.ceil(share * self.count)
        for each in sorted(self._bins):
            left -= self._bins[each]
            if left <= 0:
                return min(LEAST * math.exp((each + 1) * STEP), self.most)
        return 0.0


@dataclass(slots=True)
class Tally:
    """Everything counted over some time; ``late`` is how late the sender itself was."""

    latencies: dict[str, Latencies] = field(default_factory=dict)
    late: Latencies = field(default_factory=Latencies)
    statuses: Counter[int] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    arrived: int = 0
    finished: int = 0
    opened: int = 0
    bytes_out: int = 0
    bytes_in: int = 0

    def answered(self, kind: str, seconds: float) -> None:
        """An answer, so long after it was due."""
        self.latencies.setdefault(kind, Latencies()).add(seconds)

    def take(self, other: Tally) -> None:
        """All of another one's."""
        for kind, found in other.latencies.items():
            self.latencies.setdefault(kind, Latencies()).take(found)
        self.late.take(other.late)
        self.statuses.update(other.statuses)
        self.errors.update(other.errors)
        self.arrived += other.arrived
        self.finished += other.finished
        self.opened += other.opened
        self.bytes_out += other.bytes_out
        self.bytes_in += other.bytes_in

    def of(self, kinds: Iterable[str]) -> Latencies:
        """Several kinds together."""
        whole = Latencies()
        for kind in kinds:
            if kind in self.latencies:
                whole.take(self.latencies[kind])
        return whole

    @property
    def all(self) -> Latencies:
        """Every request."""
        return self.of(self.latencies)

    @property
    def moves(self) -> Latencies:
        """Rolls and entries alone."""
        return self.of(MOVES)

    @property
    def failed(self) -> int:
        """Answers no player should get, and requests without one."""
        return self.faults + self.errors.total()

    @property
    def faults(self) -> int:
        """Answers of 500 and above; the others that are wrong are among the errors."""
        return sum(count for status, count in self.statuses.items() if status >= 500)
