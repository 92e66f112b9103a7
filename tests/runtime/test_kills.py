"""``kill -9`` of anything at any time: nothing acknowledged is lost, the game goes on."""

from __future__ import annotations

import random
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.runtime.player import Player, Playing
from tests.runtime.processes import PATIENCE, Serve, all_gone, kill, serving, until

VICTIMS: dict[str, Callable[[Serve], int]] = {
    "store": lambda serve: serve.child("valkey-server"),
    "gunicorn": lambda serve: serve.child("gunicorn"),
    "web worker": lambda serve: serve.web_worker(),
    "worker": lambda serve: serve.child("challenge worker"),
}


def play_on(player: Player, actions: int) -> None:
    """Some more actions of the game, or a look where it is finished."""
    for _ in range(actions):
        player.look() if player.finished else player.play()


@pytest.mark.parametrize("victim", VICTIMS)
def test_a_killed_process_comes_back_and_no_action_is_lost(tmp_path: Path, victim: str) -> None:
    with serving(tmp_path) as serve:
        player = Player(serve.port)
        for _ in range(3):
            play_on(player, 2)
            pid = VICTIMS[victim](serve)
            kill(pid)
            until(lambda pid=pid: all_gone({pid}))
            play_on(player, 2)
        assert VICTIMS[victim](serve) != pid
        until(lambda: len(serve.family()) == 6)


def test_requests_wait_while_gunicorn_is_away(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        for _ in range(3):
            kill(serve.child("gunicorn"))
            with urllib.request.urlopen(f"{serve.url}/readyz", timeout=PATIENCE) as answer:
                assert answer.status == 200


def test_after_a_kill_of_serve_itself_the_next_one_goes_on(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        player = Player(serve.port)
        play_on(player, 5)
        family, port = serve.family(), serve.port
        serve.kill()
    with serving(tmp_path, "--port", str(port)) as second:
        play_on(player, 5)
        until(lambda: all_gone(family))
        until(lambda: len(second.family()) == 6)
        player.look()


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_fifty_kills_in_the_middle_of_games_lose_nothing(tmp_path: Path) -> None:
    with serving(tmp_path) as serve:
        playing = Playing(serve.port)
        for number in range(50):
            playing.some_more(random.randrange(20))
            kill(VICTIMS[list(VICTIMS)[number % len(VICTIMS)]](serve))
        playing.some_more(1)
        for player in playing.end():
            player.look()
        assert serve.process.poll() is None


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_ten_kills_of_serve_itself_in_the_middle_of_games_lose_nothing(tmp_path: Path) -> None:
    serve = Serve(tmp_path).wait_until_ready()
    port, playing = serve.port, Playing(serve.port)
    for _ in range(10):
        playing.some_more(random.randrange(1, 20))
        serve.kill()
        serve = Serve(tmp_path, "--port", str(port)).wait_until_ready()
    with serve:
        playing.some_more(1)
        for player in playing.end():
            player.look()
