"""``challenge replay --export``: every score of an export out of its log, by anyone, anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import Result

from challenge.service.services import Services
from tests.cli.conftest import facts, refused
from tests.conftest import Clock
from tests.marks import long
from tests.service.players import play_out, play_short_of_one

Run = Callable[..., Result]
SHEETS = ("generala", "yacht-triple", "maxi-yatzy-saved", "yatzy-order")


@pytest.fixture
def export(services: Services, clock: Clock) -> dict[str, Any]:
    """The export of a player: closed boards, one of them left half-played, and open ones."""
    player, day = services.players.new_id(), clock().date()
    for number, sheet in enumerate(SHEETS):
        play_out(services, player, day, sheet, seed=number)
    play_short_of_one(services, player, day, "yacht")
    clock.forward(days=1)
    play_out(services, player, day + timedelta(days=1))
    play_out(services, player, day - timedelta(days=9), "yatzy")
    found: dict[str, Any] = json.loads(
        msgspec.json.encode(services.exports.export(player, clock()))
    )
    return found


@pytest.fixture
def check(run: Run, tmp_path: Path) -> Callable[..., Result]:
    """Writes an export down and replays it."""

    def call(export: Any, *more: str) -> Result:
        file = tmp_path / "samedice.json"
        file.write_text(json.dumps(export), encoding="utf-8")
        return run("replay", "--export", str(file), *more)

    return call


def test_every_score_of_a_closed_board_comes_out_of_its_log(check, export):
    found = facts(check(export, "--json"))
    by_board = {(each["date"], each["ruleset"]): each for each in found}
    assert [each["verdict"] for each in found].count("same") == 6
    for each in export["games"]:
        checked = by_board[each["date"], each["ruleset"]]
        if each["seed"]:
            assert (checked["verdict"], checked["replayed"]) == ("same", each["score"])
    assert by_board["2026-11-30", "yacht"]["score"] is None
    assert by_board["2026-11-21", "yatzy"]["mode"] == "archive"


def test_a_game_of_an_open_board_waits_for_its_seed(check, export):
    found = {each["date"]: each for each in facts(check(export, "--json"))}
    assert found["2026-12-01"]["verdict"] == "open"
    assert found["2026-12-01"]["replayed"] is None


def test_in_words_it_says_a_line_a_game_and_a_summary(check, export):
    done = check(export)
    *games, summary = done.stdout.splitlines()
    assert done.exit_code == 0
    assert len(games) == 7
    assert all("as exported" in line for line in games if "2026-12-01" not in line)
    assert "its board is not closed" in next(line for line in games if "2026-12-01" in line)
    assert summary == (
        "Games: 7. As exported: 6, differing: 0, not to be replayed before their board closes: 1."
    )


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"score": 1}, "the log gives"),
        long({"finished": False, "score": None}, "the log gives"),
        ({"seed": "00" * 32}, "the seed is not the one promised"),
        long({"log": "AAAA"}, "at ply 0"),
        ({"log": "!"}, "base64url"),
        long({"fingerprint": "of-later"}, "does not have the edition"),
        long({"ruleset": "yatzy"}, "does not have the edition"),
        ({"seed": "xyz"}, "non-hexadecimal"),
    ],
)
def test_what_does_not_come_out_fails(check, export, change, why):
    game = next(each for each in export["games"] if each["ruleset"] == "generala")
    game |= change
    done = check(export)
    assert done.exit_code == 1
    assert why in next(line for line in done.stdout.splitlines() if "DIFFERS" in line)
    assert "differing: 1," in done.stdout


@pytest.mark.parametrize("export", [{}, {"games": [{"date": "2026-11-30"}]}, [1], None, "x"])
def test_what_is_no_export_is_refused(check, export):
    assert "not an export of Samedice" in refused(check(export), 2)


def test_a_game_and_an_export_are_not_replayed_at_once(run, tmp_path):
    file = tmp_path / "samedice.json"
    file.write_text('{"games": []}')
    assert "--export goes without" in refused(run("replay", "yacht", "--export", str(file)), 2)
    assert "Give RULESET" in refused(run("replay"), 2)
    assert "Give RULESET" in refused(run("replay", "yacht", "--log", "QEwM"), 2)
    assert run("replay", "--export", str(file)).stdout.startswith("Games: 0.")
