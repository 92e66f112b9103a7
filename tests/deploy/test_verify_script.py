"""``deploy/verify.py``: short, without any dependency, and of one mind with the package."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from challenge import web
from challenge.game import rulesets
from challenge.game.stream import Stream
from tests.cli.golden import COMMITMENT, SEED, finished, log_text
from tests.vectors import load

SCRIPT = Path(__file__).parents[2] / "deploy" / "verify.py"


def run(*args, cwd=None):
    """The script as a player runs it: isolated, without anything that is installed."""
    return subprocess.run(
        [sys.executable, "-I", "-S", SCRIPT, *args],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
        cwd=cwd,
    )


def dice_in(line):
    """The faces at the end of a line."""
    return tuple(int(face) for face in re.search(r"((?: [1-6])+)$", line)[1].split())


def test_the_script_is_at_most_sixty_lines_that_a_player_can_read():
    assert len(SCRIPT.read_text("utf-8").splitlines()) <= 60


@pytest.mark.parametrize(
    "case", load("stream")["vectors"], ids=lambda c: f"{c['date']}-{c['ruleset']}"
)
def test_the_script_deals_the_golden_dice(case):
    done = run(case["date"], case["ruleset"], case["seed"], "--commitment", case["commitment"])
    assert done.returncode == 0, done.stderr
    assert "The seed matches the commitment." in done.stdout
    rolled = [dice_in(line) for line in done.stdout.splitlines() if line.startswith("roll")]
    values = [face for dice in rolled for face in dice]
    assert values[:90] == case["first_90"]


@pytest.mark.parametrize("id", [sheet.id for sheet in rulesets.RULESETS])
def test_the_script_deals_every_roll_the_sheet_can_need(id):
    sheet = rulesets.find(id)
    done = run("2026-11-30", id, SEED)
    rolled = [dice_in(line) for line in done.stdout.splitlines() if line.startswith("roll")]
    needed = sheet.rounds * sheet.rolls_per_turn
    stream = Stream(bytes.fromhex(SEED))
    assert rolled[:needed] == [stream.block(k, sheet.dice) for k in range(needed)]


@pytest.mark.parametrize("id", ["yacht", "maxi-yatzy-saved", "yacht-triple"])
def test_the_script_shows_a_game_roll_by_roll_as_the_command_does(id):
    import json

    from click.testing import CliRunner

    from challenge.cli import main

    text = log_text(finished(id))
    done = run("2026-11-30", id, SEED, "--log", text)
    assert done.returncode == 0, done.stderr
    shown = [dice_in(line) for line in done.stdout.splitlines() if line.startswith("turn")]
    told = CliRunner().invoke(main, ["replay", id, "--seed", SEED, "--log", text, "--json"])
    assert shown == [tuple(action["dice"]) for action in json.loads(told.stdout)["actions"]]


def test_the_script_takes_the_number_of_dice_from_the_player():
    done = run("2026-11-30", "any-sheet", SEED, "--dice", "6")
    first = next(line for line in done.stdout.splitlines() if line.startswith("roll"))
    assert dice_in(first) == Stream(bytes.fromhex(SEED)).block(0, 6)


def test_a_seed_that_was_not_promised_is_said_to_be_wrong():
    done = run("2026-11-30", "yacht", "00" * 32, "--commitment", COMMITMENT)
    assert done.returncode == 1
    assert done.stderr.strip() == "The seed does NOT match the commitment."


@pytest.mark.parametrize("text", ["ä", "A", "QE" * 200])
def test_a_log_that_is_none_is_refused_in_one_line(text):
    done = run("2026-11-30", "yacht", SEED, "--log", text)
    assert done.returncode == 1
    assert done.stderr.strip() == "This is not the log of a game of this sheet."


def test_a_seed_that_is_not_hex_is_refused_without_a_traceback():
    done = run("2026-11-30", "yacht", "xyz")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_the_page_hands_out_this_very_script():
    served = Path(web.__file__).parent / "static" / "verify.py"
    assert served.read_bytes() == SCRIPT.read_bytes()
