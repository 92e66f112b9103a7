"""The highest rate of moves that is still answered in time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass

from tests.bench.players.crowd import Crowd

MOST_P99 = 0.25  # seconds
GROWTH = 1.25  # from step to step
FINER = (1.08, 1.16)  # of the last good one, after the first that failed
SETTLE, MEASURE = 4.0, 6.0  # seconds of a step
STEPS = 14
HALVINGS = 5  # of the first rate, where that is too much already
KEEPS_UP = 0.93  # of the moves that should come

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Step:
    """One rate tried: moves a second asked for and made, seconds, failures."""

    offered: float
    made: float
    p50: float
    p99: float
    failed: int

    @property
    def good(self) -> bool:
        """Answered in time, all of it."""
        in_time = self.p99 <= MOST_P99 and self.made >= KEEPS_UP * self.offered
        return in_time and not self.failed

    def __str__(self) -> str:
        word = "kept up" if self.good else "too much"
        return (
            f"{self.offered:6.0f} moves/s offered, {self.made:6.0f} made, p50 "
            f"{self.p50 * 1e3:6.1f} ms, p99 {self.p99 * 1e3:7.1f} ms, {self.failed} failed: {word}"
        )


async def find(make: Callable[[], Crowd], first: float, say: Say) -> tuple[float, list[Step]]:
    """Moves a second, as made in the best step that kept up, and all steps.

    ``make`` gives a crowd of quick thinkers: then a game is short, and a rate soon reached.

    Raises:
        RuntimeError: not even a small part of the first rate is answered in time.
    """
    steps: list[Step] = []
    for halved in range(HALVINGS):
        await _climb(make(), first / 2**halved, steps, say)
        if any(step.good for step in steps):
            break
    else:
        raise RuntimeError(f"not even {steps[-1].offered:.0f} moves a second are answered in time")
    last = max(step.offered for step in steps if step.good)
    if not steps[-1].good:
        for factor in FINER:
            steps.append(await _alone(make(), last * factor, say))
            if not steps[-1].good:
                break
    return max(step.made for step in steps if step.good), steps


async def _climb(crowd: Crowd, rate: float, steps: list[Step], say: Say) -> None:
    try:
        for _ in range(STEPS):
            steps.append(await _step(crowd, rate, SETTLE, say))
            if not steps[-1].good:
                return
            rate *= GROWTH
    finally:
        await crowd.clear()


async def _alone(crowd: Crowd, rate: float, say: Say) -> Step:
    """A step without those before it."""
    try:
        return await _step(crowd, rate, 2 * SETTLE, say)
    finally:
        await crowd.clear()


async def _step(crowd: Crowd, rate: float, settle: float, say: Say) -> Step:
    crowd.go(rate, settle * 0.75)
    await asyncio.sleep(settle)
    crowd.cut()
    start = asyncio.get_running_loop().time()
    await asyncio.sleep(MEASURE)
    tally = crowd.cut()
    spent = asyncio.get_running_loop().time() - start
    every = tally.all
    step = Step(
        offered=rate,
        made=tally.moves.count / spent,
        p50=every.quantile(0.5),
        p99=every.quantile(0.99),
        failed=tally.failed,
    )
    say(str(step))
    return step


def told(steps: list[Step]) -> list[dict[str, object]]:
    """For the report."""
    return [{**asdict(step), "good": step.good} for step in steps]
