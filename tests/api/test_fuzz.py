"""The description fuzzes the API: schemathesis with all its checks, against the WSGI app.

A hundred cases an operation. Those of every boundary, which are made before any test runs and
so cost each collection, and thousands more are in ``test_fuzz_soak.py``.
"""

from __future__ import annotations

import pytest
import redis
from flask import Flask
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case

from tests.api.contract import Api
from tests.api.fuzzing import ALL, cases, converse, judge, operations, seat, stage

QUICK = settings(deadline=None, derandomize=True, suppress_health_check=ALL, database=None)
EXAMPLES = 100
TO_STRANGERS = 4  # every so many cases a stranger sends it too


@pytest.fixture
def player(app: Flask, api: Api, valkey: redis.Redis) -> Api:
    """A player with games of all kinds; cases go to this test's application."""
    stage.app = app
    return seat(api, valkey)


@pytest.mark.parametrize("operation", operations())
def test_whatever_is_sent_is_answered_as_described(operation: str, player: Api) -> None:
    @settings(QUICK, max_examples=EXAMPLES, phases=[Phase.generate])
    @given(cases(operations()[operation]), st.integers(1, TO_STRANGERS))
    def hold(case: Case, turn: int) -> None:
        judge(case, player, alone=turn != 1)

    hold()


def test_conversations_are_answered_as_described(api: Api, player: Api) -> None:
    converse(api, settings(QUICK, max_examples=8, stateful_step_count=6))
