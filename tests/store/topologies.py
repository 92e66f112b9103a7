"""Stores as an operator may run them, on loopback: one Valkey, Sentinel, a cluster.

Each is started when a test first asks for it, once in a test process, and ends with it.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from challenge import lifeline
from challenge.store.datadir import DataDir
from challenge.store.server import find_server
from tests.runtime.processes import until

HOST = "127.0.0.1"
SERVICE = "samedice"
DOWN_MS = 1000
LASTING = ("--appendonly", "yes", "--save", "", "--repl-diskless-sync-delay", "0")
MASTERS = 3


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on right now, all different."""
    with ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind((HOST, 0))
        return [probe.getsockname()[1] for probe in probes]


@dataclass(frozen=True, slots=True)
class Encrypted:
    """How servers speak TLS: a program that can, and who answers for them."""

    binary: Path
    ca: Path
    cert: Path
    key: Path

    @property
    def options(self) -> tuple[str, ...]:
        """Of each server; among themselves they speak TLS as well."""
        return (
            *("--tls-ca-cert-file", str(self.ca), "--tls-auth-clients", "no"),
            *("--tls-cert-file", str(self.cert), "--tls-key-file", str(self.key)),
            *("--tls-replication", "yes", "--tls-cluster", "yes"),
        )


class Server:
    """One server process with a directory of its own; ``tls`` as its topology says."""

    def __init__(
        self, folder: Path, port: int, *options: str, tls: Encrypted | None = None
    ) -> None:
        self.port = port
        secure: dict[str, Any] = {"ssl": True, "ssl_ca_certs": str(tls.ca)} if tls else {}
        self.client = redis.Redis(
            HOST, port, socket_timeout=2, socket_connect_timeout=2, retry=Retry(NoBackoff(), 0),
            **secure,
        )  # fmt: skip
        self._tls = tls
        self._options = options
        self._folder = folder / str(port)
        self._folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Server:
        """Starts it, with what it wrote before."""
        if self._tls:
            listening = [*self._tls.options, "--port", "0", "--tls-port", str(self.port)]
            binary = self._tls.binary
        else:
            listening = ["--port", str(self.port)]
            binary = find_server(DataDir(self._folder)).binary
        base = [str(binary), *self._options, *listening, "--bind", HOST]
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [*base, "--dir", str(self._folder), "--loglevel", "notice"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                preexec_fn=lifeline.tied_to(os.getpid()),  # noqa: PLW1509 (no threads here)
            )  # fmt: skip
        return self

    def wait(self) -> Server:
        """Until it answers."""
        until(self.answers)
        return self

    def answers(self) -> bool:
        """Whether it takes commands."""
        with suppress(RedisError):
            return bool(self.client.ping())
        return False

    def info(self) -> dict[str, Any]:
        """What it says of itself as master or replica; nothing while it is away."""
        with suppress(RedisError):
            return dict(self.client.info("replication"))
        return {}

    def kill(self) -> None:
        """SIGKILL."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    @property
    def pid(self) -> int:
        """Its process."""
        assert self._process is not None
        return self._process.pid


class Topology:
    """Some servers in a directory; a context that ends them all.

    A server that is silent for ``down_ms`` counts as dead.
    """

    name = "single"

    def __init__(self, tls: Encrypted | None = None, down_ms: int = DOWN_MS) -> None:
        self._tls = tls
        self._down_ms = down_ms
        self._folder = Path(tempfile.mkdtemp(prefix="samedice-test-"))
        self.servers: list[Server] = []
        self._all: list[Server] = []

    def __enter__(self) -> Topology:
        try:
            self._start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """Ends every server and removes what they wrote."""
        for server in self._all:
            server.kill()
        shutil.rmtree(self._folder, ignore_errors=True)

    @property
    def url(self) -> str:
        """The setting that leads here."""
        return self._url("", f"{HOST}:{self.servers[0].port}/0")

    def _url(self, kind: str, place: str) -> str:
        if self._tls is None:
            return f"redis{kind}://{place}"
        return f"rediss{kind}://{place}?ssl_ca_certs={self._tls.ca}"

    def _server(self, port: int, *options: str) -> Server:
        return Server(self._folder, port, *options, tls=self._tls)

    def flush(self) -> None:
        """Empties it, scripts included."""
        for server in self.masters():
            server.client.flushall()
            server.client.script_flush()

    def masters(self) -> list[Server]:
        """Who takes writes."""
        return [server for server in self.servers if server.info().get("role") == "master"]

    def replicas_of(self, master: Server) -> list[Server]:
        """Who follows a master and is in step with it."""
        return [
            server
            for server in self.servers
            if (info := server.info()).get("role") == "slave"
            and info["master_port"] == master.port
            and info["master_link_status"] == "up"
            and not info["master_sync_in_progress"]
        ]

    def _start(self) -> None:
        self._add(free_ports(1), LASTING)

    def _add(self, ports: Iterable[int], options: Sequence[str]) -> list[Server]:
        made = [self._server(port, *options) for port in ports]
        self.servers += made
        self._launch(made)
        return made

    def _launch(self, servers: Iterable[Server]) -> None:
        for server in servers:
            self._all.append(server.start())
        for server in servers:
            server.wait()


class Replicated(Topology):
    """What a Sentinel and a cluster have in common: a master dies, a replica takes over."""

    def fail_over(self, dead: Server) -> Server:
        """Kills a master (SIGKILL) and waits for the one that takes its place."""
        others = {server.port for server in self.masters()} - {dead.port}
        dead.kill()
        until(lambda: self._successors(others))
        (successor,) = self._successors(others)
        return successor

    def _successors(self, others: set[int]) -> list[Server]:
        found = [server for server in self.masters() if server.port not in others]
        return found if len(found) == 1 and self._known(found[0]) else []

    def rejoin(self, server: Server) -> None:
        """Starts a killed server again and waits until it follows the one that took over."""
        server.start().wait()
        until(self.settled)

    def settled(self) -> bool:
        """Whether each master has all of its replicas in step, and is known to everybody."""
        masters = self.masters()
        followed = [len(self.replicas_of(master)) for master in masters]
        return len(masters) == self._masters and sum(followed) == self._replicas and all(followed)

    _masters, _replicas = 1, 2

    def _known(self, master: Server) -> bool:
        raise NotImplementedError


class Sentinel(Replicated):
    """A master, two replicas, three sentinels."""

    name = "sentinel"

    def __init__(self, tls: Encrypted | None = None, down_ms: int = DOWN_MS) -> None:
        super().__init__(tls, down_ms)
        self.sentinels: list[Server] = []

    @property
    def url(self) -> str:
        """The setting that leads here."""
        hosts = ",".join(f"{HOST}:{sentinel.port}" for sentinel in self.sentinels)
        return self._url("+sentinel", f"{hosts}/{SERVICE}/0")

    def _start(self) -> None:
        master, *others = free_ports(6)
        self._add([master], LASTING)
        self._add(others[:2], (*LASTING, "--replicaof", HOST, str(master)))
        self.sentinels = [self._sentinel(port, master) for port in others[2:]]
        self._launch(self.sentinels)
        until(self.settled)

    def _sentinel(self, port: int, master: int) -> Server:
        conf = self._folder / f"sentinel-{port}.conf"
        conf.write_text(
            f"sentinel monitor {SERVICE} {HOST} {master} 2\n"
            f"sentinel down-after-milliseconds {SERVICE} {self._down_ms}\n"
            f"sentinel failover-timeout {SERVICE} {3 * self._down_ms}\n"
            f"sentinel parallel-syncs {SERVICE} 2\n"
        )
        return self._server(port, str(conf), "--sentinel")

    def settled(self) -> bool:
        """As above, and every sentinel knows all the others and both replicas."""
        states = [self._state(sentinel) for sentinel in self.sentinels]
        ready = [
            state.get("num-other-sentinels") == 2
            and state["num-slaves"] == 2
            and state["flags"] == "master"
            for state in states
        ]
        return all(ready) and super().settled()

    @property
    def failovers(self) -> int:
        """How often a master was replaced, dead or not: each time is an epoch."""
        return max(int(self._state(sentinel)["config-epoch"]) for sentinel in self.sentinels)

    def _known(self, master: Server) -> bool:
        return all(self._state(s).get("port") == master.port for s in self.sentinels)

    def _state(self, sentinel: Server) -> dict[str, Any]:
        with suppress(RedisError):
            return dict(sentinel.client.sentinel_master(SERVICE))
        return {}


class Cluster(Replicated):
    """Three masters and a replica of each."""

    name = "cluster"
    _masters, _replicas = MASTERS, MASTERS

    @property
    def url(self) -> str:
        """The setting that leads here; three of the nodes are named."""
        hosts = ",".join(f"{HOST}:{server.port}" for server in self.servers[:3])
        return self._url("+cluster", hosts)

    def _start(self) -> None:
        ports = free_ports(4 * MASTERS)
        for port, bus in zip(ports[::2], ports[1::2], strict=True):
            node = self._server(port, *LASTING, *_as_node(bus, self._down_ms))
            self.servers.append(node)
        self._launch(self.servers)
        self._join(dict(zip(ports[::2], ports[1::2], strict=True)))
        self._deal()
        until(self.settled)

    def _join(self, buses: dict[int, int]) -> None:
        for epoch, server in enumerate(self.servers, 1):
            server.client.execute_command("CLUSTER SET-CONFIG-EPOCH", epoch)
        for server in self.servers:
            for other in self.servers:
                where = (HOST, other.port, buses[other.port])
                server.client.execute_command("CLUSTER MEET", *where)
        until(lambda: all(len(_nodes(server)) == 2 * MASTERS for server in self.servers))

    def _deal(self) -> None:
        width = 16384 // MASTERS + 1
        for number, master in enumerate(self.servers[:MASTERS]):
            slots = number * width, min((number + 1) * width, 16384) - 1
            master.client.execute_command("CLUSTER ADDSLOTSRANGE", *slots)
            until(lambda master=master: _is_master_everywhere(master, self.servers))
        for master, replica in zip(self.servers, self.servers[MASTERS:], strict=False):
            replica.client.execute_command("CLUSTER REPLICATE", id_of(master))

    def settled(self) -> bool:
        """As above, and no server thinks that another one is gone or takes no commands."""
        if not all(_serves(server) for server in self.servers):
            return False
        views = [_nodes(server) for server in self.servers]
        flags = [flag for view in views for node in view for flag in node[2].split(",")]
        return not {"fail", "fail?", "handshake", "noaddr"} & set(flags) and super().settled()

    def _known(self, master: Server) -> bool:
        alive = [server for server in self.servers if server.answers()]
        return _is_master_everywhere(master, alive)

    def master_of(self, key: str) -> Server:
        """The server that holds a key."""
        slot = self.servers[0].client.execute_command("CLUSTER KEYSLOT", key)
        return next(server for server in self.masters() if holds(server, slot))


def _as_node(bus: int, down_ms: int) -> tuple[str, ...]:
    return (
        *("--cluster-enabled", "yes", "--cluster-port", str(bus)),
        *("--cluster-node-timeout", str(down_ms)),
        *("--cluster-require-full-coverage", "no"),
        *("--cluster-allow-replica-migration", "no"),
    )


def _nodes(server: Server) -> list[list[str]]:
    """Lines of CLUSTER NODES: id, address, flags, master, …"""
    client = server.client
    raw: Any = client.connection_pool  # a plain reply: redis-py would make a dictionary of it
    with suppress(RedisError):
        connection = raw.get_connection()
        try:
            connection.send_command("CLUSTER", "NODES")
            text: bytes = connection.read_response()
        finally:
            raw.release(connection)
        return [line.split() for line in text.decode().splitlines()]
    return []


def _serves(server: Server) -> bool:
    """Whether a server of a cluster takes commands; one that came back waits a moment."""
    with suppress(RedisError):
        said: Any = server.client.execute_command("CLUSTER INFO")
        return bool(said["cluster_state"] == "ok")
    return False


def id_of(server: Server) -> str:
    """The name of a server within its cluster."""
    return next(node[0] for node in _nodes(server) if "myself" in node[2])


def _is_master_everywhere(master: Server, servers: Iterable[Server]) -> bool:
    name = id_of(master)
    return all(
        any(node[0] == name and "master" in node[2] and len(node) > 8 for node in _nodes(server))
        for server in servers
    )


def holds(server: Server, slot: int) -> bool:
    """Whether a server holds a slot, by its own account."""
    mine = next((node for node in _nodes(server) if "myself" in node[2]), [])
    ranges = [part.split("-") for part in mine[8:] if not part.startswith("[")]
    return any(int(ends[0]) <= slot <= int(ends[-1]) for ends in ranges)


KINDS: dict[str, type[Topology]] = {kind.name: kind for kind in (Topology, Sentinel, Cluster)}
_running: dict[str, Topology] = {}
_open = ExitStack()


def running(name: str) -> Topology:
    """The topology of this test process, started at the first call."""
    if name not in _running:
        _running[name] = _open.enter_context(KINDS[name]())
    return _running[name]


def end_all() -> None:
    """Ends what this test process started."""
    _running.clear()
    _open.close()
