"""Scripts, and what a failure of Redis means."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any

from redis.exceptions import NoScriptError, RedisError

from challenge.errors import StoreUnavailable
from challenge.store.link import Link


class Script:
    """One file of ``lua/``, run by its digest and loaded again where the server lost it."""

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self._text = files("challenge.store").joinpath("lua", f"{name}.lua").read_bytes()
        self._digest = hashlib.sha1(self._text, usedforsecurity=False).hexdigest()

    def __call__(self, keys: list[str], args: list[str | bytes | int]) -> Any:
        """The script's answer.

        Raises:
            StoreUnavailable: Redis does not answer.
        """
        with answered():
            redis = self._link.redis
            try:
                return redis.evalsha(self._digest, len(keys), *keys, *args)
            except NoScriptError:
                redis.script_load(self._text)
                return redis.evalsha(self._digest, len(keys), *keys, *args)


class answered:  # noqa: N801 - reads as `with answered():`, and costs less than a generator
    """Turns whatever redis-py raises into the one error the floors above know."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        """Says StoreUnavailable for what Redis or the network refused."""
        if isinstance(error, RedisError | OSError):
            raise StoreUnavailable(type(error).__name__) from error
