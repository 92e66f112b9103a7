"""``challenge backup``: a copy of the data directory while the service runs."""

from __future__ import annotations

from pathlib import Path

import click

from challenge import config
from challenge.config import Settings
from challenge.errors import SettingError
from challenge.store.backup import backup as copy
from challenge.store.datadir import DataDir

OWN_REDIS = (
    "CHALLENGE_REDIS_URL is set, so the data is not in a data directory: back that Redis up by "
    "its own means, or write all of it with `challenge export FILE`."
)


@click.command()
@click.argument("directory", metavar="DIRECTORY", type=click.Path(path_type=Path))
def backup(*, directory: Path) -> None:
    """Copy the data directory into a new DIRECTORY (operator).

    The service may run on. The copy has all that was acknowledged before, and the secrets:
    keep it as safe as they are.
    `challenge serve` runs on a copy of it, with CHALLENGE_DATA_DIR naming that copy.

    \b
    Example:
      challenge backup /var/backups/samedice-2026-11-30
    """
    settings = config.load()
    if settings.redis_url is not None:
        raise SettingError(OWN_REDIS)
    target = directory.absolute()
    copied = copy(DataDir(settings.data_dir), target)
    click.echo(f"{target} has {len(copied)} files: the store, and what it runs with.")
    for word in _missing(settings):
        click.echo(f"Not in it: {word}, since it is set in the environment.", err=True)


def _missing(settings: Settings) -> list[str]:
    given = {
        "CHALLENGE_STREAM_SECRET": settings.stream_secret,
        "CHALLENGE_SECRET_KEYS": settings.secret_keys,
    }
    return [name for name, value in given.items() if value is not None]
