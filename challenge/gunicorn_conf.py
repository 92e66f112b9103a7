"""How gunicorn serves Samedice; ``challenge serve`` and ``deploy/gunicorn.conf.py`` use it.

Nothing here or in ``challenge.wsgi`` sends a Redis command before the workers fork.
"""

from __future__ import annotations

import gc
import logging
import os
import resource
import signal
import socket
import struct
import sys
from pathlib import Path
from typing import Any

from challenge import bootstrap, lifeline, logs
from challenge.config import load
from challenge.errors import SamediceError
from challenge.game import rulesets
from challenge.web.current import EXTENSION
from challenge.web.watch import shared
from challenge.web.watch.server_log import ServerLog

try:
    _settings = load()
    bootstrap.build(_settings)  # says in one line what would be a traceback in the application
except SamediceError as error:
    sys.stderr.write(f"challenge: {error}\n")
    raise SystemExit(2) from None

logs.begin(_settings.request_log)
shared.begin()  # before the application, whose counters lie there

_shared_memory = Path("/dev/shm")  # noqa: S108 (gunicorn makes an unnamed file there)


def _descriptors(wanted: int = 8_200) -> int:
    """How many descriptors a process may have, the soft limit raised as far as is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return min(wanted, soft) if soft != resource.RLIM_INFINITY else wanted


# A platform that gives a PORT reaches us from outside; without one we are at home.
bind = f"{'0.0.0.0' if 'PORT' in _settings.given else '127.0.0.1'}:{_settings.port}"  # noqa: S104
workers = _settings.web_concurrency
worker_class = "challenge.gunicorn_worker.Worker"  # gthread that waits for whole requests
threads = 4
preload_app = True
backlog = 1024

# A kept connection counts, even while its player thinks: gunicorn's 1000 would make others
# wait. Each needs a descriptor; some are left for Redis, files and the listening socket.
worker_connections = max(_descriptors() - 200, 100)

timeout = 30
graceful_timeout = 10
sendfile = False  # files too go the way on which no thread waits for a reader
keepalive = 15

control_socket_disable = True  # else it opens a socket below the home directory
forwarded_allow_ips = ""  # X-Forwarded-* are judged by CHALLENGE_TRUSTED_PROXIES alone
limit_request_line = 4094
limit_request_fields = 64
limit_request_field_size = 8190

# The heartbeat file: on a disk, a slow write would look like a hanging worker.
worker_tmp_dir = str(_shared_memory) if os.access(_shared_memory, os.W_OK) else None

accesslog = None
errorlog = "-"
loglevel = "warning"
logger_class = ServerLog
proc_name = "samedice"

_STALL_SECONDS = 10
_ANSWER_ROOM = 262_144  # bytes in the kernel, so that little is left to be sent piece by piece
_supervisor = int(os.environ.get("SAMEDICE_SUPERVISOR", "0"))


def when_ready(server: Any) -> None:
    """Before the first fork: bound waits, leave shared pages alone, mind the supervisor."""
    for listener in server.LISTENERS:
        _bound_waits(listener)
    _warm(server.app.wsgi())
    logging.getLogger("gunicorn.error").addFilter(_is_news)
    gc.collect()
    gc.freeze()
    if _supervisor:
        lifeline.watch(_supervisor)


def _warm(app: Any) -> None:
    """The table of the default sheet, once for all workers instead of in a first request."""
    services = getattr(app, "extensions", {}).get(EXTENSION)  # another app has none
    if services is not None:
        services.insight.warm(rulesets.find(_settings.default_ruleset))


def post_fork(server: Any, worker: Any) -> None:  # noqa: ARG001 (gunicorn's signature)
    """In the new worker: end when the master ends, even if it was killed.

    Until the worker has handlers of its own it has the master's, which would swallow a
    SIGTERM and keep everyone waiting for ``graceful_timeout``.
    """
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    lifeline.tie_to(worker.ppid)


def child_exit(server: Any, worker: Any) -> None:  # noqa: ARG001 (gunicorn's signature)
    """In the master: what an ended worker has counted stays."""
    shared.bury(worker.pid)


def _bound_waits(listener: Any) -> None:
    """Connections inherit it: a client silent amid a request must not keep a thread for good.

    A phone that loses its network says no goodbye, and gunicorn itself waits for ever. What is
    answered goes into a buffer that has room for nearly every answer, however slowly it is read;
    the rest of a larger one is sent by the worker's loop.
    """
    span = struct.pack("ll", _STALL_SECONDS, 0)
    for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
        listener.setsockopt(socket.SOL_SOCKET, option, span)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _ANSWER_ROOM)


def _is_news(record: logging.LogRecord) -> bool:
    """Not each client that fell silent; gunicorn would log a traceback for it."""
    return not (record.exc_info and isinstance(record.exc_info[1], BlockingIOError))
