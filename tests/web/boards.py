"""Boards to look at: games played to the end, crowds written past the scripts, browsers."""

from __future__ import annotations

import base64
import random
from collections import Counter
from datetime import date

import redis
from flask import Flask
from flask.testing import FlaskClient

from challenge.service.services import Services
from challenge.store.keys import BoardId
from challenge.web import identity
from tests.service.players import begin

DAY = date(2026, 11, 30)


def browser_of(app: Flask, player: str, language: str = "en") -> FlaskClient:
    """A browser that holds a player's cookie."""
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    client.set_cookie(identity.COOKIE, token_of(app, player))
    return client


def token_of(app: Flask, player: str) -> str:
    """The signed value of a player."""
    with app.test_request_context():
        return identity.token(player)


def crowd(services: Services, valkey: redis.Redis, sheet: str, scores: list[int]) -> list[str]:
    """Finished games without a log, by the thousand; their players in this order."""
    begin(services, services.players.new_id(), DAY, sheet)  # opens the board
    shard = BoardId(DAY, sheet).shards(1)[0]
    rnd = random.Random(len(scores))
    players = [base64.urlsafe_b64encode(rnd.randbytes(16)).decode().rstrip("=") for _ in scores]
    counts = Counter(scores)
    if not scores:
        return []
    pipe = valkey.pipeline(transaction=False)
    pipe.zadd(shard.scores, {p: -s for p, s in zip(players, scores, strict=True)})
    for score, count in counts.items():
        pipe.hincrby(shard.histogram, str(score), count)
    pipe.execute()
    return players
