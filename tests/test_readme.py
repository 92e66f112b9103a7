"""The README: what it opens with, and that what it points to exists.

``tests/browser/test_readme.py`` runs its commands.
"""

from __future__ import annotations

import re

from tests.paths import COMMANDS, README, ROOT


def test_it_opens_with_one_sentence_a_picture_and_two_commands() -> None:
    title, sentence, picture, *_ = README.split("\n\n")
    assert title == "# Samedice"
    assert sentence.count(". ") == 0
    assert sentence.endswith(".")
    assert picture.startswith("![")
    assert COMMANDS == ["python3 deploy/run.py play\n", "python3 deploy/run.py test\n"]


def test_what_it_points_to_is_there() -> None:
    for target in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / target).is_file(), target


def test_ci_calls_the_very_command_that_tests() -> None:
    assert COMMANDS[1].strip() in (ROOT / ".ci" / "run").read_text("utf-8")
