"""Strangers who ask for the same at the same moment."""

from __future__ import annotations

from collections.abc import Callable

from challenge.service.services import Services
from challenge.web import create_app
from tests.api.contract import Api
from tests.at_once import at_once


def crowd(services: Services, count: int, ask: Callable[[Api], int]) -> list[int]:
    """The statuses of ``count`` strangers who ask together.

    They ask two applications over one Redis, as two processes would be.
    """
    apps = [create_app(services) for _ in range(2)]
    strangers = [Api(apps[i % 2].test_client(use_cookies=False)) for i in range(count)]
    return at_once(count, lambda i: ask(strangers[i]))
