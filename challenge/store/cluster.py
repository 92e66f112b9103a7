"""A client of a Redis Cluster that behaves like the one of a single server.

redis-py's own cluster client hands a connection to whoever comes next, asks every dead
server again before it gives up, and fails a whole pipeline for one server of three. Here
each thread keeps its connections (so that WAIT follows its write on the same one), a dead
server costs those alone whose keys it holds, and all of it ends within the budget of
:mod:`challenge.store.patience`.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from redis import Redis
from redis.client import Pipeline
from redis.crc import key_slot
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    RedisError,
    ResponseError,
    TryAgainError,
)

from challenge.redis_url import Address
from challenge.store.connections import Held
from challenge.store.line import BROKEN, Command, Line
from challenge.store.nodes import Nodes

HOPS = 6  # answers "elsewhere" or "later" that are followed for one command
LATER = 0.02  # seconds; keys of one script are on their way to another server
ELSEWHERE = (AskError, TryAgainError, ClusterDownError)  # MovedError is an AskError
OUT_OF_REACH = (*BROKEN, Held)
SCRIPTS = ("EVALSHA", "EVAL")
EVERYWHERE = ("SCRIPT LOAD",)
ASKING: Command = (("ASKING",), {})
MULTI: Command = (("MULTI",), {})
EXEC: Command = (("EXEC",), {})
SLOTS: Command = (("CLUSTER", "SLOTS"), {})


def slot_of(args: Sequence[Any]) -> int:
    """The slot of the first key of a command; all keys of one command share it."""
    at = 3 if args[0] in SCRIPTS else 1
    if len(args) <= at:
        raise RedisError(f"{args[0]} names no key, so no server of the cluster is meant")
    key = args[at]
    return key_slot(key if isinstance(key, bytes) else str(key).encode())


class ClusterRedis(Redis):
    """One thread's client of a cluster; ``nodes`` are those of the process."""

    def __init__(self, nodes: Nodes) -> None:
        super().__init__(connection_pool=nodes.pool(nodes.seeds[0]))
        self._nodes = nodes
        self._lines: dict[Address, Line] = {}
        self.last: Line | None = None
        """Where the last command was answered."""
        self.used: set[Line] = set()
        """Where the commands of the last pipeline were answered."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """The answer to one command, sent to the server that holds its key."""
        command = (args, options)
        if args[0] in EVERYWHERE:
            return self._everywhere(command)
        (answer,) = self.run(slot_of(args), [command])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def pipeline(self, transaction: bool = True, shard_hint: Any = None) -> Pipeline:  # noqa: ARG002 (redis-py's signature)
        """Commands sent together; with ``transaction`` all of one slot and as one."""
        return ClusterPipeline(self, transaction)

    def masters(self) -> list[Redis]:
        """A plain client of every server that holds slots."""
        if not self._nodes.masters:
            self._learn()
        return [Redis(connection_pool=self._nodes.pool(a)) for a in self._nodes.masters]

    def run(self, slot: int, batch: Sequence[Command], *, raw: bool = False) -> list[Any]:
        """The answers to commands of one slot, wherever it is now.

        Raises:
            RedisError: its server is out of reach, or it has none.
        """
        address, asking = self._holder(slot), False
        for left in reversed(range(HOPS)):
            line = self._line(address)
            try:
                sent = [ASKING, *batch] if asking else batch
                answers = line.ask(sent, raw=raw)[asking:]
            except OUT_OF_REACH:
                self._learn(avoid=address)
                now = self._nodes.holder(slot)
                if now is None or now == address or not left:
                    raise
                address, asking = now, False
                continue
            told = next((answer for answer in answers if isinstance(answer, ELSEWHERE)), None)
            if told is None:
                break
            address, asking = self._follow(told, slot, address, asking)
        self.last = line
        return answers

    def _follow(
        self, told: Exception, slot: int, address: Address, asking: bool
    ) -> tuple[Address, bool]:
        """Where to go on, and whether as a guest of a slot that is still on its way there."""
        if isinstance(told, AskError):
            target = (told.host or address[0], told.port)
            if isinstance(told, MovedError):
                self._nodes.moved(slot, target)
                self._learn()
            return target, not isinstance(told, MovedError)
        if isinstance(told, TryAgainError):
            time.sleep(LATER)
            return address, asking
        self._learn(avoid=address)
        raise told

    def together(self, stack: Sequence[Command]) -> list[Any]:
        """Each command's answer or exception: all are sent before the first is read."""
        by_server: dict[Address, list[int]] = {}
        for at, (args, _) in enumerate(stack):
            by_server.setdefault(self._holder(slot_of(args)), []).append(at)
        answers: list[Any] = [None] * len(stack)
        sent: list[tuple[Line, list[int]]] = []
        try:
            for address, places in by_server.items():
                line = self._line(address)
                try:
                    line.send([stack[at] for at in places])
                    sent.append((line, places))
                except OUT_OF_REACH as error:
                    _fill(answers, places, [error] * len(places))
            for line, places in sent:
                try:
                    _fill(answers, places, line.receive([stack[at] for at in places]))
                except BROKEN as error:
                    _fill(answers, places, [error] * len(places))
        except BaseException:
            for line, _ in sent:
                line.drop()
            raise
        self.used = {line for line, _ in sent}
        self._again(stack, answers)
        return answers

    def _again(self, stack: Sequence[Command], answers: list[Any]) -> None:
        """One by one what was elsewhere or got no answer; what is out of reach stays so."""
        dead: dict[Address | None, Exception] = {}
        for at, answer in enumerate(answers):
            if not isinstance(answer, (*ELSEWHERE, *OUT_OF_REACH)):
                continue
            slot = slot_of(stack[at][0])
            try:
                answers[at] = dead.get(self._nodes.holder(slot)) or self._alone(slot, stack[at])
            except OUT_OF_REACH as error:
                answers[at] = dead[self._nodes.holder(slot)] = error
            except RedisError as error:
                answers[at] = error

    def _alone(self, slot: int, command: Command) -> Any:
        (answer,) = self.run(slot, [command])
        if self.last is not None:
            self.used.add(self.last)
        return answer

    def as_one(self, stack: Sequence[Command]) -> list[Any]:
        """Answers of commands of one slot that are carried out as one."""
        slots = {slot_of(args) for args, _ in stack}
        if len(slots) > 1:
            raise RedisError("a transaction takes keys of one slot")
        answers = self.run(slots.pop(), [MULTI, *stack, EXEC], raw=True)
        refused = next((answer for answer in answers if isinstance(answer, Exception)), None)
        if refused is not None:
            raise refused
        return [
            self._read(args[0], raw, options)
            for (args, options), raw in zip(stack, answers[-1], strict=True)
        ]

    def _read(self, name: str, raw: Any, options: dict[str, Any]) -> Any:
        """An answer out of EXEC as redis-py gives it."""
        options.pop("keys", None)  # redis-py's note for its cache
        if isinstance(raw, Exception) or name not in self.response_callbacks:
            return raw
        return self.response_callbacks[name](raw, **options)

    def _everywhere(self, command: Command) -> Any:
        """Sent to every master; enough that one of them took it."""
        self._holder(0)
        answer: Any = None
        for address in self._nodes.masters:
            try:
                (found,) = self._line(address).ask([command])
            except OUT_OF_REACH as error:
                found = error
            if answer is None or isinstance(answer, Exception):
                answer = found
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _holder(self, slot: int) -> Address:
        found = self._nodes.holder(slot)
        if found is None:
            self._learn()
            found = self._nodes.holder(slot)
        if found is None:
            why = self._nodes.silence
            raise BROKEN[0]("no server of the cluster that answers holds this slot") from why
        return found

    def _line(self, address: Address) -> Line:
        found = self._lines.get(address)
        if found is None:
            found = Line(self._nodes.pool(address), self.parse_response)
            self._lines[address] = found
        return found

    def _learn(self, avoid: Address | None = None) -> None:
        self._nodes.learn(self._slots, avoid)

    def _slots(self, address: Address) -> Any:
        (slots,) = self._line(address).ask([SLOTS], raw=True)
        if isinstance(slots, Exception):
            raise slots
        return slots


class ClusterPipeline(Pipeline):
    """Commands that are sent at once, each to the server that holds its key."""

    def __init__(self, client: ClusterRedis, transaction: bool) -> None:
        super().__init__(client.connection_pool, client.response_callbacks, transaction, None)
        self._client = client
        self._whole = transaction

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """The answers in order. Without ``raise_on_error`` a failure stands in its place."""
        stack, self.command_stack = self.command_stack, []
        if not stack:
            return []
        answers = self._client.as_one(stack) if self._whole else self._client.together(stack)
        if raise_on_error:
            for answer in answers:
                if isinstance(answer, RedisError | ResponseError):
                    raise answer
        return answers


def _fill(answers: list[Any], places: Sequence[int], found: Sequence[Any]) -> None:
    for at, answer in zip(places, found, strict=True):
        answers[at] = answer
