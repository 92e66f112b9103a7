"""``challenge export``: all the service holds, as lines of JSON."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from challenge import config
from challenge.cli.exportfile import ExportFile
from challenge.cli.meter import Meter
from challenge.cli.operator import stream_secret
from challenge.cli.running import store_of
from challenge.service.moving import lines
from challenge.service.moving.exporting import Exporter, end_of

PARTS = 1000  # of the meter


@click.command()
@click.argument("file", metavar="[FILE]", default="-")
def export(*, file: str) -> None:
    """Write everything the service holds to FILE, or to standard output (operator).

    One line of JSON for each board, game, player and group; never a secret. The service may
    run on. Broken off, the same command goes on where it was; a pipe begins anew.
    `challenge import` reads it under the same stream secret.

    \b
    Example:
      challenge export samedice.jsonl
    """
    from challenge.bootstrap import exporter  # noqa: PLC0415 - brings the store along

    settings = config.load()
    secret = stream_secret(settings)
    meter = Meter("exporting")
    with store_of(settings):
        source = exporter(settings, secret)
        target = ExportFile(Path(file), secret)
        for done in _to_pipe(source, secret) if file == "-" else target.write(source):
            meter.show(int(PARTS * done), PARTS)
    meter.clear()


def _to_pipe(exporter: Exporter, secret: bytes) -> Iterator[float]:
    out, counts = sys.stdout.buffer, Counter[str]()
    out.write(lines.encode(lines.header(secret)))
    for piece in exporter.pieces():
        for line in piece.lines:
            out.write(lines.encode(line))
            counts[lines.kind_of(line)] += 1
        yield piece.done
    out.write(lines.encode(end_of(counts)))
    out.flush()
