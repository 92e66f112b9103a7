"""``challenge prepare``: what the worker works out beside its rounds."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from contextlib import suppress

import click

from challenge import config, lifeline, logs
from challenge.bootstrap import build, utc_now
from challenge.errors import SamediceError
from challenge.game.ruleset import Ruleset
from challenge.service.solved import need_solver
from challenge.store.datadir import DataDir, try_lock

PARENT = "SAMEDICE_WORKER"
KINDLY = 15  # of 19: whoever plays goes first


@click.command()
def prepare() -> None:
    """Solve the offered sheets and work through the boards, as far as that is missing.

    For each board it finds the best game its dice allow and lets the computer players play.
    The worker starts this by itself, unless CHALLENGE_SOLVE is off. Sheets that take minutes
    are left to `challenge solve`. Needs the extra `solver`.

    \b
    Example:
      challenge prepare
    """
    need_solver("numpy", "numba")
    parent = int(os.environ.get(PARENT, "0"))
    if parent:
        lifeline.tie_to(parent)
        lifeline.watch(parent)
    os.nice(KINDLY)
    settings = config.load()
    logs.begin(settings.request_log, logging.INFO)
    folder = DataDir(settings.data_dir).solver
    with suppress(OSError):  # then the lock says why not
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if try_lock(folder / "prepare.lock") is None:
        click.echo("Another process is preparing already.", err=True)
        return
    apart = Apart()
    build(settings).preparing.run(utc_now(), apart.solve, apart.spread)
    if apart.failed:
        raise PreparingFailed(f"This failed: {', '.join(apart.failed)}.")


class PreparingFailed(SamediceError):
    """Some of the work could not be done; the message says what."""


class Apart:
    """Runs `challenge solve` and `challenge odds`, each in a process that then gives its
    memory back; ``failed`` names those that failed.
    """

    def __init__(self) -> None:
        self.failed: list[str] = []

    def solve(self, sheet: Ruleset) -> None:
        """Make the table of a sheet."""
        self._run("solve", sheet.id)

    def spread(self, sheet: Ruleset) -> None:
        """Make the distribution beside a table."""
        self._run("odds", sheet.id)

    def _run(self, *words: str) -> None:
        done = subprocess.run(  # noqa: S603 (our own command, no shell)
            [sys.executable, "-m", "challenge", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            preexec_fn=lifeline.tied_to(os.getpid()),
            check=False,
        )
        if done.returncode:
            self.failed.append(" ".join(words))
