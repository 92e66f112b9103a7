"""What only the operator has: the stream secret, looked up and never made."""

from __future__ import annotations

from challenge import bootstrap
from challenge.config import Settings
from challenge.errors import SettingError
from challenge.store.datadir import DataDir


def stream_secret(settings: Settings) -> bytes:
    """The stream secret these settings lead to.

    Dice of a secret nobody serves would mislead, so a data directory that has none yet
    gets none here.

    Raises:
        SettingError: there is none.
        DataDirError: the data directory cannot be read.
    """
    _need_made(settings, settings.stream_secret, "stream.secret", "CHALLENGE_STREAM_SECRET")
    return bootstrap.stream_secret(settings)


def signing_keys(settings: Settings) -> tuple[bytes, ...]:
    """The signing keys, in the same way."""
    _need_made(settings, settings.secret_keys, "signing.keys", "CHALLENGE_SECRET_KEYS")
    return bootstrap.signing_keys(settings)


def _need_made(settings: Settings, value: object, file: str, name: str) -> None:
    embedded = value is None and settings.redis_url is None
    if embedded and not (DataDir(settings.data_dir).path / file).exists():
        raise SettingError(
            f"{name} is unset and the data directory {settings.data_dir} has no {file} yet; "
            "`challenge serve` makes one; to import, bring that of the old service along. "
            "CHALLENGE_DATA_DIR names another directory."
        )
