"""The same as ``test_fuzz.py`` at length, with the cases of every boundary.

Collected only where soak tests are asked for: schemathesis makes those cases beforehand.
"""

from __future__ import annotations

import pytest
import redis
from flask import Flask
from hypothesis import settings
from schemathesis import Case

from tests.api.contract import Api
from tests.api.fuzzing import ALL, converse, description, judge, seat, stage

pytestmark = [pytest.mark.soak, pytest.mark.timeout(14_400)]
LONG = settings(max_examples=2000, deadline=None, suppress_health_check=ALL)


@pytest.fixture
def player(app: Flask, api: Api, valkey: redis.Redis) -> Api:
    """A player with games of all kinds; cases go to this test's application."""
    stage.app = app
    return seat(api, valkey)


@description.parametrize()
@LONG
def test_whatever_is_sent_is_answered_as_described_in_the_long_run(case: Case, player: Api) -> None:
    judge(case, player, alone=False)


def test_conversations_are_answered_as_described_in_the_long_run(api: Api, player: Api) -> None:
    converse(api, settings(LONG, stateful_step_count=10))
