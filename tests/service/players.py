"""Players of the service tests: they begin, roll and score by chance."""

from __future__ import annotations

import random
from datetime import date

from challenge.service.services import Services
from challenge.service.views.games import GameView


def begin(services: Services, player: str, day: date, sheet: str = "yacht") -> GameView:
    """A game begun, now by the services' clock."""
    return services.play.begin(player, day, sheet, services.clock())[0]


def step(services: Services, player: str, view: GameView, rnd: random.Random) -> GameView:
    """One legal action by chance."""
    day, now = date.fromisoformat(view.date), services.clock()
    if view.dice is None or (view.rolls_left and rnd.random() < 0.5):
        hold = [] if view.dice is None else rnd.sample(range(len(view.dice)), rnd.randrange(4))
        return services.play.roll(player, day, view.ruleset, view.ply, hold, now)
    box = rnd.choice([box.box for box in view.boxes if box.legal])
    return services.play.score(player, day, view.ruleset, view.ply, box, now)


def play_on(services: Services, player: str, view: GameView, seed: int = 1) -> GameView:
    """A begun game, played to its end."""
    rnd = random.Random(seed)
    while not view.finished:
        view = step(services, player, view, rnd)
    return view


def play_out(
    services: Services, player: str, day: date, sheet: str = "yacht", seed: int = 1
) -> GameView:
    """A whole game."""
    return play_on(services, player, begin(services, player, day, sheet), seed)


def play_short_of_one(
    services: Services, player: str, day: date, sheet: str = "yacht", seed: int = 1
) -> GameView:
    """A game up to its last box, with dice on the table."""
    rnd = random.Random(seed)
    view = begin(services, player, day, sheet)
    while view.round < view.rounds or view.dice is None:
        view = step(services, player, view, rnd)
    return view


def follow(
    services: Services, player: str, day: date, log: bytes, sheet: str = "yacht"
) -> GameView:
    """A whole game by its log."""
    view = begin(services, player, day, sheet)
    for byte in log:
        now = services.clock()
        if byte & 0x40:
            hold = [i for i in range(6) if byte >> i & 1]
            view = services.play.roll(player, day, sheet, view.ply, hold, now)
        else:
            box = view.boxes[byte].box
            view = services.play.score(player, day, sheet, view.ply, box, now)
    return view
