"""``challenge reports`` and ``challenge player``: an operator's ways with names."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
import redis

from challenge.errors import NotFound
from challenge.service.services import Services
from tests.cli.conftest import facts, refused
from tests.conftest import SECRET


@pytest.fixture
def operate(run: Callable, valkey_url: str, valkey: redis.Redis) -> Callable:
    """Runs ``challenge ARGS`` on the test's Valkey."""

    def call(*args: str):
        return run(*args, CHALLENGE_REDIS_URL=valkey_url, CHALLENGE_STREAM_SECRET=SECRET)

    return call


@pytest.fixture
def rude(services: Services) -> str:
    """A player whose name was reported by two."""
    player = services.players.create("Rude Word").id
    for name in ("Mia", "Max", "Mia again"):
        reporter = services.players.create(name).id
        services.reports.report(reporter, player)
        services.reports.report(reporter, player)
    return player


def shown(services: Services, player: str) -> str:
    """The name others see, without the tag."""
    return services.players.view(player).name.rpartition("·")[0]


def test_reports_lists_those_reported_most_first(operate, services, rude):
    milder = services.players.create("Milder").id
    services.reports.report(services.players.create("Zoe").id, milder)
    lines = operate("reports").stdout.splitlines()
    assert [line.split()[:2] for line in lines] == [[rude, "3"], [milder, "1"]]
    found = facts(operate("reports", "--json"))["reports"]
    assert [(each["player"], each["reports"]) for each in found] == [(rude, 3), (milder, 1)]


def test_no_reports_is_said_in_words(operate):
    assert operate("reports").stdout == "No name is reported.\n"
    assert facts(operate("reports", "--json")) == {"reports": []}


def test_a_hidden_name_is_shown_to_nobody_whatever_it_is_changed_to(operate, services, rude):
    found = facts(operate("player", "hide", rude, "--json"))
    assert (found["hidden"], found["reports"]) == (True, 0)
    assert found["name"].startswith("Rude Word·")
    assert shown(services, rude) == "Player"
    assert services.players.rename(rude, "Ruder").name.startswith("Player·")
    assert operate("reports").stdout == "No name is reported.\n"
    operate("player", "hide", rude, "--undo")
    assert shown(services, rude) == "Ruder"


def test_another_name_by_the_operator_is_shown_again(operate, services, rude):
    operate("player", "hide", rude)
    assert operate("player", "rename", rude, "Kind Word").exit_code == 0
    assert shown(services, rude) == "Kind Word"
    assert operate("reports").stdout == "No name is reported.\n"


def test_a_dismissed_report_is_off_the_list_and_the_name_stays(operate, services, rude):
    assert operate("reports", "--dismiss", rude).stdout == "No name is reported.\n"
    assert shown(services, rude) == "Rude Word"
    services.reports.report(services.players.create("Zoe").id, rude)
    assert facts(operate("player", "show", rude, "--json"))["reports"] == 1


def test_show_prints_one_line(operate, rude):
    (line,) = operate("player", "show", rude).stdout.splitlines()
    assert line.split()[:4] == [rude, "3", "reports", "shown"]
    assert "Rude Word·" in line


@pytest.mark.parametrize(
    "args", [("player", "show"), ("player", "hide"), ("reports", "--dismiss")], ids=" ".join
)
def test_a_player_nobody_knows_is_said_so(operate, args):
    assert "Nothing is kept" in refused(operate(*args, "A" * 22), 1)
    assert "Nothing is kept" in refused(operate("player", "rename", "A" * 22, "Mia"), 1)


@pytest.mark.parametrize("id", ["-_abcdefghijklmnopqrst", "--abcdefghijklmnopqrst"])
def test_an_id_may_begin_with_a_dash(operate, services, id):
    services.store.players.rename(id, "Dash")
    services.reports.report(services.players.create("Zoe").id, id)
    assert facts(operate("player", "hide", id, "--json"))["hidden"] is True
    assert facts(operate("player", "show", id, "--json"))["player"] == id
    assert operate("reports", "--dismiss", id).exit_code == 0


def test_a_name_that_is_none_is_refused_and_nothing_changes(operate, services, rude):
    assert "characters" in refused(operate("player", "rename", rude, "x" * 25), 2)
    assert shown(services, rude) == "Rude Word"


def test_an_erased_player_leaves_the_list(operate, services, rude):
    services.erasure.erase(rude)
    assert operate("reports").stdout == "No name is reported.\n"


def test_what_is_kept_of_a_report_names_no_reporter(services, valkey, rude):
    reporter = services.players.create("Zoe").id
    services.reports.report(reporter, rude)
    kept = [valkey.zrange("sd1:reports", 0, -1), valkey.smembers(f"sd1:{{p:{rude}}}:reports")]
    assert reporter not in json.dumps(kept, default=str)


def test_neither_oneself_nor_one_without_a_name_can_be_reported(services, rude):
    nameless = services.players.create(None).id
    for reporter, reported in ((rude, rude), (rude, nameless), (nameless, "A" * 22)):
        with pytest.raises(NotFound):
            services.reports.report(reporter, reported)
