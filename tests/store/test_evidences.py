"""What is kept of a game's evidence: small, exact enough to judge a week by, and versioned."""

from __future__ import annotations

import math
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from challenge.daily.evidence import CLEAR, NOTABLE, NOTHING, Evidence, deviations, odds, together
from challenge.store.evidences import kept
from challenge.store.keys import BoardId

BOARD = BoardId(date(2026, 11, 30), "yacht")
MIA = "M" * 22
FOUND = Evidence(37, -1.2345678901, 17.25, (0.1, -3.75))

# A game of at most 156 actions: a choice gains some points and multiplies odds by 0.1 or more.
GAMES = st.builds(
    Evidence,
    st.integers(1, 156),
    st.floats(-300, 300),
    st.floats(1e-3, 3000),
    st.tuples(st.floats(-60, 60), st.floats(-60, 60)),
)


@given(st.lists(GAMES, min_size=1, max_size=7 * 24))
def test_a_week_weighs_the_same_from_what_was_kept(games):
    exact, packed = together(games), together(map(kept, games))
    assert packed.choices == exact.choices
    assert odds(packed) == pytest.approx(odds(exact), abs=1e-3)
    assert deviations(packed) == pytest.approx(deviations(exact), abs=1e-3)


@pytest.mark.parametrize("threshold", [NOTABLE, CLEAR])
def test_odds_at_a_threshold_are_off_by_a_millionth(threshold):
    logs = (threshold * math.log(10),) * 2
    assert odds(kept(Evidence(30, 0.0, 1.0, logs))) == pytest.approx(threshold, abs=1e-6)


def test_what_was_kept_stays_the_same_when_it_is_kept_again():
    assert kept(kept(FOUND)) == kept(FOUND)
    assert kept(NOTHING) == NOTHING


def begun(services):
    services.store.games.begin(BOARD, 1, MIA)
    return services.store.evidences, BOARD.shards(1)[0].evidence


def test_evidence_takes_nineteen_bytes_and_reads_back(services, valkey):
    evidences, key = begun(services)
    evidences.write(BOARD, 1, MIA, FOUND, apart=False)
    assert valkey.hstrlen(key, MIA) == 19
    assert evidences.read([(BOARD, 1)], [MIA]) == [{MIA: kept(FOUND)}]


@pytest.mark.parametrize(
    "left",
    [
        b"1 37 -1.2345678901 17.25 0.1 -3.75",  # the text of version 1
        b"\x03" + bytes(18),
        b"\x02" + bytes(17),
        b"",
    ],
)
def test_what_another_version_left_is_not_read(services, valkey, left):
    evidences, key = begun(services)
    valkey.hset(key, MIA, left)
    valkey.zadd(BOARD.shards(1)[0].scores, {MIA: -100})
    assert evidences.read([(BOARD, 1)], [MIA]) == [{}]
    assert [player for player, _ in evidences.logs(BOARD, 1)] == [MIA]
