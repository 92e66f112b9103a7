"""A reader of ``lua/*.lua`` finds in the head comment what KEYS and ARGV are."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

SCRIPTS = sorted(
    (path for path in files("challenge.store").joinpath("lua").iterdir()), key=lambda p: p.name
)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_every_key_and_argument_is_declared_and_none_is_built_inside(script):
    text = script.read_text("utf-8")
    head = "\n".join(line for line in text.splitlines() if line.startswith(("--", "#!")))
    code = "\n".join(line for line in text.splitlines() if not line.startswith(("--", "#!")))
    for used in set(re.findall(r"(?:KEYS|ARGV)\[\d\]", code)):
        assert used in head, f"{used} is not declared"
    for declared in re.findall(r"KEYS\[\d\]", head):
        assert declared in code, f"{declared} is declared but not used"
    assert "sd1" not in code
    assert "TIME" not in code
