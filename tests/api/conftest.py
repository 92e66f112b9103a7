"""Fixtures of the API tests: an anonymous caller and a player, at noon of one day."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.api.contract import Api


@pytest.fixture
def api(app: Flask) -> Api:
    """An anonymous caller, who keeps no cookies."""
    return Api(app.test_client(use_cookies=False))


@pytest.fixture
def mia(api: Api) -> Api:
    """A player."""
    return api.signed("Mia")
