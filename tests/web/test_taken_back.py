"""What a failover of the store took back: the page shows the game as it stands and goes on."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from flask import Flask
from flask.testing import FlaskClient

from tests.web.reader import play_on, read, send

PATH, GAMES = "/2026-11-30/yacht", "sd1:{2026-11-30:yacht}:games"
LOST = "This game has not begun. The first roll begins it."


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A browser that says where a form was sent from."""
    client = app.test_client()
    client.environ_base["HTTP_SEC_FETCH_SITE"] = "same-origin"
    return client


def the_log(valkey: redis.Redis) -> tuple[bytes, bytes]:
    """The one player on the board and the log."""
    ((player, log),) = valkey.hgetall(GAMES).items()
    return player, log


def test_a_game_whose_beginning_was_lost_begins_again(
    client: FlaskClient, valkey: redis.Redis
) -> None:
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    player, log = the_log(valkey)
    valkey.hdel(GAMES, player)
    answer = send(client, PATH, page, do="roll", hold=["1"])
    assert answer.status_code == 404
    fresh = read(answer)
    assert LOST in fresh.words
    again = play_on(client, PATH, fresh, do="roll")
    assert the_log(valkey) == (player, log)
    assert again.fields["ply"] == "1"


def test_moves_that_were_lost_are_made_again(client: FlaskClient, valkey: redis.Redis) -> None:
    page = play_on(client, PATH, read(client.get(PATH)), do="roll")
    page = play_on(client, PATH, page, do="roll", hold=["1"])
    player, log = the_log(valkey)
    valkey.hset(GAMES, player, log[:1])
    answer = send(client, PATH, page, do="roll", hold=["1"])
    assert answer.status_code == 409
    play_on(client, PATH, read(answer), do="roll", hold=["1"])
    assert the_log(valkey)[1] == log


@pytest.mark.parametrize(("path", "status"), [("/2020-01-01/yacht", 404), ("/2026-11-30/no", 404)])
def test_a_board_that_does_not_exist_is_no_lost_game(
    client: FlaskClient, path: str, status: int
) -> None:
    page: Any = read(client.get(PATH))
    answer = send(client, path, page, do="roll")
    assert answer.status_code == status
    assert LOST not in read(answer).words
