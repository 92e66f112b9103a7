"""One run: finds the capacity where none is given, then plays at a share of it and reports."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

from tests.bench.hands import ACTIONS
from tests.bench.players import capacity, report
from tests.bench.players.crowd import SPREAD, Crowd, Manner
from tests.bench.players.stage import Stage
from tests.bench.players.tally import Tally
from tests.bench.players.visits import KINDS, LOOKS, NEWCOMERS
from tests.bench.players.watch import Reading, Watch

QUICK = 0.1  # of the time to think, while the capacity is looked for
SETTLING = 11  # times to think until all have come: 18 % more requests meanwhile
TELL_EVERY = 15.0  # seconds
LOOK_EVERY = 5.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do: ``rate`` in moves a second, None to find the capacity and take ``share`` of
    it; ``think`` the median of seconds a decision takes; ``first`` the lowest rate tried."""

    by: str = "page"
    minutes: float = 15.0
    rate: float | None = None
    share: float = 0.8
    think: float = 4.0
    first: float = 100.0
    seed: int = 1


def say(line: str) -> None:
    """Progress; the report alone goes to standard output."""
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


async def run(plan: Plan, stage: Stage) -> report.Figures:
    """The report."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 50, 100)  # a long look for garbage would make requests late
    watch, found = Watch(stage.serve, stage.nodes, stage.replicas), None
    rate = plan.rate
    if rate is None:
        quick = partial(_crowd, plan, stage, plan.think * QUICK)
        most, steps = await capacity.find(quick, plan.first, say)
        found = {"moves_per_second": round(most, 1), "steps": capacity.told(steps)}
        rate = plan.share * most
        say(f"capacity {most:.0f} moves/s; now {rate:.0f} for {plan.minutes:g} minutes")
    tally, looks = await _play(_crowd(plan, stage, plan.think), plan, watch, rate)
    return {
        "machine": report.machine(stage.nodes),
        "model": {
            **asdict(plan),
            "spread": SPREAD,
            "actions_per_game": round(ACTIONS, 2),
            "newcomers": NEWCOMERS,
            "look_at_the_leaderboard": LOOKS,
            "offered": round(rate, 1),
            "settings": _settings(stage),
        },
        "capacity": found,
        "run": report.figures(tally, looks),
    }


def _settings(stage: Stage) -> dict[str, str]:
    """What the service was set to, but for secrets and folders."""
    hidden = ("SECRET", "TOKEN", "DATA_DIR", "URL")
    return {
        name: value
        for name, value in sorted(stage.environ.items())
        if not any(word in name for word in hidden)
    }


def _crowd(plan: Plan, stage: Stage, think: float) -> Crowd:
    return Crowd(stage.address, stage.place, Manner(KINDS[plan.by], think), plan.seed)


async def _play(crowd: Crowd, plan: Plan, watch: Watch, rate: float) -> tuple[Tally, list[Reading]]:
    """All that was counted once everybody had come, and a look every few seconds."""
    loop, whole = asyncio.get_running_loop(), Tally()
    settle = SETTLING * plan.think
    crowd.go(rate, settle)
    await asyncio.sleep(settle)
    say(f"{len(crowd)} players are there after {settle:.0f} s; counting from now on")
    crowd.cut()
    looks, start = [watch.look()], loop.time()
    tell = _teller(crowd, start)
    end = start + plan.minutes * 60
    while (left := end - loop.time()) > 0:
        await asyncio.sleep(min(LOOK_EVERY, left))
        looks.append(watch.look())
        tell(whole, looks, last=loop.time() >= end)
    await crowd.clear()
    return whole, looks


def _teller(crowd: Crowd, start: float) -> Callable[..., None]:
    """What takes the counts over and says a line every now and then."""
    told = start
    seen = 0

    def tell(whole: Tally, looks: list[Reading], *, last: bool) -> None:
        nonlocal told, seen
        now = asyncio.get_running_loop().time()
        if now - told < TELL_EVERY and not last:
            return
        tally = crowd.cut()
        whole.take(tally)
        say(_line(tally, looks[seen], looks[-1], now - start, len(crowd)))
        told, seen = now, len(looks) - 1

    return tell


def _line(tally: Tally, before: Reading, after: Reading, seconds: float, players: int) -> str:
    span, moves = after.at - before.at, tally.moves
    busy = ", ".join(
        f"{name} {(after.cpu[name] - before.cpu.get(name, 0.0)) / span:.2f}"
        for name in ("web", "store", "worker", "client")
        if name in after.cpu
    )
    return (
        f"{seconds:5.0f} s: {moves.count / span:5.0f} moves/s, p50 {moves.quantile(0.5) * 1e3:.1f} "
        f"p99 {moves.quantile(0.99) * 1e3:.1f} ms, {tally.faults} 5xx, {tally.errors.total()} "
        f"errors, {players} players; processors: {busy}; web {after.rss.get('web', 0):.0f} MB, "
        f"store {after.store.memory / 1e6:.0f} MB"
    )
