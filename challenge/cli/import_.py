"""``challenge import``: takes the lines of an export."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import IO

import click

from challenge import config
from challenge.cli.meter import Meter
from challenge.cli.operator import stream_secret
from challenge.cli.running import store_of
from challenge.errors import BadInput
from challenge.service.moving import lines
from challenge.service.moving.importing import Importer, Numbered, Report

KINDS = ("board", "game", "player", "group", "gone")
SHOWN = 100  # refused lines named one by one


@click.command(name="import")
@click.argument("file", metavar="FILE")
@click.option("--strict", is_flag=True, help="Stop at the first line that is refused.")
def import_(*, file: str, strict: bool) -> int:
    """Take everything a FILE of `challenge export` holds; - reads standard input (operator).

    Each game is replayed; scores, ranks and records come out of the games. What is here
    already stays, so running it again is harmless. Exit code 1 where a line was refused or is
    missing, or the file ends early. Needs the stream secret of the service that was exported.

    \b
    Example:
      challenge import samedice.jsonl
    """
    from challenge.bootstrap import importer  # noqa: PLC0415 - brings the store along

    settings = config.load()
    secret = stream_secret(settings)
    with _opened(file) as source:
        first = source.readline(lines.MOST_BYTES)
        lines.check_header(first, secret)
        with store_of(settings):
            work = importer(settings, secret)
            _read(work, source, strict=strict)
    for line in _summary(work.report):
        click.echo(line)
    report = work.report
    return int(bool(report.refused or report.lost) or not report.whole)


def _read(work: Importer, source: IO[bytes], *, strict: bool) -> None:
    meter = Meter("importing")
    for refused in work.read(_numbered(source, meter)):
        meter.clear()
        if work.report.refused <= SHOWN:
            click.echo(f"line {refused.number}: {refused.why}", err=True)
        if strict:
            break
    meter.clear()


def _opened(file: str) -> IO[bytes]:
    if file == "-":
        return sys.stdin.buffer
    try:
        return open(file, "rb")  # noqa: PTH123 - closed by who reads it
    except OSError as error:
        raise BadInput(f"Cannot read {file}: {error.strerror}.") from None


def _numbered(source: IO[bytes], meter: Meter) -> Iterator[Numbered]:
    """The lines behind the header; one that is too long comes cut, and is refused."""
    whole, done = _size(source), 0
    number = 1
    while text := source.readline(lines.MOST_BYTES):
        number += 1
        done += len(text)
        cut = not text.endswith(b"\n")
        yield number, text
        while cut and (rest := source.readline(lines.MOST_BYTES)):
            cut = not rest.endswith(b"\n")
        if whole and number % 100 == 0:
            meter.show(min(done, whole), whole)


def _size(source: IO[bytes]) -> int:
    try:
        return os.fstat(source.fileno()).st_size
    except (OSError, ValueError):
        return 0


def _summary(report: Report) -> Iterator[str]:
    for kind in KINDS:
        taken, there = report.taken[kind], report.there[kind]
        yield f"{kind:<8} {taken:>10} taken {there:>10} here already"
    if report.erased:
        yield f"Left out, since their players were erased: {report.erased}."
    if report.refused:
        yield f"Refused: {report.refused}."
    if report.lost:
        yield f"Missing: {report.lost} of the lines that the last one counts."
    if not report.whole:
        yield "The file ends early: the export was not finished, or was cut off."
