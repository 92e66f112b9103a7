"""The store of these settings, running: whoever serves it, or started for one command."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from challenge.config import Settings
from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore


@contextmanager
def store_of(settings: Settings) -> Iterator[None]:
    """Within it the store answers: an embedded one that does not run is started and stopped.

    Raises:
        DataDirError, StoreFailed: the embedded store cannot run.
    """
    if settings.redis_url is not None:
        yield
        return
    store = EmbeddedStore(DataDir(settings.data_dir))
    store.start()
    try:
        yield
    finally:
        if store.pid is not None:  # else it is somebody else's, and goes on
            store.stop()
