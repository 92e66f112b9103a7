"""The players: when they come, how long they think, and what they do about a failure."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.hands import ACTIONS
from tests.bench.players.tally import Tally
from tests.bench.players.visits import Place, Request, Visit
from tests.bench.players.wire import Address, Answer, Browser, Dropped

SPREAD = 0.8  # sigma of the logarithm of the time to think
MEAN = 1.3771277643359572  # mean over median: exp(SPREAD² / 2)
LONGEST = 30.0  # medians; who thinks longer has gone for a coffee
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds between tries, as the page's script has them
FAULTY = 500  # statuses from here on are tried again


@dataclass(frozen=True, slots=True)
class Manner:
    """What they do, and the median of seconds a decision takes."""

    visit: Callable[[Place, random.Random], Visit]
    think: float

    @property
    def mean(self) -> float:
        """Seconds a decision takes on average."""
        return self.think * MEAN


class Crowd:
    """Players who come at ``rate`` moves a second, by chance; ``tally`` is what is counted now."""

    def __init__(self, address: Address, place: Place, manner: Manner, seed: int = 1) -> None:
        self.tally = Tally()
        self.rate = 0.0
        self._address = address
        self._place = place
        self._manner = manner
        self._rnd = random.Random(seed)
        self._players: set[asyncio.Task[None]] = set()
        self._door: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._players)

    def cut(self) -> Tally:
        """What was counted since the last cut."""
        found, self.tally = self.tally, Tally()
        return found

    def go(self, rate: float, seconds: float) -> None:
        """Another rate from now on.

        Who would be there already if it had been so for long comes within ``seconds``, each to
        leave amid a game: so the rate of moves is right at once, and not after a whole game.
        """
        more = (rate - self.rate) * self._manner.mean
        self.rate = rate
        now = asyncio.get_running_loop().time()
        for _ in range(round(max(0.0, more))):
            leaves = self._rnd.randrange(1, int(ACTIONS) + 1)
            self._admit(now + self._rnd.random() * seconds, leaves)
        if self._door is None:
            self._door = asyncio.create_task(self._arrivals())

    async def clear(self) -> None:
        """Everybody out."""
        tasks = [*self._players, *([self._door] if self._door else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._door, self.rate = None, 0.0

    async def _arrivals(self) -> None:
        due = asyncio.get_running_loop().time()
        while True:
            due += self._rnd.expovariate(max(self.rate, 0.01) / ACTIONS)
            await _until(due)
            self._admit(due, None)

    def _admit(self, due: float, leaves: int | None) -> None:
        player = Player(self, self._address, random.Random(self._rnd.getrandbits(64)))
        visit = self._manner.visit(self._place, player.rnd)
        task = asyncio.create_task(player.play(visit, due, leaves, self._manner.think))
        self._players.add(task)
        task.add_done_callback(self._left)

    def _left(self, task: asyncio.Task[None]) -> None:
        self._players.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self.tally.errors[f"{type(error).__name__}: {error}"[:80]] += 1


class Player:
    """One of them."""

    def __init__(self, crowd: Crowd, address: Address, rnd: random.Random) -> None:
        self._crowd = crowd
        self._browser = Browser(address)
        self.rnd = rnd

    async def play(self, visit: Visit, due: float, leaves: int | None, think: float) -> None:
        """The whole visit; ``leaves`` is after how many decisions it is broken off.

        Raises:
            Unexpected: an answer no player should get.
        """
        loop = asyncio.get_running_loop()
        await _until(due)
        self._crowd.tally.arrived += 1
        try:
            request = next(visit)
            while leaves is None or leaves >= 0:
                answer = await self._deliver(request, due)
                request = visit.send(answer)
                due = loop.time()
                if request.thinks:
                    leaves = None if leaves is None else leaves - 1
                    due += self._thinks(think)
                    await _until(due)
        except StopIteration as end:
            self._crowd.tally.finished += bool(end.value)
        finally:
            self._browser.close()

    def _thinks(self, median: float) -> float:
        return median * min(self.rnd.lognormvariate(0.0, SPREAD), LONGEST)

    async def _deliver(self, request: Request, due: float) -> Answer:
        """Sent again, byte for byte, until it is answered."""
        loop, pause = asyncio.get_running_loop(), FIRST_PAUSE
        self._crowd.tally.late.add(max(0.0, loop.time() - due))
        while (answer := await self._try(request)) is None:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        self._crowd.tally.answered(request.kind, loop.time() - due)
        return answer

    async def _try(self, request: Request) -> Answer | None:
        before, tally = self._browser.opened, self._crowd.tally
        tally.bytes_out += len(request.raw)
        try:
            answer = await self._browser.ask(request.raw)
        except (OSError, Dropped) as error:  # a TimeoutError is an OSError
            self._crowd.tally.errors[type(error).__name__] += 1
            return None
        finally:
            tally.opened += self._browser.opened - before
        tally = self._crowd.tally
        tally.statuses[answer.status] += 1
        tally.bytes_in += len(answer.head) + len(answer.body) + 4
        return None if answer.status >= FAULTY else answer


async def _until(due: float) -> None:
    wait = due - asyncio.get_running_loop().time()
    if wait > 0:
        await asyncio.sleep(wait)
