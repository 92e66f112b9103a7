"""``challenge worker``: settles finished games, opens and closes boards, has sheets solved."""

from __future__ import annotations

import os
import signal
import threading

import click

from challenge import config, lifeline, logs
from challenge.bootstrap import build
from challenge.cli.beside import Beside
from challenge.cli.weighing import Side, Sides, Weighing
from challenge.service.worker import Worker

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT)
_ENDED = 0  # no signal has this number


@click.command()
def worker() -> None:
    """Settle finished games, open and close boards, until SIGTERM.

    Beside that it has sheets solved and boards worked through (`challenge prepare`)
    and finished games weighed (`challenge weigh`).

    ``challenge serve`` starts one by itself; with CHALLENGE_REDIS_URL any number may run.

    \b
    Example:
      CHALLENGE_REDIS_URL=redis://localhost challenge worker
    """
    supervisor = int(os.environ.get("SAMEDICE_SUPERVISOR", "0"))
    if supervisor:
        lifeline.watch(supervisor)
    settings = config.load()
    logs.begin(settings.request_log)
    services = build(settings)
    weighing = Weighing(settings, services.fairplay.waiting)
    run_until_stopped(services.worker, Sides(Beside(settings), weighing))


def run_until_stopped(work: Worker, beside: Side) -> None:
    """Run ``work`` in a thread of its own until a stop signal reaches this one.

    After each round ``beside`` has a look.

    The main thread only waits: a signal handler that sets an event the same thread
    waits for could wait for itself.
    """
    wake_up, end = os.pipe()
    os.set_blocking(end, False)
    signal.set_wakeup_fd(end, warn_on_full_buffer=False)
    for signum in STOP_SIGNALS:
        signal.signal(signum, lambda *_: None)
    stop = threading.Event()
    failed: list[BaseException] = []

    def run() -> None:
        try:
            work.run(stop, beside.look)
        except BaseException as error:
            failed.append(error)
        finally:
            beside.stop()
            os.write(end, bytes((_ENDED,)))

    thread = threading.Thread(target=run, name="worker")
    thread.start()
    while not _is_over(os.read(wake_up, 512)):
        pass  # another signal: the look for a parent, where the system does not tell
    stop.set()
    thread.join()
    if failed:
        raise failed[0]


def _is_over(woken: bytes) -> bool:
    """Whether a stop signal came, or the thread has ended."""
    return any(byte == _ENDED or byte in STOP_SIGNALS for byte in woken)
