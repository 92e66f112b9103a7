"""The service under load: the product's own ``challenge serve``, with its worker and store."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import redis

from challenge.config import load
from challenge.store.datadir import DataDir
from tests.bench.players.visits import Place
from tests.bench.players.wire import Address
from tests.bench.servers import LIFTED
from tests.runtime.processes import READY, until
from tests.store.topologies import KINDS

SHEET = "yacht"
EMBEDDED = "embedded"
STORES = (EMBEDDED, *KINDS)
SECRETS = {"CHALLENGE_STREAM_SECRET": "bench" * 8, "CHALLENGE_SECRET_KEYS": "bench" * 8}


@dataclass(frozen=True, slots=True)
class Stage:
    """A service that is ready: its process, where it is, the masters of its store, and the
    processes of its replicas."""

    serve: int
    address: Address
    place: Place
    nodes: Sequence[redis.Redis]
    environ: dict[str, str]
    replicas: Sequence[int] = ()


@contextmanager
def stage(
    folder: Path, url: str = "", nodes: Sequence[redis.Redis] = (), **environ: str
) -> Iterator[Stage]:
    """Serves from ``folder``: the embedded store there, or the Redis of ``url`` with its nodes.

    One address is everybody here, so the limits of an address are lifted. Solving and weighing
    are left out: they run beside the game, on whatever is left.
    """
    env = {
        **LIFTED,
        "CHALLENGE_SOLVE": "off",
        "CHALLENGE_FAIRPLAY": "off",
        "CHALLENGE_DATA_DIR": str(folder),
        **({"CHALLENGE_REDIS_URL": url} if url else {}),
        **environ,
    }
    log = folder / "serve.log"
    with log.open("wb") as out:
        command = [sys.executable, "-m", "challenge", "serve", "--port", "0"]
        process = subprocess.Popen(
            command, env={**os.environ, **env}, stdout=out, stderr=subprocess.STDOUT
        )
    try:
        port = until(lambda: _port(process, log))
        yield Stage(
            serve=process.pid,
            address=("127.0.0.1", port),
            place=Place(f"127.0.0.1:{port}", f"/{_today(env)}/{SHEET}"),
            nodes=nodes or [redis.Redis.from_url(DataDir(folder).socket_url)],
            environ=env,
        )
    finally:
        process.terminate()
        process.wait()


def _port(process: subprocess.Popen[bytes], log: Path) -> int | None:
    said = log.read_bytes()
    assert process.poll() is None, said.decode(errors="replace")
    if READY not in said:
        return None
    return int(said.split(READY)[1].split()[0].rsplit(b":", 1)[1])


def _today(env: dict[str, str]) -> str:
    return load(env).calendar.date_at(datetime.now(UTC)).isoformat()


@contextmanager
def on(store: str, **environ: str) -> Iterator[Stage]:
    """A stage in a folder of its own, over ``embedded`` or a topology of the store's tests."""
    with tempfile.TemporaryDirectory(prefix="samedice-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        if store == EMBEDDED:
            yield stack.enter_context(stage(folder, **environ))
            return
        there = stack.enter_context(KINDS[store]())
        masters = there.masters()
        nodes = [master.client for master in masters]
        replicas = [server.pid for server in there.servers if server not in masters]
        found = stack.enter_context(stage(folder, there.url, nodes, **SECRETS, **environ))
        yield replace(found, replicas=replicas)
