"""A start is refused in one line where nothing listens at CHALLENGE_REDIS_URL."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from challenge.cli.children import GaveUp
from challenge.cli.reachable import check_reachable
from tests.paths import free_port


@pytest.fixture
def port() -> Iterator[int]:
    """One that something listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


URLS = (
    "redis://:hidden@127.0.0.1:{}/0",
    "rediss://user:hidden@127.0.0.1:{}/0",
    "redis+cluster://:hidden@127.0.0.1:{}",
    "redis+sentinel://:hidden@127.0.0.1:{}/dice/0",
)


@pytest.mark.parametrize("url", URLS)
def test_a_place_that_listens_is_enough(url: str, port: int) -> None:
    check_reachable(url.format(port))


@pytest.mark.parametrize("url", URLS)
def test_one_that_does_not_is_named_without_its_password(url: str) -> None:
    nowhere = free_port()
    with pytest.raises(GaveUp, match=f"nothing answers at 127.0.0.1:{nowhere}: ") as refused:
        check_reachable(url.format(nowhere))
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("url", ["redis+cluster://{}", "redis+sentinel://{}/dice"])
def test_of_several_one_is_enough_and_none_names_them_all(url: str, port: int) -> None:
    gone, also_gone = f"127.0.0.1:{free_port()}", f"localhost:{free_port()}"
    check_reachable(url.format(f"{gone},127.0.0.1:{port}"))
    with pytest.raises(GaveUp) as refused:
        check_reachable(url.format(f"{gone},{also_gone}"))
    assert gone in str(refused.value)
    assert also_gone in str(refused.value)


def test_a_unix_socket_is_found_under_a_path_with_signs(tmp_path: Path) -> None:
    place = tmp_path / "with space.sock"
    url = f"unix://{quote(str(place))}?db=1"
    with pytest.raises(GaveUp, match="with space"):
        check_reachable(url)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(place))
        listener.listen()
        check_reachable(url)
