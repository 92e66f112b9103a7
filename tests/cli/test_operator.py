"""``challenge dice`` and ``challenge commitments``: what only the keeper of the secret can say."""

import hashlib
from datetime import UTC, date, datetime, timedelta

import pytest

from challenge.game import rulesets
from challenge.game.stream import commitment_of, seed_of
from challenge.store.datadir import DataDir
from tests.cli.conftest import facts, refused
from tests.cli.golden import BOARD, COMMITMENT, SEED

GOLDEN = ("2026-11-30", "yacht")


@pytest.mark.usefixtures("operator")
def test_dice_shows_what_the_day_will_deal_and_warns_that_it_spoils(run):
    result = run("dice", *GOLDEN)
    assert result.exit_code == 0
    assert "spoils the day" in result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "Samedice #334 · 2026-11-30 · yacht"
    values = [int(face) for line in lines[1:] for face in line.split()[2:]]
    assert values[:90] == BOARD["first_90"]
    assert len(lines) == 1 + 39


@pytest.mark.usefixtures("operator")
def test_dice_as_json_stops_after_the_rolls_asked_for_and_keeps_the_seed(run):
    result = run("dice", *GOLDEN, "--rolls", "3", "--json")
    found = facts(result)
    assert found["rolls"] == [[2, 1, 4, 1, 1], [6, 5, 4, 6, 2], [1, 6, 1, 4, 5]]
    assert found["commitment"] == COMMITMENT
    assert SEED not in result.stdout
    assert "spoils the day" in result.stderr


@pytest.mark.usefixtures("operator")
def test_commitments_are_those_of_the_golden_data(run):
    result = run("commitments", "--from", "2026-11-30", "--days", "2", "--ruleset", "yacht")
    assert [line.split() for line in result.stdout.splitlines()] == [
        ["2026-11-30", "yacht", COMMITMENT],
        [
            "2026-12-01",
            "yacht",
            "47ee9edf3cb055593a8526fb660321a11ac90ea85239f1789bee98896a8a67a9",
        ],
    ]


@pytest.mark.usefixtures("operator")
def test_commitments_are_those_of_every_offered_sheet(run):
    rows = facts(run("commitments", "--from", "2026-11-30", "--days", "1", "--json"))
    assert [row["ruleset"] for row in rows["commitments"]] == [s.id for s in rulesets.RULESETS]
    few = run("commitments", "--days", "1", "--json", CHALLENGE_RULESETS="yatzy,yacht")
    assert [row["ruleset"] for row in facts(few)["commitments"]] == ["yatzy", "yacht"]


@pytest.mark.usefixtures("operator")
def test_commitments_begin_today_and_can_cover_a_leap_year(run):
    rows = facts(run("commitments", "--days", "366", "--ruleset", "yacht", "--json"))
    days = [date.fromisoformat(row["date"]) for row in rows["commitments"]]
    assert len(days) == 366
    assert days == [days[0] + timedelta(days=n) for n in range(366)]
    assert abs(days[0] - datetime.now(UTC).date()) <= timedelta(days=1)


@pytest.mark.usefixtures("operator")
def test_commitments_past_the_end_of_the_calendar_are_refused(run):
    line = refused(run("commitments", "--from", "9999-12-27", "--days", "3"), 2)
    assert "too far ahead" in line


def test_the_secret_of_the_data_directory_is_used_where_none_is_set(run, no_settings):
    secret = DataDir(no_settings).stream_secret()
    found = facts(run("dice", *GOLDEN, "--rolls", "1", "--json"))
    assert found["commitment"] == commitment_of(seed_of(secret, date(2026, 11, 30), "yacht"))


@pytest.mark.parametrize("command", [("dice", *GOLDEN), ("commitments",)])
def test_without_a_secret_the_operator_is_told_so_and_none_is_made(run, no_settings, command):
    line = refused(run(*command), 2)
    assert "CHALLENGE_STREAM_SECRET is unset" in line
    assert not no_settings.exists()


@pytest.mark.parametrize("command", [("dice", *GOLDEN), ("commitments",)])
def test_with_a_redis_of_ones_own_the_secret_must_be_set(run, command):
    line = refused(run(*command, CHALLENGE_REDIS_URL="redis://localhost:1"), 2)
    assert "CHALLENGE_STREAM_SECRET is unset" in line
    assert "secrets.token_urlsafe" in line


@pytest.mark.usefixtures("operator")
@pytest.mark.parametrize("args", [("2026-02-30", "yacht"), ("2026-11-30", "kniffel")])
def test_a_wrong_date_or_sheet_is_refused_before_anything_is_shown(run, args):
    assert "DATE" in refused(run("dice", *args), 2) or "kniffel" in refused(run("dice", *args), 2)


@pytest.mark.usefixtures("operator")
def test_the_digest_is_that_of_every_commitment_of_a_year(run):
    rows = facts(run("commitments", "--from", "2026-11-30", "--days", "366", "--json"))
    lines = sorted(f"{r['date']} {r['ruleset']} {r['commitment']}\n" for r in rows["commitments"])
    expected = hashlib.sha256("".join(lines).encode()).hexdigest()
    assert len(lines) == 366 * len(rulesets.RULESETS)
    shown = run("commitments", "--from", "2026-11-30", "--digest")
    assert shown.stdout.split() == ["2026-11-30", "366", "days", expected]
    found = facts(run("commitments", "--from", "2026-11-30", "--digest", "--json"))
    assert found == {"from": "2026-11-30", "days": 366, "digest": expected}


@pytest.mark.usefixtures("operator")
def test_the_digest_does_not_hang_on_the_order_of_the_sheets_but_on_which_they_are(run):
    def digest(sheets):
        return run("commitments", "--digest", CHALLENGE_RULESETS=sheets).stdout

    assert digest("yatzy,yacht") == digest("yacht,yatzy") != digest("yacht")


@pytest.mark.usefixtures("operator")
@pytest.mark.parametrize("part", [("--days", "366"), ("--ruleset", "yacht")])
def test_there_is_no_digest_of_a_part(run, part):
    assert "--from alone" in refused(run("commitments", "--digest", *part), 2)
