"""``challenge serve``: everything Samedice needs, in one process tree."""

from __future__ import annotations

import os
import socket
import sys
from dataclasses import replace

import click

from challenge import config
from challenge.cli.children import Child, StoreChild
from challenge.cli.listening import listen
from challenge.cli.notices import tell_manager
from challenge.cli.reachable import check_reachable
from challenge.cli.supervisor import Supervisor
from challenge.config import Settings
from challenge.errors import DataDirError
from challenge.store.datadir import DataDir, try_lock
from challenge.store.embedded import EmbeddedStore

PORT_SECONDS = 15.0
OURS_ALONE = ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES", "NOTIFY_SOCKET")
AT_HOME = ("127.0.0.1", "::1", "0.0.0.0", "::")  # noqa: S104 (shown, not bound)


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65535), help="Port to listen on; 0 takes a free one.  [PORT]"
)
@click.option("--workers", type=click.IntRange(1, 64), help="Web workers.  [WEB_CONCURRENCY]")
def serve(host: str, port: int | None, workers: int | None) -> None:
    """Serve Samedice: web server, worker and, without CHALLENGE_REDIS_URL, the store.

    Says when it is ready; SIGTERM or Ctrl-C stops all of it. Only this machine reaches
    it unless --host says otherwise (0.0.0.0: every machine); PORT sets the port alone.
    A socket that systemd hands over is listened on instead.

    \b
    Example:
      challenge serve --host 0.0.0.0 --port 8000 --workers 2
    """
    settings = config.load()
    settings = replace(settings, web_concurrency=workers or settings.web_concurrency)
    port = settings.port if port is None else port
    if settings.redis_url is None:
        _serve_embedded(settings, host, port)
    else:
        _check_settings(settings)
        check_reachable(settings.redis_url)
        _run(settings, None, listen(host, port), host)


def _serve_embedded(settings: Settings, host: str, port: int) -> None:
    data_dir = DataDir(settings.data_dir)
    data_dir.prepare()
    _make_secrets(settings, data_dir)
    owner, was_killed = _own(data_dir)
    listener = listen(host, port, PORT_SECONDS if was_killed else 0)
    os.pwrite(owner, f"process {os.getpid()} at {_url(host, listener)}\n".encode(), 0)
    try:
        _run(settings, StoreChild(EmbeddedStore(data_dir)), listener, host)
    finally:
        os.ftruncate(owner, 0)


def _make_secrets(settings: Settings, data_dir: DataDir) -> None:
    """Before the children, which would all try at once."""
    if settings.stream_secret is None:
        data_dir.stream_secret()
    if settings.secret_keys is None:
        data_dir.signing_keys()


def _own(data_dir: DataDir) -> tuple[int, bool]:
    """The lock that makes this process the only ``serve`` of the directory.

    And whether the last one was killed: then its children may need a moment to end.
    """
    lock = try_lock(data_dir.serve_lock)
    if lock is None:
        owner = data_dir.serve_lock.read_text("utf-8", "replace").strip() or "another process"
        raise DataDirError(f"The data directory {data_dir.path} is already served by {owner}.")
    was_killed = os.fstat(lock).st_size > 0
    os.ftruncate(lock, 0)
    return lock, was_killed


def _run(settings: Settings, store: StoreChild | None, listener: socket.socket, host: str) -> None:
    port = listener.getsockname()[1]
    environ = _environ(settings, port)
    web = Child("The web server", _gunicorn(listener.fileno()), environ, [listener.fileno()])
    worker = Child("The worker", [sys.executable, "-m", "challenge", "worker"], environ)
    for warning in settings.warnings():
        click.echo(f"Warning: {warning}", err=True)

    def announce() -> None:
        click.echo(f"Samedice is ready: {_url(host, listener)}")
        tell_manager("READY=1")

    Supervisor(listener, store, web, worker, announce).run()


def _gunicorn(fd: int) -> list[str]:
    conf = "python:challenge.gunicorn_conf"
    options = ["-c", conf, "-b", f"fd://{fd}", "challenge.wsgi:app"]
    return [sys.executable, "-m", "gunicorn", *options]


def _environ(settings: Settings, port: int) -> dict[str, str]:
    inherited = {name: os.environ[name] for name in os.environ if name not in OURS_ALONE}
    return {
        "MALLOC_ARENA_MAX": "2",  # glibc's arena a thread costs memory for nothing here
        **inherited,
        "PORT": str(port),
        "WEB_CONCURRENCY": str(settings.web_concurrency),
        "SAMEDICE_SUPERVISOR": str(os.getpid()),
    }


def _url(host: str, listener: socket.socket) -> str:
    shown = "localhost" if host in AT_HOME else f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"


def _check_settings(settings: Settings) -> None:
    """Say in one line here what each of the children would say."""
    from challenge import bootstrap  # noqa: PLC0415 (brings redis-py; embedded does without)

    bootstrap.build(settings)
