"""How far a long command is, shown on a terminal and nowhere else."""

from __future__ import annotations

import sys
import time

import click


class Meter:
    """Shows on a terminal how far something is and how long it will take."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._start = time.monotonic()
        self._visible = sys.stderr.isatty()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    def show(self, done: int, whole: int) -> None:
        """``done`` of ``whole`` is done."""
        if self._visible:
            left = self.seconds * (whole - done) / max(done, 1)
            line = f"\r{self._name}: {100 * done // whole:3} %, about {left:.0f} s left  "
            click.echo(line, err=True, nl=False)

    def clear(self) -> None:
        """Take the line away."""
        if self._visible:
            click.echo("\r\033[K", err=True, nl=False)
