"""The table "When something breaks" and the tests of failures name each other."""

from __future__ import annotations

import re

from tests.browser import test_failures as in_the_browser
from tests.paths import ROOT
from tests.runtime import test_backwards, test_failures, test_full_disk, test_lost_answers

MODULES = (in_the_browser, test_backwards, test_failures, test_full_disk, test_lost_answers)
TESTS = sorted((ROOT / "tests").rglob("test_*.py"))
DEFINED = re.compile(r"^def (test_\w+)\(", re.M)
APART = {  # they test a name for a call, not a failure
    "test_a_name_for_a_call_that_is_none_is_refused",
    "test_a_stolen_token_cannot_send_the_sign_out_again",
}


def rows() -> list[list[str]]:
    """The cells of each row, without head and rule."""
    text = (ROOT / "deploy" / "README.md").read_text("utf-8")
    section = text.partition("## When something breaks\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_row_names_a_test_and_every_test_of_a_failure_has_a_row() -> None:
    named = [match[1] for row in rows() if (match := re.fullmatch(r"`(test_\w+)`", row[-1]))]
    there = {name for module in MODULES for name in vars(module) if name.startswith("test_")}
    assert len(named) == len(rows()) == len(set(named)) > 20
    assert there - APART <= set(named)
    defined = {name for file in TESTS for name in DEFINED.findall(file.read_text("utf-8"))}
    assert set(named) <= defined


def test_every_row_says_what_players_and_programs_meet() -> None:
    for broken, met, *_ in rows():
        assert broken
        assert met, broken
