"""Fixtures every test may use: a real Valkey, services over it, an application, a clock."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings

from challenge import bootstrap, config
from challenge.config import Settings
from challenge.service.services import Services
from challenge.store.datadir import DataDir
from challenge.store.embedded import EmbeddedStore
from challenge.web import create_app
from tests import compiled

settings.register_profile(
    "samedice", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("samedice")
compiled.keep()

NOON = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECRET = "test-secret"
UNLIMITED = (  # where they are not what is tested
    "CHALLENGE_IDENTITIES_PER_DAY", "CHALLENGE_JOINS_PER_HOUR",
    "CHALLENGE_PAGES_PER_MINUTE", "CHALLENGE_MOVES_PER_MINUTE",
)  # fmt: skip
NOWHERE = Path(tempfile.gettempdir()) / "samedice-test-nowhere"  # so that no table is found


@dataclass
class Clock:
    """A clock that stands still until it is told otherwise."""

    now: datetime = NOON

    def __call__(self) -> datetime:
        return self.now

    def set(self, text: str) -> None:
        """Another time, ISO 8601; UTC where it names no offset."""
        moment = datetime.fromisoformat(text)
        self.now = moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def forward(self, **span: float) -> None:
        """Later by a timedelta's keywords."""
        self.now += timedelta(**span)


@pytest.fixture(scope="session")
def valkey_url() -> Iterator[str]:
    """A real Valkey of this test process, started by the product's own launcher."""
    folder = Path(tempfile.mkdtemp(prefix="samedice-test-"))
    data_dir = DataDir(folder)
    data_dir.prepare()
    store = EmbeddedStore(data_dir)
    store.start()
    yield data_dir.socket_url
    store.stop()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def valkey(valkey_url: str) -> redis.Redis:
    """A plain client of that Valkey, emptied."""
    client = redis.Redis.from_url(valkey_url)
    client.flushall()
    return client


@pytest.fixture
def clock() -> Clock:
    """The time of the services; noon of 2026-11-30 unless set."""
    return Clock()


@pytest.fixture
def make_services(valkey: redis.Redis, valkey_url: str, clock: Clock) -> Callable[..., Services]:
    """Builds services over the emptied Valkey; keywords are settings as in the environment."""

    def make(**environ: str) -> Services:
        return bootstrap.build(make_settings(valkey_url, **environ), clock)

    return make


def make_settings(url: str, **environ: str) -> Settings:
    """Settings of a test: the vectors' secret, fixed keys, this Redis."""
    given = {
        "CHALLENGE_DATA_DIR": str(NOWHERE),
        "CHALLENGE_REQUEST_LOG": "off",
        "CHALLENGE_REDIS_URL": "redis://127.0.0.1:1/0",
        "CHALLENGE_STREAM_SECRET": SECRET,
        **dict.fromkeys(UNLIMITED, "1000000"),
        "CHALLENGE_SECRET_KEYS": "old-key-old-key-old-key-old-key-old,new-key-new-key-new-key-new",
        **environ,
    }
    return replace(config.load(given), redis_url=url)


@pytest.fixture
def services(make_services: Callable[..., Services]) -> Services:
    """Services with default settings."""
    return make_services()


@pytest.fixture
def app(services: Services) -> Flask:
    """The application over them."""
    return create_app(services)


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser without cookies yet."""
    return app.test_client()


def pytest_configure() -> None:
    """Tests never look at the settings of the machine they run on, and solve only what they say."""
    for name in [name for name in os.environ if name.startswith("CHALLENGE_")]:
        del os.environ[name]
    os.environ["CHALLENGE_REQUEST_LOG"] = "off"  # nobody reads a pipe while a test plays
    os.environ["CHALLENGE_SOLVE"] = "off"  # a `serve` of a test leaves the processors to others
