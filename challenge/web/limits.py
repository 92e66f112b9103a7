"""How often one may: new players, joins, guesses and pages by address, moves by player.

Flask-Limiter counts by address in Redis, and alone decides about pages, before the page is
made. Where a count depends on what comes of the request it is asked by hand: its own
``deduct_when`` looks first and counts after the answer, so that many at once all find room.
Here one is counted first and given back where nothing came of it.

An address goes no further than this module: counts are kept under a keyed hash of it.

Moves are counted in the memory of each process: asking Redis would cost more than the move.
"""

from __future__ import annotations

import hmac
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from ipaddress import IPv4Address, IPv6Network
from typing import NoReturn, ParamSpec, TypeVar, cast

from flask import Flask, current_app, request
from flask_limiter import Limiter, RequestLimit
from limits import RateLimitItem, RateLimitItemPerDay, RateLimitItemPerHour

from challenge.errors import NotFound, TooManyRequests
from challenge.store import tally
from challenge.web import counts, proxies
from challenge.web.current import EXTENSION
from challenge.web.identity import Caller
from challenge.web.windows import Windows

IPV6_PREFIX = 64  # bits; what one customer has
MOVES_SPAN = 60  # seconds
_EXTENSION = "samedice-limits"
_ASIDE = frozenset(("manifest", "offline", "robots", "security", "service_worker"))
_WHY = {
    "guesses": "Too many wrong guesses came from this address.",
    "identities": "Too many new players came from this address.",
    "joins": "Too many groups were joined or devices transferred from this address.",
    "pages": "Too many pages were read from this address.",
    "moves": "This player makes too many moves.",
}

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(slots=True)
class Count:
    """One that was counted; ``stands`` says that something came of it."""

    stands: bool = False


@dataclass(frozen=True, slots=True)
class _Limits:
    """What one application counts with."""

    storage: counts.Counts
    count_page: Callable[[], None]
    items: dict[str, RateLimitItem]
    moves: Windows
    moves_allowed: int


def init_app(app: Flask) -> None:
    """Count with the settings of this application; nothing is asked before the first request."""
    settings = app.extensions[EXTENSION].settings
    limiter = Limiter(
        caller,
        strategy="fixed-window",
        storage_uri=f"{counts.SCHEME}://",
        storage_options={"limits": app.extensions[EXTENSION].limits},
        on_breach=_breached,
    )
    # Its own hook would look at every request, moves too; ours asks for pages alone.
    app.extensions.setdefault("limiter", set()).add(limiter)
    limiter.init_app(app)
    pages = limiter.shared_limit(f"{settings.pages_per_minute} per minute", "pages")
    app.extensions[_EXTENSION] = _Limits(
        cast("counts.Counts", limiter.storage),
        pages(_page),
        {
            "guesses": RateLimitItemPerHour(settings.guesses_per_hour, namespace="guesses"),
            "joins": RateLimitItemPerHour(settings.joins_per_hour, namespace="joins"),
            "identities": RateLimitItemPerDay(settings.identities_per_day, namespace="identities"),
        },
        Windows(MOVES_SPAN),
        settings.moves_per_minute,
    )
    app.before_request(_count_page)


# -- by address --------------------------------------------------------------------------


def guess_limited(view: Callable[P, R]) -> Callable[P, R]:
    """A route that takes a secret: who has guessed wrongly too often is refused for a while.

    A wrong guess is the NotFound that the route raises.

    Raises:
        TooManyRequests: the caller's address has used up the guesses of an hour.
    """

    @wraps(view)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _counted("guesses") as guess:
            try:
                return view(*args, **kwargs)
            except NotFound:
                guess.stands = True
                raise

    return limited


@contextmanager
def joining() -> Iterator[None]:
    """A group joined or a device transferred inside; what fails is given back.

    Raises:
        TooManyRequests: the caller's address has used up the joins of an hour.
    """
    with _counted("joins") as join:
        yield
        join.stands = True


@contextmanager
def arrival(*, fresh: bool = True) -> Iterator[Count]:
    """A new player comes to be inside, if ``fresh``; else nothing is counted.

    Where nobody came after all, set ``stands`` to False; what fails is given back by itself.

    Raises:
        TooManyRequests: the caller's address has used up the new players of a day.
    """
    if not fresh:
        yield Count()
        return
    with _counted("identities") as found:
        newcomer = Count(stands=True)
        yield newcomer
        found.stands = newcomer.stands


@contextmanager
def _counted(name: str) -> Iterator[Count]:
    """Counts one of the caller's address, and gives it back unless it ``stands`` in the end."""
    kept = _limits()
    item, found = kept.items[name], Count()
    one = kept.storage.one(item.key_for(caller()), item.get_expiry())
    if one.count > item.amount:
        one.give_back()
        _refuse(name, one.left)
    try:
        yield found
    finally:
        if not found.stands:
            one.give_back()


def _count_page() -> None:
    """Reading a page of the site; not its files, the API, or what machines ask for."""
    if request.blueprint != "pages" or request.method not in ("GET", "HEAD"):
        return
    if (request.endpoint or "").rpartition(".")[2] not in _ASIDE:
        _limits().count_page()


def count_talk(caller: Caller) -> None:
    """A page that answers a press which changes no game: as a move, of a stranger as a page.

    So players can go on where others have used up the pages of their address.

    Raises:
        TooManyRequests: the player has used up the moves, or the address the pages of a minute.
    """
    if caller.player is None:
        _limits().count_page()
    else:
        count_move(caller.player, caller.epoch)


def _page() -> None:
    """What Flask-Limiter stands before."""


def _breached(limit: RequestLimit) -> NoReturn:
    _refuse("pages", limit.window.reset_time - time.time())


# -- by player ---------------------------------------------------------------------------


def count_move(player: str, epoch: int) -> None:
    """One more move of a player, counted in this process alone.

    By the ``epoch`` of the token as well: whoever holds one that was signed out must not use up
    the moves of the player it was stolen from.

    Raises:
        TooManyRequests: the player has used up the moves of a minute.
    """
    kept = _limits()
    made, left = kept.moves.add(f"{player}~{epoch}")
    if made > kept.moves_allowed:
        _refuse("moves", left)


def _refuse(name: str, wait: float) -> NoReturn:
    tally.count("limits_hit", name)
    raise TooManyRequests(_WHY[name], max(1, math.ceil(wait)), name)


def _limits() -> _Limits:
    found: _Limits = current_app.extensions[_EXTENSION]
    return found


# -- addresses ---------------------------------------------------------------------------


def caller() -> str:
    """The name under which the caller's address is counted: a keyed hash in hex.

    Counts lie in the store, and so in its files and in their copies, where no address is to be.
    """
    key = current_app.extensions[EXTENSION].signing_keys[-1]
    return hmac.digest(key, f"samedice/address/{address()}".encode(), "sha256").hex()[:32]


def address() -> str:
    """The caller's IPv4 address, or the /64 of an IPv6 one; ``-`` over a socket."""
    found = proxies.address(request.remote_addr or "")
    if found is None:
        return "-"
    if isinstance(found, IPv4Address):
        return str(found)
    if found.ipv4_mapped:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), IPV6_PREFIX), strict=False))
