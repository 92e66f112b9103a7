"""A service some days old, and everything its players can ask of it, to compare before and after.

Boards that are closed, closing and open, games finished, half-played and played as archive,
names, groups, codes, a reported and an erased player.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import redis
from flask import Flask

from challenge.service.services import Services
from tests.api.contract import Api
from tests.conftest import Clock
from tests.service.players import begin, play_out, step
from tests.web.boards import token_of

OLD, LAST, TODAY = date(2026, 11, 20), date(2026, 11, 29), date(2026, 11, 30)
NIGHT = "2026-11-30T01:00"  # the board of the 29th is closing
SHEETS = ("yacht", "yatzy-order")
ASKED = ("", "Mia", "Tom", "Zoe")


@dataclass
class World:
    """The players by name, their group, and who was erased."""

    players: dict[str, str]
    group: str
    erased: str
    recovery: str = ""
    tokens: dict[str, str] = field(default_factory=dict)


_built: dict[int, tuple[World, dict[bytes, bytes]]] = {}  # by the number of shards


def build(services: Services, clock: Clock, app: Flask, valkey: redis.Redis | None = None) -> World:
    """A world as of one in the night.

    On ``valkey``, a single server, it is played once a process and put back from then on.
    """
    if valkey is None:
        return _play(services, clock, app)
    shards = services.settings.board_shards
    if shards not in _built:
        world = _play(services, clock, app)
        _built[shards] = world, {key: valkey.dump(key) for key in valkey.scan_iter(count=1000)}
    world, held = _built[shards]
    valkey.flushall()
    pipe = valkey.pipeline(transaction=False)
    for key, value in held.items():
        pipe.restore(key, 0, value)
    pipe.execute()
    clock.set(NIGHT)
    return world


def _play(services: Services, clock: Clock, app: Flask) -> World:
    clock.set(f"{OLD}T12:00")
    ids = {name: services.players.new_id() for name in ("Mia", "Ben", "Ida", "Tom", "Zoe")}
    for name, player in ids.items():
        services.players.rename(player, name)
    world = World(ids, "", ids["Zoe"])
    world.tokens = {name: token_of(app, player) for name, player in ids.items()}
    for seed, player in enumerate(ids.values()):
        play_out(services, player, OLD, "yacht", seed)
    play_out(services, ids["Mia"], OLD, "yatzy-order", 9)
    begin(services, ids["Ben"], OLD, "yatzy-order")
    _make_friends(services, clock, world)
    services.worker.round()
    clock.set(f"{LAST}T12:00")
    for seed, name in enumerate(("Mia", "Ben", "Zoe")):
        play_out(services, ids[name], LAST, "yacht", seed)
    half = begin(services, ids["Tom"], LAST)
    play_out(services, ids["Tom"], OLD, "yatzy-order", 4)  # archive
    begin(services, ids["Ida"], OLD, "yatzy-order")
    clock.set(NIGHT)
    services.worker.round()
    step(services, ids["Tom"], half, random.Random(1))
    play_out(services, ids["Ida"], TODAY, "yacht", 7)
    begin(services, ids["Mia"], TODAY)
    services.reports.report(ids["Ben"], ids["Mia"])
    services.players.rename(ids["Ben"], "Bénédict")
    world.recovery = services.devices.recovery(ids["Mia"])
    services.erasure.erase(ids["Zoe"])
    return world


def _make_friends(services: Services, clock: Clock, world: World) -> None:
    mia = world.players["Mia"]
    world.group = services.groups.create(mia, "Die Runde", clock.now).id
    invite = services.groups.invitation(mia, world.group)
    for name in ("Ben", "Tom"):
        services.groups.join(world.players[name], invite, clock.now)


def callers(app: Flask, world: World) -> dict[str, Api]:
    """Everybody by name, by the tokens they had from the beginning; nobody by ``""``."""
    client = app.test_client(use_cookies=False)
    named = {
        name: Api(client, world.tokens[name], player) for name, player in world.players.items()
    }
    return {"": Api(client), **named}


def answers(app: Flask, world: World, who: tuple[str, ...] = ASKED) -> dict[str, Any]:
    """Caller and address -> status and whole answer."""
    said = {}
    for name, api in callers(app, world).items():
        if name not in who:
            continue
        for url in [*_of_boards(world), *_of_players(world)]:
            answer = api.get(url, headers={"Accept-Language": "en"})
            body = answer.json if answer.is_json else answer.text
            if isinstance(body, dict):
                body.pop("exported_at", None)
            said[f"{name} {url}"] = (answer.status_code, body)
    return said


def _of_boards(world: World) -> list[str]:
    urls = []
    for day in (OLD, LAST, TODAY):
        urls.append(f"/api/v1/challenges/{day}")
        for sheet in SHEETS:
            board = f"/api/v1/challenges/{day}/{sheet}"
            tails = [
                *("", "/distribution", "/leaderboard", "/leaderboard?limit=2&offset=1"),
                *("/leaderboard?around=me&limit=3", f"/leaderboard?group={world.group}"),
                *("/game", "/game/share?lang=de", "/game/review"),
                *(f"/games/{player}" for player in world.players.values()),
            ]
            urls += [board + tail for tail in tails]
    return urls


def _of_players(world: World) -> list[str]:
    span = f"from={OLD}&to={TODAY}"
    return [
        *("/api/v1/me", "/api/v1/me/export", "/api/v1/me/stats", "/api/v1/me/stats?ruleset=yacht"),
        *("/api/v1/groups", f"/api/v1/groups/{world.group}?date={OLD}"),
        *(f"/api/v1/groups/{world.group}/table?ruleset={sheet}&{span}" for sheet in SHEETS),
    ]
