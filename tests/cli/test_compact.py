"""``challenge compact``: what would go, and that it goes."""

from __future__ import annotations

from datetime import date

import pytest

from challenge.store.keys import BoardId
from tests.api.dump import dump
from tests.cli.conftest import facts, refused
from tests.conftest import SECRET
from tests.service.players import begin, play_out

OLD = date(2026, 1, 2)
BOARD = BoardId(OLD, "yacht")
LONG_AGO = f"{OLD}  yacht                            2 games and places"


@pytest.fixture
def operate(run, valkey_url, valkey):
    """Runs ``challenge compact`` on the test's Valkey."""

    def call(*args, **environ):
        given = {"CHALLENGE_REDIS_URL": valkey_url, "CHALLENGE_STREAM_SECRET": SECRET, **environ}
        return run("compact", *args, **given)

    return call


@pytest.fixture
def played(services, clock):
    """A finished and a half-played game of long ago."""
    clock.set(f"{OLD} 12:00")
    player = services.players.new_id()
    play_out(services, player, OLD)
    begin(services, services.players.new_id(), OLD)
    return player


def note(services):
    (found,) = services.store.boards.notes([BOARD])
    return found


@pytest.fixture
def unchanged(played, valkey_url):
    """The test leaves all of Redis as it was."""
    before = dump(valkey_url)
    yield
    assert dump(valkey_url) == before


def test_a_dry_run_says_what_would_go_and_changes_nothing(operate, played, services, unchanged):
    lines = operate("--days", "30", "--dry-run").stdout.splitlines()
    assert lines == [LONG_AGO, "Boards that would be compacted: 1."]


def test_it_compacts_what_is_due_and_once(operate, played, services):
    lines = operate("--days", "30").stdout.splitlines()
    assert lines == [LONG_AGO, "Boards that have been compacted: 1."]
    assert note(services).swept
    assert services.store.players.score_on(played, BOARD) is not None
    assert operate("--days", "30").stdout.splitlines() == ["Boards that have been compacted: 0."]


def test_the_setting_says_after_how_many_days(operate, played, services):
    found = facts(operate("--json", "--dry-run", CHALLENGE_RETENTION_DAYS="30"))
    assert found == [{"date": str(OLD), "ruleset": "yacht", "entries": 2}]
    assert facts(operate("--json", "--dry-run", CHALLENGE_RETENTION_DAYS="30000")) == []


def test_without_a_number_of_days_nothing_is_done(operate, played, unchanged):
    assert "CHALLENGE_RETENTION_DAYS" in refused(operate(), 2)


@pytest.mark.parametrize("days", ["0", "-1", "36501", "soon"])
def test_a_wrong_number_of_days_is_refused(operate, days):
    assert "--days" in refused(operate("--days", days), 2)
