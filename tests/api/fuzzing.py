"""What fuzzing by the description shares: its settings, its player, what makes a case valid."""

from __future__ import annotations

import zlib
from copy import deepcopy
from functools import cache
from typing import Any

import redis
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, reject, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.config import SchemathesisConfig

from challenge.daily.names import clean
from challenge.errors import BadInput
from challenge.game import rulesets
from tests.api.contract import DESCRIPTION, Api, game, play

schemathesis.openapi.format("nickname", st.sampled_from(["Mia", "Zoë", "R2-D2", "x" * 24, "李"]))

# All checks are on. Two are told of a status they do not know by themselves:
# - 413: invalid data may also be invalid by its length;
# - 422: a well-formed move may be one that the rules of the game forbid;
# - 429: an address has only so many wrong guesses.
CONFIG: dict[str, Any] = {
    "checks": {
        "negative_data_rejection": {
            "expected-statuses": [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429]
        },
    },
    "operations": [
        {
            "include-operation-id": ["roll", "score"],
            "checks": {
                "positive_data_acceptance": {"expected-statuses": ["2xx", 401, 403, 404, 409, 422]}
            },
        },
        {
            # 503 where a sheet is not solved; any other error of the server is no described one.
            "include-operation-id": ["getHindsight", "getBots", "reviewGame"],
            "checks": {"not_a_server_error": {"enabled": False}},
        },
        {
            "include-operation-id": ["takeTransfer", "joinGroup"],
            "checks": {
                "positive_data_acceptance": {"expected-statuses": ["2xx", 401, 403, 404, 409, 429]}
            },
        },
    ],
}
ALL = list(HealthCheck)


class Stage:
    """The WSGI application of the test at hand; cases are made before there is one."""

    app: Flask

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Hand the request over."""
        return self.app(environ, start_response)


# That the application serves this very text, test_health says.
description = schemathesis.openapi.from_dict(
    deepcopy(DESCRIPTION), config=SchemathesisConfig.from_dict(CONFIG)
)
description.app = stage = Stage()


def bearer(player: Api) -> dict[str, str]:
    """The header that signs a player in."""
    return {"Authorization": f"Bearer {player.token}"}


def is_nickname(body: Any) -> bool:
    """Whether a body is a well-formed one that names a player."""
    try:
        return list(body) == ["name"] and bool(clean(body["name"]))
    except (BadInput, TypeError, AttributeError):
        return False


def ground(case: Case, api: Api) -> None:
    """Narrow a valid move to the sheet in its path, and let half of them meet the game.

    JSON Schema cannot say which boxes and positions the sheet in the path has (the description
    admits those of any sheet), nor that a whole number is not to be written 1.0. A case that
    is meant to be invalid stays as it is; it is no case where a text that shall break the
    format of a nickname, which schemathesis does not know, is a nickname after all.
    """
    if case.meta is None or not case.meta.generation.mode.is_positive:
        if is_nickname(case.body):
            reject()
        return
    asked = case.operation.definition.raw.get("operationId")
    if asked == "getGroupTable" and case.query:  # nor how far two dates may lie apart
        for name in {"from", "to"} & set(case.query):
            case.query |= {"from": case.query[name], "to": case.query[name]}
    if asked not in ("roll", "score"):
        return
    sheet = rulesets.find(case.path_parameters["ruleset"])
    body = case.body
    body["ply"] = int(body["ply"])
    chance = zlib.crc32(repr(body).encode())
    if "hold" in body:
        body["hold"] = [int(position) for position in body["hold"] if position < sheet.dice]
    if "box" in body:
        body["box"] = sheet.boxes[chance % len(sheet.boxes)].id
    if api.token and chance % 2:
        body["ply"] = api.get(game(ruleset=sheet.id)).json.get("ply", body["ply"])


def judge(case: Case, player: Api, *, alone: bool) -> None:
    """Send a case as the player, and unless ``alone`` as a stranger too; all checks must hold."""
    ground(case, player)
    case.call_and_validate(headers=bearer(player))
    if not alone:
        case.call_and_validate()


@cache
def operations() -> dict[str, Any]:
    """Every operation of the description, by its id."""
    found = (result.ok() for result in description.get_all_operations())
    return {operation.definition.raw["operationId"]: operation for operation in found}


def cases(operation: Any) -> st.SearchStrategy[Case]:
    """Calls of an operation, well-formed and not."""
    return st.one_of([operation.as_strategy(mode) for mode in GenerationMode])


def seat(api: Api, valkey: redis.Redis) -> Api:
    """A player who is amid a game on every sheet, and has finished one.

    Played once a process; from then on Redis is put back to how it was then.
    """
    if not _kept:
        mia = api.signed("Mia")
        for sheet in rulesets.RULESETS:
            play(mia, ruleset=sheet.id, turns=99 if sheet.id == "generala" else 2)
        keys = [key for key in valkey.scan_iter() if b"limits" not in key]
        _kept.update(token=mia.token, player=mia.player)
        _kept["keys"] = [(key, max(0, valkey.pttl(key)), valkey.dump(key)) for key in keys]
    else:
        valkey.flushall()
        for key, lives, value in _kept["keys"]:
            valkey.restore(key, lives, value)
    return Api(api.client, _kept["token"], _kept["player"])


_kept: dict[str, Any] = {}


def converse(api: Api, extent: settings) -> None:
    """Chains of calls, where one uses what another has answered, each by a new player."""

    class Conversation(description.as_state_machine()):  # type: ignore[misc]
        def setup(self) -> None:
            self.player = api.signed()  # else a chain would depend on the one before

        def get_call_kwargs(self, case: Case) -> dict[str, Any]:
            ground(case, self.player)
            return {"headers": bearer(self.player)}

        def validate_response(self, response: Any, case: Case, *_: Any, **kwargs: Any) -> None:
            case.validate_response(
                response,
                headers=bearer(self.player),  # given on purpose, not drawn at random
                transport_kwargs=kwargs,
                recorder=self.recorder,
            )

    Conversation.run(settings=extent)
