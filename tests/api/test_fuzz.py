"""The description fuzzes the API: schemathesis with all its checks, against the WSGI app."""

from __future__ import annotations

import zlib
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, reject, settings
from hypothesis import strategies as st
from schemathesis import Case
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
QUICK = settings(
    max_examples=8, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck)
)
SOAK = settings(max_examples=2000, deadline=None, suppress_health_check=list(HealthCheck))


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


@pytest.fixture(autouse=True)
def staged(app: Flask) -> None:
    """Cases go to this test's application."""
    stage.app = app


@pytest.fixture
def player(api: Api) -> Api:
    """A player who is in the middle of a game on every sheet, and has finished one."""
    mia = api.signed("Mia")
    for sheet in rulesets.RULESETS:
        play(mia, ruleset=sheet.id, turns=99 if sheet.id == "generala" else 2)
    return mia


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
    if case.operation.definition.raw.get("operationId") not in ("roll", "score"):
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


@description.parametrize()
@QUICK
def test_whatever_a_player_sends_is_answered_as_described(case: Case, player: Api) -> None:
    ground(case, player)
    case.call_and_validate(headers=bearer(player))


@description.parametrize()
@QUICK
def test_whatever_a_stranger_sends_is_answered_as_described(case: Case, api: Api) -> None:
    ground(case, api)
    case.call_and_validate()


def test_conversations_are_answered_as_described(api: Api, player: Api) -> None:
    converse(api, settings(QUICK, stateful_step_count=6))


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_conversations_are_answered_as_described_in_the_long_run(api: Api, player: Api) -> None:
    converse(api, settings(SOAK, stateful_step_count=10))


@pytest.mark.soak
@pytest.mark.timeout(7200)
@description.parametrize()
@SOAK
def test_whatever_a_player_sends_is_answered_as_described_in_the_long_run(
    case: Case, player: Api
) -> None:
    ground(case, player)
    case.call_and_validate(headers=bearer(player))


@pytest.mark.soak
@pytest.mark.timeout(7200)
@description.parametrize()
@SOAK
def test_whatever_a_stranger_sends_is_answered_as_described_in_the_long_run(
    case: Case, api: Api
) -> None:
    ground(case, api)
    case.call_and_validate()
