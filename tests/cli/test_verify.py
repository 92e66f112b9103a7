"""``challenge verify`` and ``challenge replay``: no server, no secret, all in the open."""

import pytest

from challenge.game import rulesets
from challenge.game.stream import Stream
from tests.cli.conftest import facts, refused
from tests.cli.golden import COMMITMENT, SEED, finished, log_text
from tests.vectors import load

BOARD = ("2026-11-30", "yacht", "--seed", SEED)
BAD_HEX = ["", "00", "0" * 63, "0" * 65, "g" * 64, " " + "0" * 63, "０" * 64]
BAD_DATES = ["today", "2026-11-31", "30.11.2026", "2025-12-31", "9999-12-31", "٢٠٢٦-١١-٣٠"]


@pytest.mark.parametrize(
    "case", load("stream")["vectors"], ids=lambda c: f"{c['date']}-{c['ruleset']}"
)
def test_verify_gives_the_golden_commitment_and_dice(run, case):
    found = facts(run("verify", case["date"], case["ruleset"], "--seed", case["seed"], "--json"))
    assert found["commitment"] == case["commitment"]
    assert (found["date"], found["ruleset"]) == (case["date"], case["ruleset"])
    values = [face for dice in found["rolls"] for face in dice]
    assert values[:90] == case["first_90"]
    assert found["matches"] is None
    assert found["game"] is None


def test_verify_says_that_the_seed_is_the_one_promised(run):
    result = run("verify", *BOARD, "--commitment", COMMITMENT)
    assert result.exit_code == 0
    assert "The seed matches the commitment published in advance." in result.stdout
    assert facts(run("verify", *BOARD, "--commitment", COMMITMENT.upper(), "--json"))["matches"]


def test_verify_fails_where_the_seed_is_not_the_one_promised(run):
    result = run("verify", *BOARD, "--commitment", "0" * 64)
    assert result.exit_code == 1
    assert "does NOT match" in result.stdout


@pytest.mark.parametrize("id", [sheet.id for sheet in rulesets.RULESETS])
def test_verify_deals_every_roll_a_game_can_need_and_replays_its_log(run, id):
    game = finished(id)
    text = log_text(game)
    found = facts(run("verify", "2026-11-30", id, "--seed", SEED, "--log", text, "--json"))
    stream = Stream(bytes.fromhex(SEED))
    needed = range(game.ruleset.rounds * game.ruleset.rolls_per_turn)
    assert [tuple(dice) for dice in found["rolls"]] == [
        stream.block(k, game.ruleset.dice) for k in needed
    ]
    assert found["game"]["total"] == game.total
    assert found["game"]["finished"] is True
    assert found["game"]["log"] == text
    assert [box["score"] for box in found["game"]["boxes"]] == list(game.card.scores)


def test_verify_prints_the_score_sheet_for_people(run):
    game = finished("yacht")
    lines = run("verify", *BOARD, "--log", log_text(game)).stdout.splitlines()
    assert lines[0] == "Samedice #334 · 2026-11-30 · yacht"
    assert lines[1] == f"commitment {COMMITMENT}"
    assert lines[2].split() == ["roll", "1", "2", "1", "4", "1", "1"]
    assert lines[-1].split() == ["total", str(game.total)]


def test_verify_says_how_many_boxes_are_open_in_a_game_that_was_not_finished(run):
    result = run("verify", *BOARD, "--log", "QEwM")
    assert result.stdout.splitlines()[-1] == "The game is not finished: 12 boxes are open."


def test_the_triple_sheet_shows_each_column_with_its_factor(run):
    game = finished("yacht-triple")
    args = ("verify", "2026-11-30", "yacht-triple", "--seed", SEED, "--log", log_text(game))
    assert run(*args).stdout.count("factor of the column") == 3
    assert len(facts(run(*args, "--json"))["game"]["upper_sum"]) == 3


@pytest.mark.parametrize("id", ["yacht", "yatzy-order", "maxi-yatzy-saved", "generala"])
def test_replay_tells_every_action_with_its_dice_and_the_running_total(run, id):
    game = finished(id)
    found = facts(run("replay", id, "--seed", SEED, "--log", log_text(game), "--json"))
    assert len(found["actions"]) == len(game.log)
    assert [action["ply"] for action in found["actions"]] == list(range(len(game.log)))
    assert found["actions"][0]["action"] == {"roll": {"hold": []}}
    assert found["actions"][-1]["total"] == found["game"]["total"] == game.total
    entered = {
        action["action"]["score"]["box"]: action["score"]
        for action in found["actions"]
        if "score" in action["action"]
    }
    assert entered == {box["box"]: box["score"] for box in found["game"]["boxes"]}


def test_replay_in_words_counts_dice_from_one(run):
    lines = run("replay", "yacht", "--seed", SEED, "--log", "QEwM").stdout.splitlines()
    assert lines[0].split() == ["0", "roll", "all", "dice", "2", "1", "4", "1", "1"]
    assert lines[1].split()[:5] == ["1", "roll,", "hold", "3", "4"]
    assert lines[2].split()[:3] == ["2", "score", "chance"]


def test_an_empty_log_is_a_game_before_its_first_roll(run):
    found = facts(run("replay", "yacht", "--seed", SEED, "--log", "", "--json"))
    assert found["actions"] == []
    assert found["game"]["total"] == 0


@pytest.mark.parametrize("seed", BAD_HEX)
def test_a_seed_that_is_not_32_bytes_in_hex_is_refused(run, seed):
    assert "32 bytes in hex" in refused(run("verify", "2026-11-30", "yacht", "--seed", seed), 2)
    assert "32 bytes in hex" in refused(run("replay", "yacht", "--seed", seed, "--log", ""), 2)
    assert "--commitment" in refused(run("verify", *BOARD, "--commitment", seed), 2)


@pytest.mark.parametrize("day", BAD_DATES)
def test_a_date_that_is_none_is_refused(run, day):
    assert "DATE" in refused(run("verify", day, "yacht", "--seed", SEED), 2)


@pytest.mark.parametrize("sheet", ["kniffel", "", "Yacht", "yacht ", "x" * 5000])
def test_an_unknown_sheet_is_refused_and_the_known_ones_are_named(run, sheet):
    line = refused(run("verify", "2026-11-30", sheet, "--seed", SEED), 2)
    assert "yacht, yacht-no-joker" in line
    assert len(line) < 800


@pytest.mark.parametrize("text", ["QA==", "Q", "QAAA?", "A" * 2000, "ä"])
def test_a_log_that_is_not_base64url_is_refused(run, text):
    assert "--log" in refused(run("verify", *BOARD, "--log", text), 2)


@pytest.mark.parametrize("text", ["AA", "QEwMDA", "X_8", "QEBAQA"])
def test_a_log_that_is_no_game_of_the_sheet_is_refused_with_its_ply(run, text):
    assert "at ply" in refused(run("verify", *BOARD, "--log", text), 2)
    assert "at ply" in refused(run("replay", "yacht", "--seed", SEED, "--log", text), 2)
