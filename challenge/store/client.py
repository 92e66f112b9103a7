"""Scripts, and what a failure of Redis means."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any

from redis.exceptions import NoScriptError, RedisError

from challenge.errors import StoreUnavailable
from challenge.store import tally
from challenge.store.link import Link
from challenge.store.patience import mine
from challenge.store.trouble import cause_of, notice


class Script:
    """One file of ``lua/``, run by its digest and sent whole to a server that lost it.

    Each server of a cluster keeps scripts of its own; sending the text runs and keeps it
    where it is needed, in the one round trip.
    """

    def __init__(self, link: Link, name: str) -> None:
        self._link = link
        self._text = files("challenge.store").joinpath("lua", f"{name}.lua").read_text("utf-8")
        self._digest = hashlib.sha1(self._text.encode(), usedforsecurity=False).hexdigest()

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
                return redis.eval(self._text, len(keys), *keys, *args)


class answered:  # noqa: N801 - reads as `with answered():`, and costs less than a generator
    """Turns whatever redis-py raises into the one error the floors above know."""

    def __enter__(self) -> None:
        """Nothing to prepare."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> None:
        """Says StoreUnavailable for what Redis or the network refused."""
        if isinstance(error, RedisError | OSError):
            cause = cause_of(error)
            tally.count("redis_errors", cause)
            if mine.left is not None:  # where nobody waits, the caller says so itself
                notice(cause)
            raise StoreUnavailable(cause) from error


def within_reach(found: list[Any]) -> list[Any]:
    """Answers of a pipeline without ``raise_on_error``; None for those of a server that is away.

    Raises:
        RedisError: not one of them was answered.
    """
    missing = [answer for answer in found if isinstance(answer, Exception)]
    if missing and len(missing) == len(found):
        raise missing[0]
    return [None if isinstance(answer, Exception) else answer for answer in found]
