"""The socket ``serve`` is handed, and what it tells the service manager."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from challenge.cli import listening
from challenge.cli.notices import tell_manager
from challenge.errors import SettingError


def hand_over(monkeypatch: pytest.MonkeyPatch, fd: int, number: str = "1") -> None:
    """Say in the environment what systemd would."""
    monkeypatch.setattr(listening, "FIRST_HANDED", fd)
    monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
    monkeypatch.setenv("LISTEN_FDS", number)


def test_a_socket_handed_to_another_process_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    hand_over(monkeypatch, 3)
    monkeypatch.setenv("LISTEN_PID", str(os.getppid()))
    assert listening.handed() is None


def test_the_socket_handed_over_is_taken_whatever_host_and_port_say(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as held:
        hand_over(monkeypatch, os.dup(held.fileno()))
        with listening.listen("203.0.113.1", 1) as taken:
            assert taken.getsockname() == held.getsockname()
            assert not os.get_inheritable(taken.fileno())


def unconnected() -> socket.socket:
    """One that does not listen."""
    return socket.socket(socket.AF_INET, socket.SOCK_STREAM)


def local() -> socket.socket:
    """One that listens on no port."""
    listener = socket.socket(socket.AF_UNIX)
    listener.bind("")  # a name that Linux picks
    listener.listen()
    return listener


@pytest.mark.parametrize("make", [unconnected, local])
def test_a_socket_that_is_not_a_listening_tcp_socket_is_refused(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], socket.socket]
) -> None:
    with make() as wrong:
        hand_over(monkeypatch, os.dup(wrong.fileno()))
        with pytest.raises(SettingError, match="must be a listening TCP socket"):
            listening.handed()


def test_what_is_no_socket_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "file").open("w") as file:
        hand_over(monkeypatch, file.fileno())
        with pytest.raises(SettingError, match="is no socket"):
            listening.handed()


@pytest.mark.parametrize("number", ["0", "2", "many"])
def test_another_number_of_sockets_than_one_is_refused(
    monkeypatch: pytest.MonkeyPatch, number: str
) -> None:
    hand_over(monkeypatch, 3, number)
    with pytest.raises(SettingError, match="one socket is needed"):
        listening.handed()


@pytest.mark.parametrize("kind", ["path", "abstract"])
def test_the_manager_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str) -> None:
    name = f"samedice-test-{os.getpid()}"
    place = {"path": str(tmp_path / "notify"), "abstract": f"\0{name}"}[kind]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(place)
        manager.settimeout(30)
        monkeypatch.setenv("NOTIFY_SOCKET", place.replace("\0", "@"))
        tell_manager("READY=1")
        assert manager.recv(100) == b"READY=1"


@pytest.mark.parametrize("place", ["", "/nowhere/at/all"])
def test_without_a_manager_that_listens_nothing_happens(
    monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", place)
    tell_manager("READY=1")
