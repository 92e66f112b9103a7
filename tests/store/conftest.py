"""Every test here that asks for a store runs on each of the topologies."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis

from challenge.service.services import Services
from challenge.store.link import Link
from challenge.store.store import Store
from tests.store.topologies import KINDS, Cluster, Sentinel, Topology, end_all, running


@pytest.fixture(scope="session", autouse=True)
def end_of_topologies() -> Iterator[None]:
    """Ends what was started, whatever the tests came to."""
    yield
    end_all()


@pytest.fixture(params=KINDS)
def topology(request: pytest.FixtureRequest) -> Topology:
    """One Valkey, Sentinel or a cluster, emptied."""
    found = running(request.param)
    found.flush()
    return found


@pytest.fixture
def valkey_url(topology: Topology) -> str:
    """What leads there; services and applications of these tests are built over it."""
    return topology.url


@pytest.fixture
def valkey(topology: Topology) -> redis.Redis:
    """A client of it, for a look past the store."""
    return Link(topology.url).redis


@pytest.fixture
def store(services: Services) -> Store:
    """The store over it."""
    return services.store


@pytest.fixture
def cluster() -> Cluster:
    """The cluster alone, emptied."""
    found = running("cluster")
    assert isinstance(found, Cluster)
    found.flush()
    return found


@pytest.fixture
def sentinel() -> Sentinel:
    """Sentinel alone, emptied."""
    found = running("sentinel")
    assert isinstance(found, Sentinel)
    found.flush()
    return found
