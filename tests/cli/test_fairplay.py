"""``challenge fairplay``: the operator's report on a board."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.cli.fairplay import words_of
from tests.cli.conftest import facts, refused
from tests.conftest import SECRET
from tests.service.weighing import SHEET, plays, with_table

DAY = date(2026, 2, 1)


@pytest.fixture
def operate(run, valkey_url, valkey, tmp_path):
    """Runs ``challenge fairplay`` on the test's Valkey, with or without the table."""

    def call(*args, solved=True, **environ):
        folder = with_table(tmp_path) if solved else str(tmp_path)
        given = {"CHALLENGE_DATA_DIR": folder, "CHALLENGE_REDIS_URL": valkey_url}
        given |= {"CHALLENGE_STREAM_SECRET": SECRET, **environ}
        return run("fairplay", str(DAY), SHEET, *args, **given)

    return call


@pytest.fixture
def players(services, clock):
    """An honest one and a scout."""
    clock.set(f"{DAY} 12:00")
    return [plays(services, kind, DAY) for kind in ("optimal", "sees the next roll")]


def test_games_are_weighed_and_the_highest_odds_stand_first(operate, players):
    honest, scout = players
    lines = operate().stdout.splitlines()
    assert lines[0] == f"{DAY} · {SHEET} · 2 finished, 2 weighed, 1 worth a look"
    assert lines[2].startswith("!! ")
    assert scout in lines[2]
    assert lines[3].startswith("   ")
    assert honest in lines[3]


def test_as_json_it_has_all_figures(operate, players):
    found = facts(operate("--json"))
    first, second = found["games"]
    assert (first["player"], second["player"]) == tuple(reversed(players))
    assert (first["clear"], second["notable"]) == (True, False)
    assert first["odds"] > 3 > second["odds"]


def test_without_the_table_it_says_what_to_do(operate, players):
    assert "solve" in refused(operate(solved=False), 1)


def test_switched_off_it_says_so(operate, players):
    assert "CHALLENGE_FAIRPLAY" in refused(operate(CHALLENGE_FAIRPLAY="off"), 1)


def test_a_board_nobody_finished_is_no_error(operate):
    assert operate().stdout.splitlines() == [
        f"{DAY} · {SHEET} · 0 finished, 0 weighed, 0 worth a look"
    ]


@pytest.mark.parametrize(
    ("odds", "words"), [(-4.0, "1 : 1"), (1.0, "10 : 1"), (3.21, "1,600 : 1"), (14.2, "10^14 : 1")]
)
def test_odds_in_words(odds, words):
    assert words_of(odds) == words
