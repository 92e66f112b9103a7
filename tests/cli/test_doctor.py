"""``challenge doctor``: what is configured, reachable and wrong, against a real Valkey."""

import json
import socket
from collections.abc import Iterator
from datetime import date

import pytest

from challenge.cli import hints
from challenge.game import rulesets
from challenge.service.solved import Solved
from challenge.store.keys import BoardId
from tests.conftest import SECRET
from tests.paths import free_port

KEYS = "k" * 40
LONG = "a stream secret of more than thirty-two bytes"
YACHT = BoardId(date(2026, 11, 30), "yacht")


@pytest.fixture
def doctor(run, valkey_url):
    """Runs ``challenge doctor --json`` on the test's Valkey; keywords are settings."""

    def look(code, **environ):
        given = {
            "CHALLENGE_REDIS_URL": valkey_url,
            "CHALLENGE_STREAM_SECRET": LONG,
            "CHALLENGE_SECRET_KEYS": KEYS,
            **environ,
        }
        result = run("doctor", "--json", **given)
        assert result.exit_code == code, result.stdout + result.stderr
        return json.loads(result.stdout)

    return look


@pytest.fixture
def opened(make_services):
    """Opens today's boards under a secret."""

    def open_boards(secret=LONG):
        services = make_services(CHALLENGE_STREAM_SECRET=secret)
        services.days.open_today(services.clock())

    return open_boards


def _wrong(found):
    return [check["detail"] for check in found["checks"] if check["level"] == "wrong"]


@pytest.mark.usefixtures("valkey")
def test_all_is_well_where_redis_answers_and_the_secret_fits_every_board(doctor, opened):
    opened()
    found = doctor(0)
    assert found["ok"] is True
    said = {check["check"]: check["detail"] for check in found["checks"]}
    assert "valkey" in said["store"]
    assert said["store write"] == "a write was taken"
    assert said["boards"] == "24 boards, none refused"


@pytest.mark.usefixtures("valkey")
def test_a_board_opened_under_another_secret_is_named(doctor, opened):
    opened("another stream secret of more than thirty-two bytes")
    wrong = _wrong(doctor(1))
    assert len(wrong) == 24
    assert any(line.startswith("2026-11-30/yacht is refused") for line in wrong)
    assert all("another stream secret" in line for line in wrong)


def test_a_board_with_a_sheet_the_code_does_not_know_is_named(doctor, opened, valkey):
    opened()
    valkey.hset(YACHT.note, "fingerprint", "0" * 64)
    (line,) = _wrong(doctor(1))
    assert line.startswith("2026-11-30/yacht is refused: it was opened with a sheet")


def test_a_board_of_another_stream_version_is_named(doctor, opened, valkey):
    opened()
    valkey.hset(YACHT.note, "stream_version", "2")
    (line,) = _wrong(doctor(1))
    assert "stream version 2" in line


def test_a_closed_board_needs_no_secret_any_more(doctor, opened, make_services, valkey, clock):
    opened()
    clock.set("2026-12-02T12:00")
    services = make_services(CHALLENGE_STREAM_SECRET=LONG)
    for id in services.store.boards.live():
        services.days.close_if_due(id, clock.now)
    found = doctor(0, CHALLENGE_STREAM_SECRET="another secret of more than thirty-two bytes")
    assert found["ok"] is True


@pytest.mark.usefixtures("valkey")
def test_short_secrets_are_wrong_and_no_secret_is_ever_shown(doctor, run, valkey_url):
    found = doctor(1, CHALLENGE_STREAM_SECRET=SECRET, CHALLENGE_SECRET_KEYS="short")
    assert len(_wrong(found)) == 2
    text = run(
        "doctor",
        CHALLENGE_REDIS_URL=valkey_url,
        CHALLENGE_STREAM_SECRET=LONG,
        CHALLENGE_SECRET_KEYS=KEYS,
    ).stdout
    assert LONG not in text
    assert KEYS not in text
    assert "All is well." in text


def test_a_redis_that_does_not_answer_is_named_without_its_password(doctor):
    found = doctor(1, CHALLENGE_REDIS_URL="redis://user:hush@127.0.0.1:1/0")
    (line,) = _wrong(found)
    assert line.startswith("redis://127.0.0.1:1/0: The store does not answer")
    assert "hush" not in json.dumps(found)


@pytest.fixture
def plain() -> Iterator[str]:
    """Host and port of something that takes connections and never says a word."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"127.0.0.1:{listener.getsockname()[1]}"


def test_where_nothing_listens_the_place_and_the_reason_are_said(doctor):
    port = free_port()
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"redis://:hush@127.0.0.1:{port}/0"))
    assert f"Nothing answers at 127.0.0.1:{port}: Connection refused. Start Redis there" in line
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL="unix:///nowhere/redis.sock"))
    assert "Nothing answers at /nowhere/redis.sock: No such file or directory." in line
    assert "rediss" not in line


def test_what_says_nothing_may_be_a_server_without_tls(doctor, plain):
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"rediss://{plain}/0"))
    assert line.endswith(hints.NO_TLS)
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"redis://{plain}/0"))
    assert hints.NO_TLS not in line


def test_an_authority_that_is_no_certificate_is_thought_of(doctor, plain, tmp_path):
    other = tmp_path / "ca.pem"
    other.write_text("no certificate")
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"rediss://{plain}/0?ssl_ca_certs={other}"))
    assert line.endswith(hints.NO_AUTHORITY)


@pytest.mark.usefixtures("valkey")
def test_a_database_that_is_not_there_is_named(doctor, valkey_url):
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"{valkey_url}?db=9999"))
    assert line.endswith(hints.NO_DATABASE)


def test_a_master_that_refuses_writes_for_want_of_replicas_is_wrong(doctor, valkey):
    valkey.config_set("min-replicas-to-write", 1)
    try:
        first, *_ = _wrong(doctor(1))
    finally:
        valkey.config_set("min-replicas-to-write", 0)
    assert first == (
        "min-replicas-to-write is set and no replica follows: every write is refused until one "
        "is back (NOREPLICAS)."
    )


def test_a_misspelt_name_is_wrong_and_a_strange_one_is_a_note(doctor, valkey):
    assert valkey.ping()
    found = doctor(1, CHALLENGE_REDIS_ULR="redis://a", CHALLENGE_PORT="9", CHALLENGE_KITCHEN="x")
    assert _wrong(found) == [
        "CHALLENGE_PORT is no setting; it is called PORT.",
        "CHALLENGE_REDIS_ULR is no setting; it is called CHALLENGE_REDIS_URL.",
    ]
    notes = [each["detail"] for each in found["checks"] if each["level"] == "note"]
    assert "CHALLENGE_KITCHEN is no setting and has no effect." in notes


def test_a_cluster_of_which_nobody_answers_is_one_thing_wrong(doctor):
    port = free_port()
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"redis+cluster://127.0.0.1:{port}"))
    assert f"Nothing answers at 127.0.0.1:{port}: Connection refused." in line


@pytest.mark.parametrize("option", ["socket_timeout=soon", "no_such_option=1"])
def test_a_redis_url_with_a_wrong_option_is_a_finding(doctor, option):
    (line,) = _wrong(doctor(1, CHALLENGE_REDIS_URL=f"redis://127.0.0.1:1/0?{option}"))
    assert line.startswith("CHALLENGE_REDIS_URL has an option")


def test_a_redis_that_throws_keys_away_is_wrong(doctor, valkey):
    valkey.config_set("maxmemory-policy", "allkeys-lru")
    try:
        (line,) = _wrong(doctor(1))
    finally:
        valkey.config_set("maxmemory-policy", "noeviction")
    assert "set noeviction" in line


@pytest.mark.usefixtures("valkey")
def test_missing_secrets_are_wrong_where_redis_is_ones_own(doctor):
    wrong = _wrong(doctor(1, CHALLENGE_STREAM_SECRET="", CHALLENGE_SECRET_KEYS=""))
    assert [line.split()[0] for line in wrong] == [
        "CHALLENGE_STREAM_SECRET",
        "CHALLENGE_SECRET_KEYS",
    ]


def test_a_wrong_setting_is_a_finding(doctor):
    found = doctor(1, PORT="http")
    assert _wrong(found) == ["PORT='http' is wrong; it takes a whole number from 1 to 65535."]


def test_a_fresh_machine_is_told_that_serve_is_not_running_and_nothing_is_made(run, no_settings):
    result = run("doctor")
    assert result.exit_code == 1
    assert "Is `challenge serve` running?" in result.stdout
    assert not no_settings.exists()


def test_every_setting_is_listed_with_where_it_comes_from(doctor):
    found = doctor(1, CHALLENGE_REDIS_URL="redis://127.0.0.1:1", CHALLENGE_GRACE_MINUTES="60")
    listed = {setting["name"]: setting for setting in found["settings"]}
    assert listed["CHALLENGE_GRACE_MINUTES"] == {
        "name": "CHALLENGE_GRACE_MINUTES",
        "value": "60",
        "set": True,
    }
    assert listed["CHALLENGE_TIMEZONE"]["value"] == "UTC"
    assert listed["CHALLENGE_TIMEZONE"]["set"] is False
    assert listed["CHALLENGE_STREAM_SECRET"]["value"] == "(hidden)"


@pytest.mark.usefixtures("valkey")
def test_it_says_which_sheets_are_solved_and_which_tables_do_not_hold(doctor, no_settings):
    folder = no_settings / "solver"
    Solved(folder).solve(rulesets.find("generala"), lambda _done, _states: None)
    (folder / "yatzy.table").write_bytes(b"samedice table\n\0 or not")
    found = doctor(0, CHALLENGE_RULESETS="generala,yatzy,yacht,yacht-triple")
    damaged, last = (check for check in found["checks"] if check["check"] == "tables")
    assert (damaged["level"], last["level"]) == ("note", "note")
    assert "yatzy.table" in damaged["detail"]
    assert last["detail"] == (
        "1 of 3 offered sheets are solved, not yatzy, yacht; the worker does it."
    )
    (all_well,) = (
        check
        for check in doctor(0, CHALLENGE_RULESETS="generala")["checks"]
        if check["check"] == "tables"
    )
    assert (all_well["level"], all_well["detail"]) == ("ok", "1 of 1 offered sheets are solved")
