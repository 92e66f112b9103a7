"""One board with a revealed seed, and whole games played on it."""

from __future__ import annotations

from challenge.game import game as rules
from challenge.game import log, rulesets
from challenge.game.stream import Stream
from tests.vectors import load

BOARD = load("stream")["vectors"][0]
SECRET = BOARD["secret"]
SEED = BOARD["seed"]
COMMITMENT = BOARD["commitment"]


def finished(ruleset_id: str, seed: str = SEED):
    """A whole game with holds, re-rolls and early stops, in the first legal boxes."""
    ruleset, stream = rulesets.find(ruleset_id), Stream(bytes.fromhex(seed))
    game = rules.start(ruleset)
    while not game.finished:
        game = rules.roll(game, stream, 0)
        for roll in range(len(game.log) % 3):
            game = rules.roll(game, stream, 0b01101 >> roll)
        game = rules.score(game, rules.legal_boxes(game)[-1])
    return game


def log_text(game) -> str:
    """The log as the API and the commands write it."""
    return log.to_text(game.log)
